/**
 * @file plan_append.h
 * Appends a step to a plan. Private to model/plan.
 */
#ifndef NEREUS_PLAN_APPEND_H
#define NEREUS_PLAN_APPEND_H

#include "nereus/plan.h"

/** @return NEREUS_ERR_UNSUPPORTED if the plan is full; it is then unchanged */
enum nereus_status nereus_plan_append(struct nereus_plan *plan, const struct nereus_step *step,
                                      struct nereus_error *err);

#endif
