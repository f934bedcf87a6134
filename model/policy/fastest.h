/**
 * @file fastest.h
 * Finds the sequence of changes with which the application ends first, for goals that no single
 * change meets.
 */
#ifndef NEREUS_MODEL_POLICY_FASTEST_H
#define NEREUS_MODEL_POLICY_FASTEST_H

#include "nereus/policy.h"

struct nereus_fastest {
    bool is_searched;               /**< false: too many allocations and intervals */
    double end_s;                   /**< end of the application, in seconds since its start */
    struct nereus_allocation first; /**< allocation in the next interval */
};

enum nereus_status nereus_fastest_find(const struct nereus_policy_question *question,
                                       struct nereus_fastest *fastest, struct nereus_error *err);

#endif
