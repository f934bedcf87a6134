/**
 * @file ops.h
 * Lists the operations that each policy implements; README.md of this component says how to add
 * one.
 */
#pragma once

#include "model/util/base.h"
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

/* fastest.c: Finds the sequence of changes with which the application ends first, for goals that no
 * single change meets. */

struct nereus_fastest {
    bool is_searched;               /**< false: too many allocations and intervals */
    double end_s;                   /**< end of the application, in seconds since its start */
    struct nereus_allocation first; /**< allocation in the next interval */
};

enum nereus_status nereus_fastest_find(const struct nereus_policy_question *question,
                                       struct nereus_fastest *result, struct nereus_error *err);
