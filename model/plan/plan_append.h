/**
 * @file plan_append.h
 * Private to model/plan: one more step of a plan.
 */
#ifndef NEREUS_PLAN_APPEND_H
#define NEREUS_PLAN_APPEND_H

#include "nereus/plan.h"

/** @return NEREUS_ERR_UNSUPPORTED where the plan has no room for it; the plan is then as it was */
enum nereus_status nereus_plan_append(struct nereus_plan *plan, const struct nereus_step *step,
                                      struct nereus_error *err);

#endif
