/** @file explain.c  Prints a configuration as text, and a template of one. */
#include "explain.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "keys.h"
#include "model/util/arith.h"
#include "model/util/text.h"
#include "model/util/values.h"

/* Text for each type of stage; %s: the bytes, or the time of a call. */
static const char *const deeds[SAM_STAGE_TYPE_COUNT] = {
    [SAM_PI] = "each process computes pi",
    [SAM_MATRIX] = "each process multiplies matrices",
    [SAM_POINT_TO_POINT] = "each process exchanges %s with the one half a ring away",
    [SAM_BROADCAST] = "rank 0 broadcasts %s",
    [SAM_ALLGATHER] = "all gather a vector of %s",
    [SAM_REDUCE] = "rank 0 gets the sum of %s",
    [SAM_ALLREDUCE] = "all get the sum of %s",
    [SAM_NONBLOCKING] = "each process begins to exchange %s with the one half a ring away",
    [SAM_WAIT] = "each process waits for the messages that were begun",
    [SAM_BARRIER] = "all wait for each other",
    [SAM_ALLTOALL] = "each process sends %s to all others together",
    [SAM_SCATTER] = "rank 0 scatters a vector of %s",
    [SAM_GATHER] = "rank 0 gathers a vector of %s",
    [SAM_NEIGHBOURS] = "each process exchanges %s with both neighbours",
    [SAM_WRITE] = "all write a file of %s together",
    [SAM_READ] = "all read a file of %s together",
};

static void explain_computation(const struct sam_stage *stage, FILE *stream)
{
    char time[32];
    fprintf(stream, "%s for %s x its group's factor", deeds[stage->type],
            nereus_format_seconds(stage->time_s, time));
    if (stage->capped)
        fputs(" at most", stream);
    if (stage->imbalance[0])
        fprintf(stream, "; unequally (%s)", stage->imbalance);
    if (stage->variation[0])
        fprintf(stream, "; varying from iteration to iteration (%s)", stage->variation);
}

static void explain_stage(const struct sam_config *config, int64_t i, FILE *stream)
{
    const struct sam_stage *stage = &config->stages[i];
    char amount[64];
    fprintf(stream, "  [stage%lld] ", (long long)i);
    if (sam_stage_type_computes(stage->type)) {
        explain_computation(stage, stream);
    } else {
        if (stage->bytes > 0 || stage->capped) {
            const int64_t bytes = stage->bytes > 0 ? stage->bytes : config->granularity;
            nereus_format_bytes((double)bytes, amount);
        } else {
            char time[32];
            snprintf(amount, sizeof amount, "as much as takes %s",
                     nereus_format_seconds(stage->time_s, time));
        }
        const char *deed = deeds[stage->type], *hole = strstr(deed, "%s");
        if (stage->root > 0) /* instead of the rank with which the text begins */
            deed += fprintf(stream, "rank %lld", (long long)stage->root) > 0 ? strlen("rank 0") : 0;
        if (hole)
            fprintf(stream, "%.*s%s%s", (int)(hole - deed), deed, amount, hole + 2);
        else
            fputs(deed, stream);
    }
    if (stage->capped && !sam_stage_type_computes(stage->type)) {
        char time[32];
        fprintf(stream, ", again and again for %s", nereus_format_seconds(stage->time_s, time));
    }
    if (stage->processes > 0)
        fprintf(stream, "; in parts of %lld processes", (long long)stage->processes);
    if (stage->neighbours[0])
        fprintf(stream, "; messages: %s", stage->neighbours);
    if (stage->interval_iterations != 1)
        fprintf(stream, "; every %.6g iterations", stage->interval_iterations);
    if (config->phase_count > 1)
        fprintf(stream, " (phase %lld)", (long long)stage->phase);
    fputc('\n', stream);
}

