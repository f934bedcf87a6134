/** @file policy_user.c  The policy user calls the program's own function. */

#include "ops.h"

static enum nereus_status decide_user(const struct nereus_policy_question *question,
                                      struct nereus_decision *decision, struct nereus_error *err)
{
    char why[128] = "";
    struct nereus_allocation wanted_allocation = question->allocation;
    (void)err;
    if (question->function(question->user, question, &wanted_allocation, why))
        decision->target = wanted_allocation;
    snprintf(decision->reason, sizeof decision->reason, "%.*s", (int)sizeof why,
             why[0] != '\0' ? why : "the program's function was asked");
    return NEREUS_OK;
}

const struct nereus_policy_ops nereus_policy_ops_user = {.decide = decide_user,
                                                         .needs_function = true};
