/**
 * @file held_out.h
 * Holds out pairs of sizes, for nereus validate: it fits a profile without the rows of these pairs,
 * and judges the profile by their measured times.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/profile.h"
#include "nereus/samples.h"

/** A reconfiguration from ns to nt processes. */
struct nereus_size_pair {
    int64_t ns, nt;
};

/**
 * Parse a list of pairs such as "2:4,4:2".
 * @param[out] count  number of pairs; at most `capacity`
 */
enum nereus_status nereus_pairs_parse(const char *text, struct nereus_size_pair *pairs,
                                      int capacity, int *count, struct nereus_error *err);

/** Do the samples have a row of this pair: a whole reconfiguration or a step of one? */
bool nereus_pair_was_measured(const struct nereus_samples *samples, const char *cluster,
                              const struct nereus_size_pair *pair);

/** List all changes between the sizes 1, 2, 3, half the cores, all cores, 1.5 times and twice the
 * cores. Pairs without samples come first.
 * @param slots  upper limit of sizes; 0: none
 * @param capacity   length of `pairs`, at least 42
 * @return number of pairs */
int nereus_pairs_list_held_out(int64_t cores, int64_t slots, const struct nereus_samples *samples,
                               const char *cluster, struct nereus_size_pair *pairs, int capacity);

/** Fit again without the rows of these pairs, whole reconfigurations and steps. Rows of single MPI
 * calls belong to no pair and are kept.
 * @param base          profile with the cluster of the rows; its host, date, MPI, launcher, machine
 * kind, cores per node, nodes and log-sds between campaigns are copied
 * @param[out] profile  to be freed with nereus_profile_fini */
enum nereus_status nereus_held_out_fit(const struct nereus_samples *samples,
                                       const struct nereus_size_pair *pairs, int count,
                                       const struct nereus_profile *base,
                                       struct nereus_profile *profile, struct nereus_error *err);
