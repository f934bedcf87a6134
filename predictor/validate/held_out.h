/**
 * @file held_out.h
 * Predictions of pairs that a profile has not seen: which pairs to try, and a profile fitted without them.
 */
#ifndef NEREUS_HELD_OUT_H
#define NEREUS_HELD_OUT_H

#include <stdbool.h>

#include "nereus/profile.h"
#include "nereus/samples.h"

/** A reconfiguration from ns to nt processes. */
struct nereus_pair {
    int64_t ns, nt;
};

/** "2:4,4:2" @param[out] count  of the pairs; at most `room` */
enum nereus_status nereus_pairs_parse(const char *text, struct nereus_pair *pairs, int room, int *count,
                                      struct nereus_error *err);

/** Is a row of the samples of this pair: a whole reconfiguration, or a step of one? */
bool nereus_pair_was_measured(const struct nereus_samples *samples, const char *cluster,
                              const struct nereus_pair *pair);

/**
 * All changes between a few sizes within the cores and above them: 1, 2, 3, half the cores, all of them, half as many
 * again and twice as many. First those that the samples do not hold.
 * @param slots  no larger sizes; 0: none declared @param room  at least 42 @return how many
 */
int nereus_pairs_to_hold_out(int64_t cores, int64_t slots, const struct nereus_samples *samples,
                             const char *cluster, struct nereus_pair *pairs, int room);

/**
 * Fit again, without any row of these pairs: neither whole reconfigurations nor their steps. What was measured of a
 * single MPI call belongs to no pair, and stays.
 * @param base          says of which cluster the rows must be, and what the fit does not find out (cores per node, ...)
 * @param[out] profile  to be freed with nereus_profile_fini
 */
enum nereus_status nereus_held_out_fit(const struct nereus_samples *samples, const struct nereus_pair *pairs,
                                       int count, const struct nereus_profile *base,
                                       struct nereus_profile *profile, struct nereus_error *err);

#endif
