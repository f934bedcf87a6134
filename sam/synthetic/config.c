/* Reads a configuration and checks the consistency of its parts. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keys.h"
#include "model/util/c_locale.h"
#include "model/util/text.h"
#include "nereus/scaling.h"
#include "reader.h"

/* What the checks use. */
struct check {
    const char *file;
    struct sam_config *config;
    const struct sam_lines *lines;
    struct nereus_error *err;
};

static enum nereus_status fail_at_line(const struct check *c, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static enum nereus_status fail_at_line(const struct check *c, int line, const char *format, ...)
{
    char what[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (line > 0)
        return nereus_fail(c->err, NEREUS_ERR_PARSE, "%.200s:%d: %s", c->file, line, what);
    return nereus_fail(c->err, NEREUS_ERR_PARSE, "%.200s: %s", c->file, what);
}

static void note_at_line(const struct check *c, int line, const char *what)
{
    char *notes = c->config->notes;
    size_t used = strlen(notes);
    snprintf(notes + used, sizeof c->config->notes - used, "%.200s:%d: %s\n", c->file, line, what);
}

/*
 * Sections are numbered without gaps, up to the announced count.
 * @param[in,out] count  announced; found
 */
static enum nereus_status count_sections(const struct check *c, const char *name,
                                         const int *headers, int most, enum sam_key_id key,
                                         int64_t *count)
{
    int line = c->lines->general[key];
    int last = most - 1;
    while (last >= 0 && !headers[last])
        last--;
    int64_t wanted = line ? *count : last + 1;
    if (wanted == 0)
        return fail_at_line(c, 0, "there is no section [%s0]", name);
    for (int i = 0; i < wanted; i++) {
        if (!headers[i] && line) {
            return fail_at_line(c, line,
                                "%s asks for [%s0] to [%s%" PRId64 "], but [%s%d] is missing",
                                sam_keys[key].names[0], name, name, wanted - 1, name, i);
        }
        if (!headers[i]) {
            return fail_at_line(c, headers[last], "[%s%d] follows, but [%s%d] is missing", name,
                                last, name, i);
        }
    }
    if (last >= wanted) { /* as in files of Proteo, whose number says how far they are read */
        note_at_line(c, headers[wanted],
                     "sections from here on have no effect: the number above ends before");
    }
    *count = wanted;
    return NEREUS_OK;
}

static enum nereus_status check_counts(const struct check *c)
{
    struct sam_config *config = c->config;
    enum nereus_status status = count_sections(c, "stage", c->lines->stage_header, SAM_STAGES_MAX,
                                               SAM_KEY_STAGES, &config->stage_count);
    if (status == NEREUS_OK) {
        config->group_count = config->reconfigurations + 1;
        status = count_sections(c, "group", c->lines->group_header, SAM_GROUPS_MAX,
                                SAM_KEY_RECONFIGURATIONS, &config->group_count);
    }
    if (status == NEREUS_OK)
        config->reconfigurations = config->group_count - 1;
    return status;
}

bool sam_computes(int64_t type)
{
    return type == SAM_PI || type == SAM_MATRIX;
}

/* The line of a key in a section, or of its header. */
static int line_of(int key_line, int header)
{
    return key_line ? key_line : header;
}

static enum nereus_status check_computation(const struct check *c, int i, const char *name)
{
    const struct sam_stage *stage = &c->config->stages[i];
    const int *line = c->lines->stage[i];
    if (!(stage->time_s > 0)) {
        return fail_at_line(c, line_of(line[SAM_KEY_STAGE_TIME], c->lines->stage_header[i]),
                            "[stage%d] computes (%s): Stage_Time must be above 0", i, name);
    }
    if (line[SAM_KEY_STAGE_BYTES] && stage->bytes > 0)
        note_at_line(c, line[SAM_KEY_STAGE_BYTES],
                     "Stage_Bytes has no effect on a stage that computes");
    return NEREUS_OK;
}

/* Bytes by Stage_Time: those of one call, which all processes find together; no part of it. */
static bool can_be_timed(int64_t type)
{
    return type != SAM_NONBLOCKING && type != SAM_WRITE && type != SAM_READ;
}

/* Calls that are repeated until the time is over. */
static enum nereus_status check_capped(const struct check *c, int i, const char *name)
{
    const struct sam_stage *stage = &c->config->stages[i];
    const int *line = c->lines->stage[i];
    if (stage->type == SAM_NONBLOCKING || stage->type == SAM_WAIT) {
        return fail_at_line(
            c, line[SAM_KEY_STAGE_CAPPED],
            "[stage%d] is a part of an exchange (%s), which cannot be repeated: leave "
            "Stage_Time_Capped out",
            i, name);
    }
    return stage->time_s > 0
               ? NEREUS_OK
               : fail_at_line(
                     c, line_of(line[SAM_KEY_STAGE_TIME], c->lines->stage_header[i]),
                     "[stage%d] ends after its time (Stage_Time_Capped): Stage_Time must be "
                     "above 0",
                     i);
}

static enum nereus_status check_communication(const struct check *c, int i, const char *name)
{
    const struct sam_stage *stage = &c->config->stages[i];
    const int *line = c->lines->stage[i];
    const int header = c->lines->stage_header[i];
    if (stage->capped)
        return check_capped(c, i, name);
    if (stage->type == SAM_BARRIER || stage->type == SAM_WAIT) {
        if (stage->bytes > 0)
            note_at_line(c, line[SAM_KEY_STAGE_BYTES],
                         "Stage_Bytes has no effect on barrier and wait");
        return NEREUS_OK;
    }
    if (stage->bytes < 1 && !(stage->time_s > 0 && can_be_timed(stage->type))) {
        return fail_at_line(c, line_of(line[SAM_KEY_STAGE_BYTES], header),
                            "[stage%d] communicates (%s): Stage_Bytes must be 1 or more%s", i, name,
                            can_be_timed(stage->type) ? ", or Stage_Time above 0" : "");
    }
    if (stage->bytes > 0 && line[SAM_KEY_STAGE_TIME] && stage->time_s > 0) {
        note_at_line(c, line[SAM_KEY_STAGE_TIME],
                     "Stage_Time has no effect here: Stage_Bytes says what is communicated");
    }
    return NEREUS_OK;
}

static enum nereus_status check_shares(const struct check *c, int line, const char *key,
                                       const char *text, struct sam_shares *shares)
{
    struct nereus_error why;
    return sam_shares_parse(text, shares, &why) == NEREUS_OK
               ? NEREUS_OK
               : fail_at_line(c, line, "%s %.300s", key, why.text);
}

static enum nereus_status check_stage(const struct check *c, int i)
{
    struct sam_stage *stage = &c->config->stages[i];
    const int *line = c->lines->stage[i];
    if (!line[SAM_KEY_STAGE_TYPE])
        return fail_at_line(c, c->lines->stage_header[i], "[stage%d] has no Stage_Type", i);
    const char *name = sam_word_name(SAM_KEY_STAGE_TYPE, stage->type);
    const bool computes = sam_computes(stage->type);
    const int unequal = line[SAM_KEY_IMBALANCE] ? line[SAM_KEY_IMBALANCE] : line[SAM_KEY_VARIATION];
    if (unequal && !computes) {
        return fail_at_line(
            c, unequal,
            "[stage%d] communicates (%s): imbalance and variation are for stages that "
            "compute",
            i, name);
    }
    enum nereus_status status =
        computes ? check_computation(c, i, name) : check_communication(c, i, name);
    if (status == NEREUS_OK) {
        status = check_shares(c, line[SAM_KEY_IMBALANCE], "imbalance", stage->imbalance,
                              &stage->by_process);
    }
    if (status == NEREUS_OK) {
        status = check_shares(c, line[SAM_KEY_VARIATION], "variation", stage->variation,
                              &stage->by_iteration);
    }
    return status == NEREUS_OK && stage->by_iteration.tables > 1
               ? fail_at_line(c, line[SAM_KEY_VARIATION],
                              "variation must be one table: several are for numbers of processes")
               : status;
}

/* The method of Proteo's four numbers, as model/include/nereus/method.h writes it. */
static void compose_method(const struct sam_group *group, char *text)
{
    /* 0 is none, too, in files of Proteo */
    const char *strategy = group->spawn_strategy <= 1
                               ? ""
                               : sam_word_name(SAM_KEY_SPAWN_STRATEGY, group->spawn_strategy);
    const char *overlap =
        group->redistribution_strategy <= 1
            ? ""
            : sam_word_name(SAM_KEY_REDISTRIBUTION_STRATEGY, group->redistribution_strategy);
    const char *data = sam_word_name(SAM_KEY_REDISTRIBUTION_METHOD, group->redistribution_method);
    snprintf(text, SAM_TEXT_MAX, "%s%s%s/%s%s%s",
             sam_word_name(SAM_KEY_SPAWN_METHOD, group->spawn_method), *strategy ? "-" : "",
             strategy, strncmp(data, "rma", 3) == 0 ? "rma" : data, *overlap ? "-" : "", overlap);
}

/* The line of the first of Proteo's four keys that the group has, or 0. */
static int method_number_line(const int *line)
{
    static const enum sam_key_id four[] = {SAM_KEY_SPAWN_METHOD, SAM_KEY_SPAWN_STRATEGY,
                                           SAM_KEY_REDISTRIBUTION_METHOD,
                                           SAM_KEY_REDISTRIBUTION_STRATEGY};
    int first = 0;
    for (int i = 0; i < 4; i++)
        if (line[four[i]] && (!first || line[four[i]] < first))
            first = line[four[i]];
    return first;
}

static enum nereus_status check_method(const struct check *c, int i)
{
    struct sam_group *group = &c->config->groups[i];
    const int *line = c->lines->group[i];
    if (line[SAM_KEY_ASYNCH_TYPE]) {
        note_at_line(
            c, line[SAM_KEY_ASYNCH_TYPE],
            "Asynch_Redistribution_Type has no effect: Redistribution_Strategy says whether data "
            "moves while the application computes");
    }
    int numbers = method_number_line(line), at = line[SAM_KEY_METHOD];
    if (at && numbers) {
        return fail_at_line(
            c, at,
            "[group%d] has 'method', and in line %d a Spawn_ or Redistribution_ key: keep one", i,
            numbers);
    }
    if (i == 0) { /* as in proteo 4.4: no reconfiguration leads into the first group */
        if (at)
            note_at_line(c, at, "method has no effect in [group0]: it is how to get to a group");
        group->method[0] = '\0';
        return NEREUS_OK;
    }
    if (!at) {
        compose_method(group, group->method);
        at = numbers ? numbers : c->lines->group_header[i];
    }
    if (strcmp(group->method, "auto") == 0)
        return NEREUS_OK;
    struct nereus_method method;
    struct nereus_error why;
    enum nereus_status status = nereus_method_parse(group->method, &method, &why);
    if (status == NEREUS_OK) {
        method.data = nereus_method_data(&method);
        method.has_data = true;
        status = nereus_method_check(&method, &why);
    }
    if (status != NEREUS_OK) {
        fail_at_line(c, at, "method of [group%d]: %.300s", i, why.text);
        if (c->err)
            c->err->status = status;
        return status;
    }
    nereus_method_print(&method, group->method);
    return NEREUS_OK;
}

/* A number, or T(processes) / T(1) by a law. */
static enum nereus_status find_factor(const char *text, int64_t processes, double *factor,
                                      struct nereus_error *why)
{
    char *end;
    struct nereus_scaling law;
    *factor = nereus_strtod(text, &end);
    if (end != text && *end == '\0') {
        return *factor >= 1e-9 && *factor <= 1e9
                   ? NEREUS_OK
                   : nereus_fail(why, NEREUS_ERR_PARSE, "must be a number from 1e-09 to 1e+09");
    }
    enum nereus_status status = nereus_scaling_parse(text[0] == '\0' ? "ideal" : text, &law, why);
    if (status == NEREUS_OK) {
        status = nereus_scaling_apply(&law, 1, 1, processes, factor, why);
        nereus_scaling_fini(&law);
    }
    return status;
}

static enum nereus_status check_factor(const struct check *c, int i)
{
    struct sam_group *group = &c->config->groups[i];
    const int own = c->lines->group[i][SAM_KEY_FACTOR];
    struct nereus_error why;
    const char *text = own ? group->scaling : c->config->scaling;
    return find_factor(text, group->processes, &group->factor, &why) == NEREUS_OK
               ? NEREUS_OK
               : fail_at_line(c, own ? own : c->lines->general[SAM_KEY_SCALING],
                              "%s '%.160s' for %" PRId64 " process%s: %.250s",
                              own ? "FactorS" : "scaling", text, group->processes,
                              nereus_plural_es(group->processes), why.text);
}

static enum nereus_status check_group(const struct check *c, int i)
{
    struct sam_group *group = &c->config->groups[i];
    const int *line = c->lines->group[i];
    const enum sam_key_id needed[] = {SAM_KEY_ITERATIONS, SAM_KEY_PROCESSES};
    for (int n = 0; n < 2; n++) {
        if (!line[needed[n]]) {
            return fail_at_line(c, c->lines->group_header[i], "[group%d] has no %s", i,
                                sam_keys[needed[n]].names[0]);
        }
    }
    int64_t slots = c->config->slots;
    if (slots > 0 && group->processes > slots) {
        return fail_at_line(
            c, line[SAM_KEY_PROCESSES],
            "Procs in [group%d] is %" PRId64 ", above the %" PRId64 " slot%s of line %d", i,
            group->processes, slots, nereus_plural_s(slots), c->lines->general[SAM_KEY_SLOTS]);
    }
    const enum nereus_status status = check_factor(c, i);
    return status == NEREUS_OK ? check_method(c, i) : status;
}

static enum nereus_status check_bytes(const struct check *c)
{
    struct sam_config *config = c->config;
    const int *line = c->lines->general;
    int total = line[SAM_KEY_BYTES] ? line[SAM_KEY_BYTES] : line[SAM_KEY_CONSTANT_PERCENT];
    int parts =
        line[SAM_KEY_CONSTANT_BYTES] ? line[SAM_KEY_CONSTANT_BYTES] : line[SAM_KEY_VARIABLE_BYTES];
    if (total && parts) {
        return fail_at_line(
            c, parts,
            "constant_bytes or variable_bytes together with %s (line %d): give one sum and a "
            "percentage, or the two parts",
            line[SAM_KEY_BYTES] ? "Total_Data_Redistribution" : "Asynch_Percentage_Redistribution",
            total);
    }
    if (!parts) {
        config->constant_bytes =
            (int64_t)((double)config->bytes * config->constant_percent / 100.0);
        config->variable_bytes = config->bytes - config->constant_bytes;
    }
    return NEREUS_OK;
}

/* "100,50": ends 100 and 150, and a last phase. */
static enum nereus_status check_phases(const struct check *c)
{
    struct sam_config *config = c->config;
    const char *rest = config->phases;
    int64_t end_of = 0;
    config->phase_count = 1;
    while (*rest != '\0') {
        char *end;
        const long long iterations = strtoll(rest, &end, 10);
        if (end == rest || iterations < 1 || iterations > 10000000 ||
            config->phase_count == SAM_PHASES_MAX || (*end != '\0' && *end != ',')) {
            return fail_at_line(
                c, c->lines->general[SAM_KEY_PHASES],
                "phases must be up to %d numbers of iterations with commas between, as "
                "100,50, not '%.160s'",
                SAM_PHASES_MAX - 1, config->phases);
        }
        end_of += iterations;
        config->phase_ends[config->phase_count++ - 1] = end_of;
        rest = *end == ',' ? end + 1 : end;
    }
    for (int i = 0; i < config->stage_count; i++) {
        if (config->stages[i].phase >= config->phase_count) {
            return fail_at_line(c, c->lines->stage[i][SAM_KEY_PHASE],
                                "[stage%d] is of phase %" PRId64 ", and there are %" PRId64
                                " (phases in [general])",
                                i, config->stages[i].phase, config->phase_count);
        }
    }
    return NEREUS_OK;
}

int64_t sam_config_phase_of(const struct sam_config *config, int64_t iteration)
{
    int64_t phase = 0;
    while (phase + 1 < config->phase_count && iteration >= config->phase_ends[phase])
        phase++;
    return phase;
}

static enum nereus_status check_all(const struct check *c)
{
    enum nereus_status status = check_counts(c);
    if (status == NEREUS_OK)
        status = check_phases(c);
    for (int i = 0; status == NEREUS_OK && i < c->config->stage_count; i++)
        status = check_stage(c, i);
    for (int i = 0; status == NEREUS_OK && i < c->config->group_count; i++)
        status = check_group(c, i);
    return status == NEREUS_OK ? check_bytes(c) : status;
}

static void set_defaults(struct sam_config *config)
{
    sam_keys_set_defaults(SAM_GENERAL, config);
    for (int i = 0; i < SAM_STAGES_MAX; i++)
        sam_keys_set_defaults(SAM_STAGE, &config->stages[i]);
    for (int i = 0; i < SAM_GROUPS_MAX; i++)
        sam_keys_set_defaults(SAM_GROUP, &config->groups[i]);
}

enum nereus_status sam_config_parse(const char *file, const char *text, struct sam_config *config,
                                    struct nereus_error *err)
{
    /* Heap: both are too large for the stack. */
    struct sam_config *read = calloc(1, sizeof *read);
    struct sam_lines *lines = calloc(1, sizeof *lines);
    enum nereus_status status = NEREUS_ERR_MEMORY;
    if (read && lines) {
        set_defaults(read);
        status = sam_ini_read(file, text, read, lines, err);
        if (status == NEREUS_OK)
            status = check_all(&(struct check){file, read, lines, err});
        if (status == NEREUS_OK)
            *config = *read;
    } else {
        nereus_fail(err, status, "%.200s: no memory to read it", file);
    }
    free(read);
    free(lines);
    return status;
}

int64_t sam_config_first_iteration(const struct sam_config *config, int64_t group)
{
    int64_t first = 0;
    for (int64_t i = 0; i < group; i++)
        first += config->groups[i].iterations;
    return first;
}

const char *sam_config_law(const struct sam_config *config)
{
    char *end;
    for (int64_t i = 0; i < config->group_count; i++)
        if (config->groups[i].scaling[0] != '\0')
            return NULL;
    if (config->scaling[0] == '\0')
        return "ideal";
    nereus_strtod(config->scaling, &end);
    return *end == '\0' ? NULL : config->scaling;
}

int64_t sam_config_group_of(const struct sam_config *config, int64_t iteration)
{
    int64_t group = 0, end = config->groups[0].iterations;
    while (group + 1 < config->group_count && iteration >= end) {
        group++;
        end += config->groups[group].iterations;
    }
    return group;
}

double sam_config_factor(const struct sam_config *config, int64_t group, int64_t processes)
{
    const struct sam_group *asked = &config->groups[group];
    const char *text = asked->scaling[0] != '\0' ? asked->scaling : config->scaling;
    double factor;
    return processes != asked->processes && find_factor(text, processes, &factor, NULL) == NEREUS_OK
               ? factor
               : asked->factor;
}

int64_t sam_config_operations(const struct sam_stage *stage, double factor, double t_op_s)
{
    double operations = round(stage->time_s * factor / t_op_s);
    if (!(operations >= 1))
        return 1;
    return operations < 9e18 ? (int64_t)operations : INT64_MAX;
}
