/** @file bounds.h  Computes the bounds of partitions after a reconfiguration. */
#pragma once

#include "src/steps/reconfiguration.h"

/** Is more than the block formula needed (another distribution, or derived bounds)? */
bool nereus_bounds_are_needed(const struct nereus_request *request);

/** Set the partitions of reconfig->record, the same in all sources, from local numbers (weights,
 * powers, non-zeros, bytes) and from the root's search (minimal moves). Needs reconfig->plan at the
 * root. Collective over control. reconfig->failure: this process' failure, from before or here, to
 * be agreed on with the plan. reconfig->verdict: why the request is impossible; the same in all
 * processes. */
enum nereus_status nereus_bounds_compute(struct reconfiguration *reconfig,
                                         struct nereus_error *err);

/** Update the bounds after the application has run since the decision: the sizes of custom data
 * that are packed later (nereus_must_query_size_again) are queried again, and swaps compared. A
 * failure is left in reconfig->failure. Collective over control. */
enum nereus_status nereus_bounds_recompute(struct reconfiguration *reconfig,
                                           struct nereus_error *err);

/** Does the partition have bounds of its own? Other bounds are derived from a parent partition, or
 * are those of a grid, which is always cut evenly. */
static inline bool nereus_has_own_bounds(const struct nereus_data_partition *partition)
{
    return partition->parent == 0 && !nereus_partition_is_grid(&partition->old_ranges);
}

/* ---- its parts; each is collective over control, and all their memory is there --------------- */

/** Input, result and scratch memory of the computation of bounds. */
struct bounds_work {
    nereus_job *job;
    struct nereus_request *request;
    const struct nereus_plan *plan; /**< root; at an update, all processes */
    bool again;                     /**< update: only data of nereus_must_query_size_again */
    int64_t *sources;               /**< root: source rank of each target, or -1; nt entries */
    int64_t *numbers;               /**< scratch memory for any of the computations */
    int64_t *rows;                  /**< root: gathered and scattered rows; ns * (1 + partitions) */
    /** Weights of own elements; as long as the largest own part of any partition */
    int64_t *weights;
    double *powers;        /**< root: power of each target; nt entries */
    double *slowest_after; /**< set by the root for load balance; NULL: not needed */
};

/** bounds_weighted.c. Weights of own elements, checked to be valid. */
enum nereus_status nereus_bounds_weigh(const struct bounds_work *work, int64_t partition,
                                       int64_t *total, struct nereus_error *failure);
/** Sum of own weights over weighted partitions, or over all if none is weighted. work->weights: as
 * long as the largest own part. */
enum nereus_status nereus_bounds_own_work(const struct bounds_work *work, int64_t *total,
                                          struct nereus_error *failure);
/** Bounds by weights and computing power (bounds_weighted.c). Collective over control. */
enum nereus_status nereus_bounds_weighted(const struct bounds_work *work,
                                          struct nereus_error *failure, struct nereus_error *err);
/** bounds_derived.c */
/** Store bounds and an order (NULL: rank order), as a block partition if they equal one. */
enum nereus_status nereus_bounds_store(int64_t n, int64_t processes, const int64_t *bounds,
                                       const int64_t *order, struct nereus_partition *partition,
                                       struct nereus_error *err);
/** Bounds that follow from others (bounds_derived.c). Collective over control. */
enum nereus_status nereus_bounds_derive(const struct bounds_work *work,
                                        struct nereus_error *verdict, struct nereus_error *failure,
                                        struct nereus_error *err);
