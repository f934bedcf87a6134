/**
 * @file keep.h
 * The distribution keep: the partition that moves least. Processes that stay keep as much of their
 * data as balance allows.
 *
 * A new partition of the same index space for other processes. Each range is at most ceil((1 +
 * imbalance) n / nt) and at least floor((1 - imbalance) n / nt) elements; the ranges need not lie
 * in rank order (in an expansion new processes stand between old ones: in rank order 2 -> 4 keeps a
 * quarter, this way a half).
 *
 * Dynamic programming over the bounds from left to right. A process can keep elements in one range
 * only, so the state has to say whether the process whose old range lies across the bound has a
 * range already: (bound k, position y, used or not). The best over all orders and all bounds is
 * found at once:
 *
 *     f_0(0, no) = 0
 *     f_k+1(y) = max over x in [y - most, y - least] of f_k(x) + kept of x .. y - 1
 *
 * The maxima of the window come from monotone queues: time in proportion to the cells, not to cells
 * times window. Exact if all positions are tried (nereus_keep.step == 1, .whole); if these are more
 * than the cells allow, bounds move in steps around those of the block distribution, within a band.
 * Never less is kept than with block.
 */
#ifndef NEREUS_KEEP_H
#define NEREUS_KEEP_H

#include "nereus/partition.h"

enum { NEREUS_KEEP_CELLS = 100000 };

/** The result. */
struct nereus_keep {
    int64_t kept;        /**< elements that stay where they are */
    int64_t least, most; /**< elements of a range: the bounds on imbalance */
    int64_t step;        /**< distance of the positions that bounds were tried at; 1: all */
    bool whole; /**< all that balance allows was searched: with step 1 the result is optimal */
};

/** The default of the bound on imbalance, as a share of n / nt. */
#define NEREUS_IMBALANCE 0.05

void nereus_keep_limits(int64_t n, int64_t nt, double imbalance, int64_t *least, int64_t *most);

/** The targets, and the bounds of their ranges. */
struct nereus_keep_targets {
    int64_t nt;             /**< >= 1 */
    const int64_t *sources; /**< by new rank: rank of that process among the sources; -1: new */
    int64_t least, most;    /**< from nereus_keep_limits */
    int64_t cells; /**< most positions to try; 0: NEREUS_KEEP_CELLS, which take some 10 ms */
};

/**
 * @param[in] before   the sources' partition
 * @param[out] after   to be freed with nereus_partition_fini; block if no source stays
 * @param[out] found   may be NULL
 * @return NEREUS_ERR_ARGUMENT, NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_keep_partition(const struct nereus_partition *before,
                                         const struct nereus_keep_targets *targets,
                                         struct nereus_partition *after, struct nereus_keep *found,
                                         struct nereus_error *err);

#endif
