/** @file policy_none.c  The policy none leaves the job unchanged. */

#include "ops.h"

static enum nereus_status decide_none(const struct nereus_policy_question *question,
                                      struct nereus_decision *decision, struct nereus_error *err)
{
    (void)question;
    (void)err;
    snprintf(decision->reason, sizeof decision->reason, "this policy changes nothing");
    return NEREUS_OK;
}

const struct nereus_policy_ops nereus_policy_ops_none = {.decide = decide_none};