static void explain_group(const struct sam_config *config, int64_t g, FILE *stream)
{
    const struct sam_group *group = &config->groups[g];
    if (g > 0) {
        fprintf(stream, "  then %s from %lld to %lld process%s by %s\n",
                group->processes == config->groups[g - 1].processes ? "no change," : "a change",
                (long long)(config->groups[g - 1].processes), (long long)group->processes,
                nereus_plural_es(group->processes), group->method);
    }
    fprintf(stream, "  [group%lld] %lld iteration%s on %lld process%s, factor %.4g\n", (long long)g,
            (long long)group->iterations, nereus_plural_s(group->iterations),
            (long long)group->processes, group->processes == 1 ? "" : "es", group->factor);
}

void sam_explain(const struct sam_config *config, FILE *stream)
{
    char constant[32], variable[32];
    fprintf(stream, "An iteration%s:\n",
            config->rigid ? ", before each of whose stages all processes meet" : "");
    for (int64_t i = 0; i < config->stage_count; i++)
        explain_stage(config, i, stream);
    fputs("The job:\n", stream);
    for (int64_t g = 0; g < config->group_count; g++)
        explain_group(config, g, stream);
    if (config->constant_bytes + config->variable_bytes > 0) {
        fprintf(stream, "Each change moves %s of constant and %s of variable data.\n",
                nereus_format_bytes((double)config->constant_bytes, constant),
                nereus_format_bytes((double)config->variable_bytes, variable));
    } else {
        fputs("No data moves in a change.\n", stream);
    }
    if (config->results[0])
        fprintf(stream, "The results go to %s.\n", config->results);
}

/* ---- the template ---- */

/* Keys that have a value in the template. */
static const struct {
    enum sam_key_id id;
    const char *value;
} given[] = {
    {SAM_KEY_BYTES, "8MB"},       {SAM_KEY_CONSTANT_PERCENT, "96.6"}, {SAM_KEY_STAGE_TYPE, "pi"},
    {SAM_KEY_STAGE_TIME, "0.02"}, {SAM_KEY_ITERATIONS, "20"},         {SAM_KEY_PROCESSES, "1"},
};

static const char *find_given_value(enum sam_key_id id)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(given); i++)
        if (given[i].id == id)
            return given[i].value;
    return NULL;
}

/* The name in small letters, if there is one: names with capitals are Proteo's. */
static const char *get_short_name(const struct nereus_ini_key *key)
{
    for (int i = 0; i < NEREUS_INI_NAMES_MAX && key->names[i]; i++)
        if (islower((unsigned char)key->names[i][0]))
            return key->names[i];
    return key->names[0];
}

/* All keys of a section with their meaning; a key without a value in the template is a comment. */
static void print_section(FILE *stream, int section)
{
    for (int id = 0; id < SAM_KEY_COUNT; id++) {
        const struct nereus_ini_key *key = &sam_keys[id];
        const char *value = find_given_value((enum sam_key_id)id);
        if (key->section != section)
            continue;
        fprintf(stream, "# %s\n#   default: %s", key->help, nereus_ini_key_default(key));
        for (const struct nereus_ini_choice *choice = key->choices; choice && choice->name;
             choice++)
            fprintf(stream, "%s%s", choice == key->choices ? "; one of " : ", ", choice->name);
        fprintf(stream, "\n%s%s = %s\n", value ? "" : "# ", get_short_name(key),
                value                ? value
                : key->default_value ? key->default_value
                                     : "");
    }
}

void sam_template_print(FILE *stream)
{
    fputs(
        "# A synthetic application: `nereus run --check FILE` says in words what it does,\n"
        "# `nereus run FILE` runs it. Lines that begin with # are comments: remove the # to set a "
        "key.\n\n[general]\n",
        stream);
    print_section(stream, SAM_GENERAL);
    fputs("\n# An iteration carries out [stage0], [stage1], ... one after the other.\n[stage0]\n",
          stream);
    print_section(stream, SAM_STAGE);
    fputs("\n[stage1]\ntype = allreduce\nbytes = 8\n\n"
          "# Some iterations on some processes, then the next group.\n[group0]\n",
          stream);
    print_section(stream, SAM_GROUP);
    fputs("\n[group1]\niterations = 20\nprocesses = 2\nmethod = merge/coll\n", stream);
}
