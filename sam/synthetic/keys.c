/** @file keys.c  Lists the keys: names, ranges, defaults and help. */
#include "keys.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/util/c_locale.h"
#include "model/util/home.h"
#include "model/util/suggest.h"
#include "model/util/values.h"

static const struct sam_choice stage_choices[] = {
    {"pi", SAM_PI},
    {"matrix", SAM_MATRIX},
    {"point-to-point", SAM_POINT_TO_POINT},
    {"broadcast", SAM_BROADCAST},
    {"allgather", SAM_ALLGATHER},
    {"reduce", SAM_REDUCE},
    {"allreduce", SAM_ALLREDUCE},
    {"nonblocking", SAM_NONBLOCKING},
    {"wait", SAM_WAIT},
    {"barrier", SAM_BARRIER},
    {"alltoall", SAM_ALLTOALL},
    {"scatter", SAM_SCATTER},
    {"gather", SAM_GATHER},
    {"neighbours", SAM_NEIGHBOURS},
    {"write", SAM_WRITE},
    {"read", SAM_READ},
    {NULL, 0},
};
static const struct sam_choice spawn_method_choices[] = {{"baseline", 0}, {"merge", 1}, {NULL, 0}};
/* Strategies are prime numbers, combinations their product, 1 is none (Martín-Álvarez et al.
 * (2024b), section 4.4). */
static const struct sam_choice spawn_strategy_choices[] = {
    {"none", 1}, {"async", 2}, {"single", 3}, {"single-async", 6}, {"none", 0}, {NULL, 0}};
static const struct sam_choice data_method_choices[] = {
    {"coll", 0}, {"p2p", 1}, {"rma-lock", 2}, {"rma-lockall", 3}, {NULL, 0}};
static const struct sam_choice data_strategy_choices[] = {
    {"none", 1}, {"waitsources", 2}, {"waittargets", 3}, {"thread", 5}, {"none", 0}, {NULL, 0}};
static const struct sam_choice placement_choices[] = {{"compact", 0}, {"spread", 1}, {NULL, 0}};
static const struct sam_choice yes_choices[] = {{"no", 0}, {"yes", 1}, {NULL, 0}};
static const struct sam_choice t_op_choices[] = {{"profile", 0}, {"measured", 1}, {NULL, 0}};
static const struct sam_choice threads_choices[] = {{"multiple", 0}, {"single", 1}, {NULL, 0}};
static const struct sam_choice capture_choices[] = {{"slowest", SAM_CAPTURE_SLOWEST},
                                                    {"median", SAM_CAPTURE_MEDIAN},
                                                    {"mean", SAM_CAPTURE_MEAN},
                                                    {NULL, 0}};

#define IN_GENERAL(member) SAM_GENERAL, offsetof(struct sam_config, member)
#define IN_STAGE(member)   SAM_STAGE, offsetof(struct sam_stage, member)
#define IN_GROUP(member)   SAM_GROUP, offsetof(struct sam_group, member)

/* A row of sam_keys: KEY(section and offset, type, minimum, maximum, choices, default, default as
 * help shows it, help, names...). INTEGER, BYTES, REAL, CHOICE and TEXT give the type. */
#define KEY(place, type_, min_, max_, choices_, default_text_, default_help_, help_, ...)          \
    KEY_IN(place, type_, min_, max_, choices_, default_text_, default_help_, help_, __VA_ARGS__)
