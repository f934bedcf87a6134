/**
 * @file weighted.h
 * Computes the distribution "weighted", which has bounds such that work is proportional to
 * computing power (Martín et al. (2015), section 4.3, equation 1, and section 4.4: "rather than
 * balance the workload using the number of rows or columns as reference, ... the number of nonzero
 * elements"). Power is measured in work units per CPU second. Only nereus_weighted_scale_powers
 * uses floating point, on one process; integer arithmetic gives the same result everywhere.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/partition.h"

/** Convert powers to integers >= 1 with a sum of about 2^40.
 * @param powers  `processes` powers; one that was not measured (not above 0) becomes the mean of
 * the others, or 1 */
void nereus_weighted_scale_powers(const double *powers, int64_t processes, int64_t *integers);

/** Compute bounds for indices of equal weight, by largest remainder, so that equal powers give
 * equal blocks.
 * @param powers  `processes` values, >= 1
 * @param[out] bounds  processes + 1 */
enum nereus_status nereus_weighted_find_bounds(int64_t n, const int64_t *powers, int64_t processes,
                                               int64_t *bounds, struct nereus_error *err);

/** Compute thresholds of work: process k begins at the share of powers[0] + ... + powers[k - 1].
 * @param[out] thresholds  processes + 1 values, from 0 to total */
void nereus_weighted_find_thresholds(int64_t total, const int64_t *powers, int64_t processes,
                                     int64_t *thresholds);

/** Compute bounds for indices of different weights: bound k is where the cumulated weight is
 * nearest to threshold k (of two the lower index). Each process calls this for its own indices; the
 * bound is the minimum over the processes.
 * @param weights  weights of the indices of the range, >= 0
 * @param weight_before   work of all lower indices
 * @param[in,out] bounds  processes + 1, set to n beforehand; those in this range are written */
void nereus_weighted_find_crossings(const int64_t *weights, struct nereus_range range,
                                    int64_t weight_before, const int64_t *thresholds,
                                    int64_t processes, int64_t *bounds);
