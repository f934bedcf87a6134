/* The bounds of partitions after a reconfiguration. Private to src/. */
#ifndef NEREUS_BOUNDS_H
#define NEREUS_BOUNDS_H

#include "src/steps/reconfiguration.h"

/* Does it need more than the block formula: another distribution, or data with derived bounds? */
bool nereus_bounds_needed(const struct nereus_request *request);

/*
 * Set the partitions of rc->record, in all sources the same: with numbers of all (weights, powers,
 * non-zeros, bytes), and with what the root finds (minimal moves). Needs rc->plan at the root.
 * Collective over control. rc->failure: what this process fails at, before and here, to be agreed
 * on with the plan. rc->verdict: why it cannot be; the same everywhere.
 */
enum nereus_status nereus_bounds_settle(struct reconfiguration *rc, struct nereus_error *err);

/*
 * The same for what moves after the application has gone on since: the bytes of custom data that
 * are packed then (nereus_is_measured_again) are asked anew, and swaps compared. A failure is left
 * in rc->failure. Collective over control.
 */
enum nereus_status nereus_bounds_settle_again(struct reconfiguration *rc, struct nereus_error *err);

/* ---- its parts; each is collective over control, and all their memory is there --------------- */

struct bounds_work {
    nereus_job *job;
    struct nereus_request *request;
    const struct nereus_plan *plan; /* root; where it is done again, all */
    bool again;                     /* only what nereus_is_measured_again */
    int64_t *sources;               /* root: by target, the source that it is, or -1; nt */
    int64_t *numbers;               /* enough for any part: see bounds.c */
    /* root: what is gathered and scattered; ns * (1 + partitions) */
    int64_t *rows;
    /* Of this process' elements, as many as it has of any partition */
    int64_t *weights;
    double *powers;        /* root: by target; nt */
    double *slowest_after; /* root sets it, for load balance; NULL: not wanted */
};

/* bounds_weighted.c. Weights of own elements; checked. */
enum nereus_status nereus_bounds_weigh(const struct bounds_work *work, int64_t partition,
                                       int64_t *total, struct nereus_error *failure);
/* Work of own elements: those of weighted partitions, or all where none is weighted.
 * work->weights: as many as the largest own part has. */
enum nereus_status nereus_bounds_own_work(const struct bounds_work *work, int64_t *total,
                                          struct nereus_error *failure);
enum nereus_status nereus_bounds_weighted(const struct bounds_work *work,
                                          struct nereus_error *failure, struct nereus_error *err);
/* bounds_derived.c */
/* From bounds and an order, which may be NULL: a block partition, if they are that. */
enum nereus_status nereus_bounds_take(int64_t n, int64_t processes, const int64_t *bounds,
                                      const int64_t *order, struct nereus_partition *partition,
                                      struct nereus_error *err);
enum nereus_status nereus_bounds_derive(const struct bounds_work *work,
                                        struct nereus_error *verdict, struct nereus_error *failure,
                                        struct nereus_error *err);

#endif