#define KEY_IN(section_, offset_, type_, min_, max_, choices_, default_text_, default_help_,       \
               help_, ...)                                                                         \
    {                                                                                              \
        .section = section_, .offset = offset_, .type = type_, .min = min_, .max = max_,           \
        .choices = choices_, .default_text = default_text_, .default_help = default_help_,         \
        .help = help_, .names = {                                                                  \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define INTEGER(place, min, max, default_text, default_help, help, ...)                            \
    KEY(place, SAM_INTEGER, min, max, NULL, default_text, default_help, help, __VA_ARGS__)
#define BYTES(place, min, max, default_text, default_help, help, ...)                              \
    KEY(place, SAM_BYTES, min, max, NULL, default_text, default_help, help, __VA_ARGS__)
#define REAL(place, min, max, default_text, default_help, help, ...)                               \
    KEY(place, SAM_REAL, min, max, NULL, default_text, default_help, help, __VA_ARGS__)
#define CHOICE(place, choices, default_text, default_help, help, ...)                              \
    KEY(place, SAM_CHOICE, 0, 0, choices, default_text, default_help, help, __VA_ARGS__)
#define TEXT(place, default_help, help, ...)                                                       \
    KEY(place, SAM_TEXT, 0, 0, NULL, NULL, default_help, help, __VA_ARGS__)

const struct sam_key sam_keys[SAM_KEY_COUNT] = {
    [SAM_KEY_STAGES] =
        INTEGER(IN_GENERAL(stage_count), 1, SAM_STAGES_MAX, NULL, "counted",
                "stages of an iteration: [stage0], [stage1], ...", "Total_Stages", "stages"),
    [SAM_KEY_GRANULARITY] =
        INTEGER(IN_GENERAL(granularity), 1, 10000000, "100", "100",
                "size of one operation: points of pi, or rows of the matrices", "Granularity"),
    [SAM_KEY_RECONFIGURATIONS] = INTEGER(
        IN_GENERAL(reconfigurations), 0, SAM_GROUPS_MAX - 1, NULL, "counted",
        "number of groups - 1", "Total_Reconfigurations", "reconfigurations", "Total_Resizes"),
    [SAM_KEY_BYTES] = BYTES(IN_GENERAL(bytes), 0, 1e15, "0", "0", "bytes to redistribute, in all",
                            "Total_Data_Redistribution", "bytes"),
    [SAM_KEY_CONSTANT_PERCENT] =
        REAL(IN_GENERAL(constant_percent), 0, 100, "0", "0",
             "how much of the bytes is constant data (the rest is variable)",
             "Asynch_Percentage_Redistribution", "constant_percent"),
    [SAM_KEY_CONSTANT_BYTES] =
        BYTES(IN_GENERAL(constant_bytes), 0, 1e15, "0", "by percentage",
              "constant bytes, instead of the two keys above", "constant_bytes", "ADR"),
    [SAM_KEY_VARIABLE_BYTES] =
        BYTES(IN_GENERAL(variable_bytes), 0, 1e15, "0", "by percentage",
              "variable bytes, instead of the two keys above", "variable_bytes", "SDR"),
    [SAM_KEY_RESULTS] =
        TEXT(IN_GENERAL(results), "none",
             "JSON file for the results; .jsonl: an event for each iteration, stage and step",
             "results"),
    [SAM_KEY_TRACE] =
        TEXT(IN_GENERAL(trace), "$NEREUS_TRACE", "JSON Lines file for the trace", "trace"),
    [SAM_KEY_STATE] =
        TEXT(IN_GENERAL(state), "$NEREUS_STATE", "JSON file for the state of the job", "state"),
    [SAM_KEY_HOSTFILE] = TEXT(IN_GENERAL(hostfile), "$NEREUS_HOSTFILE",
                              "hosts and their slots, 'name[:cores]' a line", "hostfile"),
    [SAM_KEY_SLOTS] = INTEGER(IN_GENERAL(slots), 1, 1000000, NULL, "$NEREUS_SLOTS",
                              "declared slots on this host; larger sizes are refused", "slots"),
    [SAM_KEY_PROGRAM] =
        TEXT(IN_GENERAL(program), "nereus-sam", "what to start as new processes", "program"),
    [SAM_KEY_RIGID] =
        CHOICE(IN_GENERAL(rigid), yes_choices, "no", "no",
               "all processes meet before each stage, so that its time is its own", "Rigid"),
    [SAM_KEY_CAPTURE] = CHOICE(IN_GENERAL(capture), capture_choices, "slowest", "slowest",
                               "which process' time is that of an iteration", "Capture_Method"),
    [SAM_KEY_T_OP] =
        CHOICE(IN_GENERAL(t_op_measured), t_op_choices, "profile", "profile",
               "how long an operation takes: of the profile of this machine, where it has "
               "the kind and its Granularity; or measured, at the start and then on",
               "T_op"),
    [SAM_KEY_THREADS] =
        CHOICE(IN_GENERAL(threads_single), threads_choices, "multiple", "multiple",
               "thread level of MPI: with single, waits do not yield the core to others; "
               "asynchronous methods need multiple",
               "threads"),
    [SAM_KEY_SCALING] = TEXT(IN_GENERAL(scaling), "ideal",
                             "FactorS of groups without one: a law, as in FactorS", "scaling"),
    [SAM_KEY_PHASES] = TEXT(IN_GENERAL(phases), "one phase",
                            "iterations of each phase but the last, as 100,50: loops that follow "
                            "each other",
                            "phases"),
    [SAM_KEY_FOLDER] = TEXT(IN_GENERAL(folder), "$TMPDIR, else /tmp",
                            "where stages that write keep their files", "folder"),

    [SAM_KEY_STAGE_TYPE] = CHOICE(IN_STAGE(type), stage_choices, NULL, "required",
                                  "what the stage does", "Stage_Type", "type"),
    [SAM_KEY_STAGE_TIME] =
        REAL(IN_STAGE(time_s), 0, 1e6, "0", "required to compute",
             "seconds that one process would compute, times the group's FactorS; "
             "of one call, where a stage communicates without Stage_Bytes",
             "Stage_Time", "time_s"),
    [SAM_KEY_STAGE_BYTES] = BYTES(
        IN_STAGE(bytes), 0, INT32_MAX, "0", "by Stage_Time",
        "bytes of the message (allgather, scatter, gather, write, read: of all parts together; "
        "alltoall: that a process sends in all)",
        "Stage_Bytes", "bytes"),
    [SAM_KEY_STAGE_CAPPED] =
        CHOICE(IN_STAGE(capped), yes_choices, "no", "no",
               "end a stage after its time: instead of its operations, or of one call",
               "Stage_Time_Capped"),
    [SAM_KEY_IMBALANCE] =
        TEXT(IN_STAGE(imbalance), "equal",
             "work of the processes: linear:X, a table as 1,1,3, uniform:X[:SEED], "
             "normal:X[:SEED]; a table for each size, as 1,3 | 1,1,2,4",
             "imbalance"),
    [SAM_KEY_PHASE] = INTEGER(IN_STAGE(phase), 0, SAM_PHASES_MAX - 1, "0", "0",
                              "in which phase the stage runs, from 0", "phase"),
    [SAM_KEY_EVERY] =
        REAL(IN_STAGE(interval_iterations), 1e-6, 1e9, "1", "1",
             "run the stage every n-th iteration; below 1: several times in each", "every"),
    [SAM_KEY_STAGE_PROCESSES] =
        INTEGER(IN_STAGE(processes), 1, 1000000, NULL, "all",
                "of a collective: over communicators of so many processes each", "processes"),
    [SAM_KEY_ROOT] = INTEGER(IN_STAGE(root), 0, 1000000, NULL, "0",
                             "of broadcast, reduce, scatter and gather: the rank that has all; "
                             "modulo the processes",
                             "root"),
    [SAM_KEY_NEIGHBOURS] = TEXT(
        IN_STAGE(neighbours), "the ranks before and behind",
        "messages of each process, as offset:bytes,... (offsets of ranks in a ring), or "
        "FILE.csv with columns processes,stage,from,to,bytes; of stages neighbours and nonblocking",
        "neighbours"),
    [SAM_KEY_VARIATION] = TEXT(IN_STAGE(variation), "none",
                               "work of the iterations, in the forms of imbalance", "variation"),

    [SAM_KEY_ITERATIONS] = INTEGER(IN_GROUP(iterations), 1, 10000000, NULL, "required",
                                   "iterations of this group", "Iters", "iterations"),
    [SAM_KEY_PROCESSES] = INTEGER(IN_GROUP(processes), 1, 1000000, NULL, "required",
                                  "processes of this group", "Procs", "processes"),
    [SAM_KEY_FACTOR] = TEXT(
        IN_GROUP(scaling), "by scaling in [general], else 1 / Procs",
        "share of Stage_Time that each process computes: a number, ideal, amdahl:F, or FILE.csv "
        "(n,t_iter_s)",
        "FactorS", "factor"),
    [SAM_KEY_METHOD] =
        TEXT(IN_GROUP(method), "by the four below",
             "how to get to this group, as 'merge/coll'; auto: chosen when it begins", "method"),
    [SAM_KEY_SPAWN_METHOD] = CHOICE(IN_GROUP(spawn_method), spawn_method_choices, "merge", "merge",
                                    "new processes for all, or for the difference", "Spawn_Method"),
    [SAM_KEY_SPAWN_STRATEGY] =
        CHOICE(IN_GROUP(spawn_strategy), spawn_strategy_choices, "none", "none",
               "who spawns, and whether the application goes on", "Spawn_Strategy"),
    [SAM_KEY_REDISTRIBUTION_METHOD] =
        CHOICE(IN_GROUP(redistribution_method), data_method_choices, "coll", "coll",
               "how data moves", "Redistribution_Method"),
    [SAM_KEY_REDISTRIBUTION_STRATEGY] =
        CHOICE(IN_GROUP(redistribution_strategy), data_strategy_choices, "none", "none",
               "whether the application goes on meanwhile", "Redistribution_Strategy"),
    [SAM_KEY_PLACEMENT] = CHOICE(IN_GROUP(placement), placement_choices, "compact", "compact",
                                 "how processes fill nodes", "Dist"),
    [SAM_KEY_ASYNCH_TYPE] =
        INTEGER(IN_GROUP(asynch_type), 0, 100, "0", "none", "of older files of Proteo; no effect",
                "Asynch_Redistribution_Type"),
};

const char *sam_section_name(enum sam_section section)
{
    static const char *const names[] = {"general", "stage", "group"};
    return section < SAM_SECTION_COUNT ? names[section] : "?";
}

enum sam_key_id sam_key_find(enum sam_section section, const char *name)
{
    for (int id = 0; id < SAM_KEY_COUNT; id++) {
        for (int i = 0; i < SAM_KEY_NAMES_MAX && sam_keys[id].section == section; i++)
            if (sam_keys[id].names[i] && strcasecmp(sam_keys[id].names[i], name) == 0)
                return (enum sam_key_id)id;
    }
    return SAM_KEY_COUNT;
}

const char *sam_key_suggest(enum sam_section section, const char *name)
{
    const char *known_words[SAM_KEY_COUNT * SAM_KEY_NAMES_MAX];
    size_t count = 0;
    for (int id = 0; id < SAM_KEY_COUNT; id++) {
        for (int i = 0; i < SAM_KEY_NAMES_MAX; i++)
            if (sam_keys[id].section == section && sam_keys[id].names[i])
                known_words[count++] = sam_keys[id].names[i];
    }
    return nereus_suggest(name, known_words, count);
}

static enum nereus_status set_integer(const struct sam_key *key, const char *value, int64_t *out,
                                      struct nereus_error *err)
{
    char *end;
    errno = 0;
    long long number = strtoll(value, &end, 10);
    if (end == value || *end || errno || (double)number < key->min || (double)number > key->max) {
        return nereus_fail(err, NEREUS_ERR_PARSE,
                           "must be an integer from %.0f to %.0f, not '%.160s'", key->min, key->max,
                           value);
    }
    *out = number;
    return NEREUS_OK;
}

static enum nereus_status set_bytes(const struct sam_key *key, const char *value, int64_t *out,
                                    struct nereus_error *err)
{
    int64_t bytes;
    char *end;
    const double number = nereus_strtod(value, &end);
    /* Files of Proteo have shares of a byte. */
    const bool fraction = end != value && *end == '\0' && number != floor(number) &&
                          number > key->min && number < key->max;
    if (fraction) {
        *out = (int64_t)(number + 0.5);
        return NEREUS_OK;
    }
    if (nereus_value_parse_bytes("", value, &bytes, NULL) != NEREUS_OK ||
        (double)bytes < key->min || (double)bytes > key->max) {
        return nereus_fail(
            err, NEREUS_ERR_PARSE,
            "must be a number of bytes from %.0f to %.0f, as 4096, 64MB or 64MiB, not '%.160s'",
            key->min, key->max, value);
    }
    *out = bytes;
    return NEREUS_OK;
}

static enum nereus_status set_real(const struct sam_key *key, const char *value, double *out,
                                   struct nereus_error *err)
{
    char *end;
    double number = nereus_strtod(value, &end);
    /* The negated comparison also refuses "nan". */
    if (end == value || *end || !(number >= key->min && number <= key->max)) {
        return nereus_fail(err, NEREUS_ERR_PARSE, "must be a number from %g to %g, not '%.160s'",
                           key->min, key->max, value);
    }
    *out = number;
    return NEREUS_OK;
}

/* "pi (0), matrix (1) or wait (8)" */
static void list_choices(const struct sam_choice *choices, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (const struct sam_choice *w = choices; w->name && used < size; w++) {
        const char *separator = w == choices ? "" : w[1].name ? ", " : " or ";
        int n = snprintf(text + used, size - used, "%s%s (%lld)", separator, w->name,
                         (long long)w->number);
        used += n > 0 ? (size_t)n : 0;
    }
}

static const char *suggest_choice(const struct sam_choice *choices, const char *value)
{
    const char *known_words[SAM_STAGE_TYPE_COUNT];
    size_t count = 0;
    for (const struct sam_choice *w = choices; w->name; w++)
        known_words[count++] = w->name;
    return nereus_suggest(value, known_words, count);
}

static enum nereus_status set_choice(const struct sam_key *key, const char *value, int64_t *out,
                                     struct nereus_error *err)
{
    char *end;
    long long number = strtoll(value, &end, 10);
    int is_number = end != value && !*end;
    for (const struct sam_choice *w = key->choices; w->name; w++) {
        if (is_number ? w->number == number : strcasecmp(w->name, value) == 0) {
            *out = w->number;
            return NEREUS_OK;
        }
    }
    char list[256];
    list_choices(key->choices, list, sizeof list);
    const char *suggestion = suggest_choice(key->choices, value);
    return nereus_fail(err, NEREUS_ERR_PARSE, "must be %s, not '%.160s'%s%s%s", list, value,
                       suggestion ? "; did you mean '" : "", suggestion ? suggestion : "",
                       suggestion ? "'?" : "");
}

static enum nereus_status set_text(const char *value, char *out, struct nereus_error *err)
{
    char *in_home = nereus_home_path(value); /* no shell has expanded it */
    const char *text = in_home != NULL ? in_home : value;
    const size_t length = strlen(text);
    const bool fits = length > 0 && length < SAM_TEXT_MAX;
    if (fits)
        memcpy(out, text, length + 1);
    free(in_home);
    return fits ? NEREUS_OK
                : nereus_fail(err, NEREUS_ERR_PARSE, "must have 1 to %d characters, not %zu",
                              SAM_TEXT_MAX - 1, length);
}

enum nereus_status sam_key_set(enum sam_key_id id, const char *value, void *section,
                               struct nereus_error *err)
{
    const struct sam_key *key = &sam_keys[id];
    void *out = (char *)section + key->offset;
    switch (key->type) {
    case SAM_INTEGER:
        return set_integer(key, value, out, err);
    case SAM_BYTES:
        return set_bytes(key, value, out, err);
    case SAM_REAL:
        return set_real(key, value, out, err);
    case SAM_CHOICE:
        return set_choice(key, value, out, err);
    case SAM_TEXT:
        return set_text(value, out, err);
    }
    return NEREUS_ERR_ARGUMENT;
}

void sam_keys_set_defaults(enum sam_section section, void *base)
{
    for (int id = 0; id < SAM_KEY_COUNT; id++)
        if (sam_keys[id].section == section && sam_keys[id].default_text)
            sam_key_set((enum sam_key_id)id, sam_keys[id].default_text, base, NULL);
}

const char *sam_choice_name(enum sam_key_id id, int64_t number)
{
    for (const struct sam_choice *w = sam_keys[id].choices; w && w->name; w++)
        if (w->number == number)
            return w->name;
    return "?";
}

static void print_range(FILE *stream, const struct sam_key *key)
{
    char text[256] = "text";
    if (key->type == SAM_INTEGER) {
        snprintf(text, sizeof text, "integer, %.0f to %.0f", key->min, key->max);
    } else if (key->type == SAM_BYTES) {
        snprintf(text, sizeof text, "bytes, %.0f to %.0f, as 4096, 64MB or 64MiB", key->min,
                 key->max);
    } else if (key->type == SAM_REAL) {
        snprintf(text, sizeof text, "number, %g to %g", key->min, key->max);
    } else if (key->type == SAM_CHOICE) {
        list_choices(key->choices, text, sizeof text);
    }
    fprintf(stream, "      %s", text);
    if (key->default_help[0])
        fprintf(stream, "; default: %s", key->default_help);
    fputc('\n', stream);
}

void sam_keys_print(FILE *stream)
{
    static const char *const titles[] = {"[general]", "[stage0], [stage1], ...",
                                         "[group0], [group1], ... (also [resize0], ...)"};
    for (int section = 0; section < SAM_SECTION_COUNT; section++) {
        fprintf(stream, "%s%s\n", section ? "\n" : "", titles[section]);
        for (int id = 0; id < SAM_KEY_COUNT; id++) {
            const struct sam_key *key = &sam_keys[id];
            if (key->section != (enum sam_section)section)
                continue;
            fprintf(stream, "  %s", key->names[0]);
            for (int i = 1; i < SAM_KEY_NAMES_MAX && key->names[i]; i++)
                fprintf(stream, "%s%s", i == 1 ? ", also " : ", ", key->names[i]);
            fprintf(stream, "\n      %s\n", key->help);
            print_range(stream, key);
        }
    }
}
