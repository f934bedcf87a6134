/** @file sim_failures.h  Checks the options of failing nodes, and makes the simulator's settings
 * from them. */
#pragma once

#include "nereus/simulate.h"
#include "sim_options.h"

/** Can nodes fail? */
bool nereus_sim_has_failures(const struct nereus_sim_options *options);

/** Check the options.
 * @param[out] interval_s  as in struct nereus_sim_failures */
enum nereus_status nereus_sim_failures_check(const struct nereus_sim_options *options,
                                             double *interval_s, struct nereus_error *err);

/**
 * @param profile  prices of checkpoints; may be NULL without them
 * @param[out] failures  its list is to be freed
 */
enum nereus_status nereus_sim_failures_make(const struct nereus_sim_options *options,
                                            double interval_s, const struct nereus_profile *profile,
                                            struct nereus_sim_failures *failures,
                                            struct nereus_error *err);

/** A note on stderr if checkpoints have no price that was measured or stated.
 * @return there was something to note */
bool nereus_sim_note_checkpoints(const struct nereus_sim_failures *failures);
