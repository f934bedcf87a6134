/**
 * @file check.c
 * Makes the messages of the checks, and checks the sections and [general]: counts, phases, bytes.
 */
#include "check.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum nereus_status sam_check_fail(const struct sam_check *c, int line, const char *format, ...)
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

void sam_check_note(const struct sam_check *c, int line, const char *what)
{
    char *notes = c->config->notes;
    size_t used = strlen(notes);
    snprintf(notes + used, sizeof c->config->notes - used, "%.200s:%d: %s\n", c->file, line, what);
}

/*
 * Sections are numbered without gaps, up to the announced count.
 * @param[in,out] count  the announced number; then the number found
 */
static enum nereus_status count_sections(const struct sam_check *c, const char *name,
                                         const int *headers, int max, enum sam_key_id key,
                                         int64_t *count)
{
    int line = c->lines->general[key];
    int last = max - 1;
    while (last >= 0 && !headers[last])
        last--;
    int64_t wanted = line ? *count : last + 1;
    if (wanted == 0)
        return sam_check_fail(c, 0, "there is no section [%s0]", name);
    for (int i = 0; i < wanted; i++) {
        if (!headers[i] && line) {
            return sam_check_fail(c, line, "%s asks for [%s0] to [%s%lld], but [%s%d] is missing",
                                  sam_keys[key].names[0], name, name, (long long)(wanted - 1), name,
                                  i);
        }
        if (!headers[i]) {
            return sam_check_fail(c, headers[last], "[%s%d] follows, but [%s%d] is missing", name,
                                  last, name, i);
        }
    }
    if (last >=
        wanted) { /* files of Proteo may have more sections than they announce: those are not read
                     */
        sam_check_note(c, headers[wanted],
                       "sections from here on have no effect: the number above ends before");
    }
    *count = wanted;
    return NEREUS_OK;
}

enum nereus_status sam_check_counts(const struct sam_check *c)
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

enum nereus_status sam_check_bytes(const struct sam_check *c)
{
    struct sam_config *config = c->config;
    const int *line = c->lines->general;
    int total = line[SAM_KEY_BYTES] ? line[SAM_KEY_BYTES] : line[SAM_KEY_CONSTANT_PERCENT];
    int parts =
        line[SAM_KEY_CONSTANT_BYTES] ? line[SAM_KEY_CONSTANT_BYTES] : line[SAM_KEY_VARIABLE_BYTES];
    if (total && parts) {
        return sam_check_fail(
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

/* Parse the lengths of phases: "100,50" gives the ends 100 and 150, and a last phase. */
enum nereus_status sam_check_phases(const struct sam_check *c)
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
            return sam_check_fail(
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
            return sam_check_fail(
                c, c->lines->stage[i][SAM_KEY_PHASE],
                "[stage%d] is of phase %lld, and there are %lld (phases in [general])", i,
                (long long)config->stages[i].phase, (long long)config->phase_count);
        }
    }
    return NEREUS_OK;
}
