/**
 * @file ops.h
 * The operations that each policy implements; README.md of this component says how to add one.
 */
#ifndef NEREUS_MODEL_POLICY_OPS_H
#define NEREUS_MODEL_POLICY_OPS_H

#include "nereus/policy.h"

struct nereus_policy_ops {
    /** Decide.
     * @param[in,out] decision  its `stay` is set; receives `to` and `why` */
    enum nereus_status (*decide)(const struct nereus_policy_question *question,
                                 struct nereus_decision *decision, struct nereus_error *err);
    bool needs_function;
};

extern const struct nereus_policy_ops nereus_policy_ops_none, nereus_policy_ops_flex_efficiency,
    nereus_policy_ops_flex_cost, nereus_policy_ops_follow, nereus_policy_ops_user;

#endif
