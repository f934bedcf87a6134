/**
 * @file keep.h
 * Computes the distribution "keep", the partition that moves least: processes that stay keep as
 * many elements as the balance allows, as each range has floor((1 - imbalance) n / nt) to ceil((1 +
 * imbalance) n / nt) elements. Ranges need not be in rank order: 2 -> 4 in rank order keeps a
 * quarter of the data, with new processes between old ones a half.
 *
 * Dynamic programming over the bounds finds the partition. A process keeps elements in one range
 * only, so the state (bound k, position y, used or not) says whether the process whose old range
 * contains the bound has a range already. The recurrence
 *
 *     f_0(0, no) = 0
 *     f_k+1(y) = max over x in [y - most, y - least] of f_k(x) + kept of x .. y - 1
 *
 * finds the best over all orders and bounds. Maxima of the window come from monotone queues, so
 * that the time is proportional to the cells. It is exact if all positions are tried
 * (nereus_keep.step == 1, .optimal); else bounds move in steps within a band around the bounds of
 * the block distribution, and at least as much is kept as with the block distribution.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/partition.h"

enum { NEREUS_KEEP_CELLS = 100000 };

struct nereus_keep {
    int64_t kept_points;
    int64_t min, max;
    int64_t step; /**< distance between tried positions; 1: all are tried */
    bool optimal; /**< the positions have no band: with step 1 the result is optimal */
};

/** Default of `imbalance`, as a share of n / nt. */
#define NEREUS_IMBALANCE 0.05

/** Set the limits of the elements of a range: n / nt times 1 - imbalance and 1 + imbalance. */
void nereus_keep_find_limits(int64_t n, int64_t nt, double imbalance, int64_t *min, int64_t *max);

/** Targets, and limits of their ranges. */
struct nereus_keep_targets {
    int64_t nt; /**< >= 1 */
    /** indexed by new rank: rank of the process among the sources; -1: new process */
    const int64_t *sources;
    int64_t min, max; /**< from nereus_keep_find_limits */
    /** largest number of positions to try; 0: NEREUS_KEEP_CELLS (about 10 ms) */
    int64_t cells;
};

/** Find the partition.
 * @param[in] old_partition  the sources' partition
 * @param[out] new_partition   to be freed with nereus_partition_fini; the block distribution if no
 * source stays
 * @param[out] found   may be NULL
 * @return NEREUS_ERR_ARGUMENT, NEREUS_ERR_MEMORY */
enum nereus_status nereus_keep_partition(const struct nereus_partition *old_partition,
                                         const struct nereus_keep_targets *targets,
                                         struct nereus_partition *new_partition,
                                         struct nereus_keep *found, struct nereus_error *err);

/** Find the order in which the processes get the boxes of a process grid.
 * @param[in]  old_partition   the sources' partition, of the same grid
 * @param[in]  grid     its process grid is set, for `nt` processes
 * @param[in]  targets  without limits
 * @param[out] new_partition    to be freed with nereus_partition_fini
 * @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_keep_grid(const struct nereus_partition *old_partition,
                                    const struct nereus_grid *grid,
                                    const struct nereus_keep_targets *targets,
                                    struct nereus_partition *new_partition,
                                    struct nereus_error *err);
