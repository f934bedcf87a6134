/**
 * @file check_group.c
 * Checks of a group: its size, its share of the computation, and the method that leads to it.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "model/util/c_locale.h"
#include "model/util/text.h"
#include "nereus/scaling.h"

/* Compose the name of a method (model/include/nereus/method.h) from Proteo's four numbers. */
static void compose_method(const struct sam_group *group, char *text)
{
    /* files of Proteo have both 0 and 1 for none */
    const char *strategy = group->spawn_strategy <= 1
                               ? ""
                               : sam_choice_name(SAM_KEY_SPAWN_STRATEGY, group->spawn_strategy);
    const char *overlap =
        group->redistribution_strategy <= 1
            ? ""
            : sam_choice_name(SAM_KEY_REDISTRIBUTION_STRATEGY, group->redistribution_strategy);
    const char *data = sam_choice_name(SAM_KEY_REDISTRIBUTION_METHOD, group->redistribution_method);
    snprintf(text, SAM_TEXT_MAX, "%s%s%s/%s%s%s",
             sam_choice_name(SAM_KEY_SPAWN_METHOD, group->spawn_method), *strategy ? "-" : "",
             strategy, strncmp(data, "rma", 3) == 0 ? "rma" : data, *overlap ? "-" : "", overlap);
}

/* Find the line of the first of Proteo's four keys that the group has; 0: none. */
static int find_method_number_line(const int *line)
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

static enum nereus_status check_method(const struct sam_check *c, int i)
{
    struct sam_group *group = &c->config->groups[i];
    const int *line = c->lines->group[i];
    if (line[SAM_KEY_ASYNCH_TYPE]) {
        sam_check_note(
            c, line[SAM_KEY_ASYNCH_TYPE],
            "Asynch_Redistribution_Type has no effect: Redistribution_Strategy says whether data "
            "moves while the application computes");
    }
    int numbers = find_method_number_line(line), line_number = line[SAM_KEY_METHOD];
    if (line_number && numbers) {
        return sam_check_fail(
            c, line_number,
            "[group%d] has 'method', and in line %d a Spawn_ or Redistribution_ key: keep one", i,
            numbers);
    }
    if (i == 0) { /* no reconfiguration leads into the first group (Martín-Álvarez et al.
                     (2024b), section 4.4) */
        if (line_number)
            sam_check_note(c, line_number,
                           "method has no effect in [group0]: it is how to get to a group");
        group->method[0] = '\0';
        return NEREUS_OK;
    }
    if (!line_number) {
        compose_method(group, group->method);
        line_number = numbers ? numbers : c->lines->group_header[i];
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
        sam_check_fail(c, line_number, "method of [group%d]: %.300s", i, why.text);
        if (c->err)
            c->err->status = status;
        return status;
    }
    nereus_method_format(&method, group->method);
    return NEREUS_OK;
}

enum nereus_status sam_factor_parse(const char *text, int64_t processes, double *factor,
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

static enum nereus_status check_factor(const struct sam_check *c, int i)
{
    struct sam_group *group = &c->config->groups[i];
    const int own = c->lines->group[i][SAM_KEY_FACTOR];
    struct nereus_error why;
    const char *text = own ? group->scaling : c->config->scaling;
    return sam_factor_parse(text, group->processes, &group->factor, &why) == NEREUS_OK
               ? NEREUS_OK
               : sam_check_fail(c, own ? own : c->lines->general[SAM_KEY_SCALING],
                                "%s '%.160s' for %lld process%s: %.250s",
                                own ? "FactorS" : "scaling", text, (long long)group->processes,
                                nereus_plural_es(group->processes), why.text);
}

enum nereus_status sam_check_group(const struct sam_check *c, int i)
{
    struct sam_group *group = &c->config->groups[i];
    const int *line = c->lines->group[i];
    const enum sam_key_id needed[] = {SAM_KEY_ITERATIONS, SAM_KEY_PROCESSES};
    for (int n = 0; n < 2; n++) {
        if (!line[needed[n]]) {
            return sam_check_fail(c, c->lines->group_header[i], "[group%d] has no %s", i,
                                  sam_keys[needed[n]].names[0]);
        }
    }
    int64_t slots = c->config->slots;
    if (slots > 0 && group->processes > slots) {
        return sam_check_fail(c, line[SAM_KEY_PROCESSES],
                              "Procs in [group%d] is %lld, above the %lld slot%s of line %d", i,
                              (long long)group->processes, (long long)slots, nereus_plural_s(slots),
                              c->lines->general[SAM_KEY_SLOTS]);
    }
    const enum nereus_status status = check_factor(c, i);
    return status == NEREUS_OK ? check_method(c, i) : status;
}
