/**
 * @file weighted.h
 * The distribution weighted: bounds such that work is in proportion to computing power.
 *
 * Source: flex-mpi 4.3, equation 1, and 4.4: each process gets a data partition in proportion to
 * the relative computing power of its processor, "rather than balance the workload using the number
 * of rows or columns as reference, ... the number of nonzero elements". Power is measured in work
 * units (non-zeros, rows, ...) per CPU second.
 *
 * Only nereus_weighted_powers uses floating point, on one process. All else is integer arithmetic,
 * with the same result everywhere.
 */
#ifndef NEREUS_WEIGHTED_H
#define NEREUS_WEIGHTED_H

#include <stdint.h>

#include "nereus/partition.h"
#include "nereus/status.h"

/**
 * Powers as integers with a sum of about 2^40.
 * @param[in] powers  p of them; a value that is no number above 0 was not measured and is replaced
 * by the mean of the others (1, if none was measured)
 * @param[out] integers  p of them, each >= 1
 */
void nereus_weighted_powers(const double *powers, int64_t p, int64_t *integers);

/**
 * Bounds for indices of equal weight: largest remainder. Equal powers give the block distribution.
 * @param[in] powers  p of them, each >= 1 @param[out] bounds  p + 1 of them @return
 *    NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_weighted_bounds(int64_t n, const int64_t *powers, int64_t p,
                                          int64_t *bounds, struct nereus_error *err);

/**
 * Thresholds of the cumulated work: process k begins at the share of powers[0] + ... + powers[k -
 * 1].
 * @param[in] total  work in all, >= 0 @param[out] thresholds  p + 1 of them, from 0 to total
 */
void nereus_weighted_thresholds(int64_t total, const int64_t *powers, int64_t p,
                                int64_t *thresholds);

/**
 * Bounds for indices of different weights: bound k is where the cumulated weight is nearest to
 * threshold k (the lower index of two). Each process calls it for its own indices; the bound is the
 * minimum over the processes. Set bounds to n beforehand.
 * @param[in] weights  of the indices of the range, each >= 0
 * @param[in] before   work of all lower indices
 * @param[in,out] bounds  p + 1 of them; those that lie in this part are written
 */
void nereus_weighted_crossings(const int64_t *weights, struct nereus_range range, int64_t before,
                               const int64_t *thresholds, int64_t p, int64_t *bounds);

#endif
