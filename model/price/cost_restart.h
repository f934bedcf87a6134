/**
 * @file cost_restart.h
 * Prices the steps of a restart (plan_restart.c) in profiles without rows of restarts. Private to
 * model/.
 */
#pragma once

#include "cost.h"

/** Assumed seconds, and seconds per byte, which are also priors of a fit. */
#define NEREUS_ASSUMED_WRITE_S          0.01
#define NEREUS_ASSUMED_WRITE_PROCESS_S  1e-9
#define NEREUS_ASSUMED_WRITE_TOGETHER_S 1e-9
#define NEREUS_ASSUMED_READ_S           0.005
#define NEREUS_ASSUMED_READ_PROCESS_S   3e-10
#define NEREUS_ASSUMED_READ_TOGETHER_S  3e-10
#define NEREUS_ASSUMED_END_S            0.05

/** Set the bytes of the busiest process and of all processes, for write and read. */
void nereus_restart_bytes(const struct nereus_cost_context *context, const struct nereus_step *step,
                          struct nereus_cost_input *input);

/** Find the prior of a step that only a restart has: start is priced as launch or as spawn, the
 * other steps are assumed.
 * @param[out] measured_model  the model by which start is priced, else NULL
 * @param[out] named     has the name of the prior, and outlives the profile
 * @return false: another kind, or the profile has no start of processes */
bool nereus_restart_find_prior(const struct nereus_cost_context *context,
                               enum nereus_step_kind kind, struct nereus_linear_model *own_model,
                               const struct nereus_linear_model **measured_model,
                               const struct nereus_linear_model **named);

/** Does nereus_restart_find_prior have a prior of the kind, so that a fit needs none? */
bool nereus_restart_has_prior(enum nereus_step_kind kind);
