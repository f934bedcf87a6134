/**
 * @file keep.h
 * Distribution keep: the partition that moves least. Processes that stay keep as many elements as
 * balance allows: each range has floor((1 - imbalance) n / nt) to ceil((1 + imbalance) n / nt)
 * elements. Ranges need not be in rank order (2 -> 4 in rank order keeps a quarter, with new
 * processes between old ones a half).
 *
 * Dynamic programming over the bounds. A process keeps elements in one range only, so the state
 * says whether the process whose old range lies across the bound has a range already: (bound k,
 * position y, used or not). With
 *
 *     f_0(0, no) = 0
 *     f_k+1(y) = max over x in [y - most, y - least] of f_k(x) + kept of x .. y - 1
 *
 * the best over all orders and bounds is found; maxima of the window come from monotone queues, so
 * that time is proportional to the cells. It is exact if all positions are tried (nereus_keep.step
 * == 1, .optimal); else bounds move in steps within a band around those of the block distribution,
 * and never less is kept than with block.
 */
#ifndef NEREUS_MODEL_PARTITION_KEEP_H
#define NEREUS_MODEL_PARTITION_KEEP_H

#include "nereus/partition.h"

enum { NEREUS_KEEP_CELLS = 100000 };

struct nereus_keep {
    int64_t kept;
    int64_t min, max;
    int64_t step; /**< distance of tried positions; 1: all */
    bool optimal; /**< no band: with step 1 the result is optimal */
};

/** Default, as a share of n / nt. */
#define NEREUS_IMBALANCE 0.05

void nereus_keep_limits(int64_t n, int64_t nt, double imbalance, int64_t *min, int64_t *max);

/** The targets, and the bounds of their ranges. */
struct nereus_keep_targets {
    int64_t nt;             /**< >= 1 */
    const int64_t *sources; /**< by new rank: rank of that process among the sources; -1: new */
    int64_t min, max;       /**< from nereus_keep_limits */
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
