/**
 * @file policy_follow.c
 * The policy follow takes the size that is asked from outside, "12" or "C1:4,C8:2". A number alone
 * adds the most powerful free processes, or keeps the most powerful ones.
 */

#include "candidates.h"
#include "model/util/text_file.h"
#include "model/util/values.h"
#include "ops.h"

const char *nereus_policy_read_follow(const struct nereus_policy_settings *settings,
                                      char requested[NEREUS_REQUESTED_MAX])
{
    struct nereus_text_file file;
    char *line;
    requested[0] = '\0';
    if (settings->follow[0] == '\0' ||
        nereus_text_open(settings->follow, "request", &file, NULL) != NEREUS_OK)
        return requested;
    if (nereus_text_read_line(&file, &line, NULL) == NEREUS_OK)
        nereus_text_copy(line, requested, NEREUS_REQUESTED_MAX);
    nereus_text_close(&file);
    return requested;
}

static enum nereus_status read_asked(const struct nereus_policy_question *q,
                                     struct nereus_allocation *wanted_allocation,
                                     struct nereus_error *err)
{
    const int64_t max = nereus_candidates_max_processes(q->model);
    int64_t processes;
    if (strchr(q->request, ':') != NULL)
        return nereus_allocation_parse(q->model, "asked", q->request, wanted_allocation, err);
    const enum nereus_status status =
        nereus_value_parse_integer("asked: processes", q->request, 1, &processes, err);
    if (status != NEREUS_OK)
        return status;
    if (processes > max)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "%lld process%s %s asked for, and there is room for %lld",
                           (long long)processes, nereus_plural_es(processes),
                           nereus_choose_plural(processes, "is", "are"), (long long)max);
    if (processes != nereus_allocation_processes(q->model, &q->allocation))
        nereus_candidate_find_strongest(q, processes, wanted_allocation);
    return NEREUS_OK;
}

static enum nereus_status decide_follow(const struct nereus_policy_question *question,
                                        struct nereus_decision *decision, struct nereus_error *err)
{
    struct nereus_allocation wanted_allocation = question->allocation;
    struct nereus_error why;
    char text[128];
    (void)err;
    if (question->request == NULL || question->request[0] == '\0') {
        snprintf(decision->reason, sizeof decision->reason, "nothing is asked");
    } else if (read_asked(question, &wanted_allocation, &why) != NEREUS_OK) {
        snprintf(decision->reason, sizeof decision->reason, "refused: %.240s", why.text);
    } else {
        decision->target = wanted_allocation;
        snprintf(decision->reason, sizeof decision->reason, "asked from outside: %s",
                 nereus_allocation_text(question->model, &wanted_allocation, text, sizeof text));
    }
    return NEREUS_OK;
}

const struct nereus_policy_ops nereus_policy_ops_follow = {.decide = decide_follow};
