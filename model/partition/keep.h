/**
 * @file keep.h
 * The distribution keep: who stays keeps as much of its data as balance allows.
 *
 * A new partition of the same index space for other processes. Each range is at most ceil((1 + imbalance) n / nt) and at least
 * floor((1 - imbalance) n / nt) elements; the ranges need not lie in rank order (in an expansion new processes stand between old ones:
 * in rank order 2 -> 4 keeps a quarter, this way a half).
 *
 * Found by dynamic programming over the bounds from left to right. Who stays can keep elements in one range only, and of all
 * old ranges only the one that lies across a bound matters to what follows: was its process given a range already? So the state is
 * (bound k, position y, used or not), and the best over all orders and all bounds is found at once:
 *
 *     f_0(0, no) = 0
 *     f_k+1(y) = max over x in [y - most, y - least] of f_k(x) + what the chosen process keeps of x .. y - 1
 *
 * where the window's maxima come from monotone queues, so that the time is that of the cells, not of cells times windows. It is exact
 * as long as all positions are looked at (nereus_keep.step == 1, .whole); if they are more than the cells allow, bounds move in
 * steps around those of the block distribution, and no more than a band away from them. Never is less kept than with block.
 */
#ifndef NEREUS_KEEP_H
#define NEREUS_KEEP_H

#include "nereus/partition.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { NEREUS_KEEP_CELLS = 100000 };

/** What was found. */
struct nereus_keep {
    int64_t kept;        /**< elements that stay where they are */
    int64_t least, most; /**< elements of a range: the bounds on imbalance */
    int64_t step;        /**< bounds were tried at every step-th position; 1: at all */
    bool whole; /**< the whole width that balance allows was searched: with step 1 no partition keeps more */
};

/** The default of the bound on imbalance, as a share of n / nt. */
#define NEREUS_IMBALANCE 0.05

/** The least and the most elements of a range (0 <= imbalance). */
void nereus_keep_limits(int64_t n, int64_t nt, double imbalance, int64_t *least, int64_t *most);

/**
 * @param[in] before   the sources' partition @param[in] nt  targets, >= 1
 * @param[in] sources  by new rank: the rank among the sources of the same process, or -1: new
 * @param[in] least, most  from nereus_keep_limits
 * @param[in] cells    most positions to look at, in all; 0: NEREUS_KEEP_CELLS, which take some 10 ms
 * @param[out] after   to be freed with nereus_partition_fini; block where nobody stays
 * @param[out] found   may be NULL
 * @return NEREUS_ERR_ARGUMENT, NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_keep_partition(const struct nereus_partition *before, int64_t nt,
                                         const int64_t *sources, int64_t least, int64_t most, int64_t cells,
                                         struct nereus_partition *after, struct nereus_keep *found,
                                         struct nereus_error *err);

#ifdef __cplusplus
}
#endif
#endif
