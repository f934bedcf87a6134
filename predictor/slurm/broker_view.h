/**
 * @file broker_view.h
 * What the broker decides on (nereus/broker.h), from Slurm's queue and what the jobs say, and what
 * a resize of one costs by the profile of the machine.
 */
#ifndef NEREUS_PREDICTOR_SLURM_BROKER_VIEW_H
#define NEREUS_PREDICTOR_SLURM_BROKER_VIEW_H

#include "nereus/broker.h"
#include "nereus/job_client.h"
#include "nereus/resize_price.h"
#include "predictor/slurm/slurm_queue.h"

/** What a job says about itself. @return false: it does not answer (now) */
typedef bool nereus_broker_ask(void *user, const struct nereus_slurm_job *job,
                               struct nereus_job_state *state);

/** A malleable job that answers. */
struct nereus_broker_peer {
    const struct nereus_slurm_job *slurm; /**< in the queue */
    double t_iter_s;                      /**< 0: unknown */
};

struct nereus_broker_view {
    const struct nereus_slurm_queue *queue; /**< the caller's */
    int64_t *waiting;                       /**< nodes; owned */
    int64_t waiting_count;
    struct nereus_broker_job *jobs;   /**< owned */
    struct nereus_broker_peer *peers; /**< of the jobs, by the same index; owned */
    int64_t job_count;
};

/**
 * Pure but for `ask`. Waiting jobs of all users count, as idle nodes go to them first; so does a
 * malleable job that has not started. Allocations that were added to a job are a part of it; where
 * one of them waits, the job is busy.
 * @param[out] view  to be ended with nereus_broker_view_fini, before the queue
 * @return NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_broker_view_make(const struct nereus_slurm_queue *queue,
                                           nereus_broker_ask *ask, void *user,
                                           struct nereus_broker_view *view,
                                           struct nereus_error *err);
void nereus_broker_view_fini(struct nereus_broker_view *view);

/** Of a profile. A job grows by one method (NEREUS_SLURM_GROWTH), and shrinks by any. */
struct nereus_broker_prices {
    struct nereus_resize_prices growing, shrinking;
    double bytes_per_process; /**< variable data of a job at its least size; the caller's */
    const struct nereus_broker_view *view; /**< the caller's; sets the machine's nodes, too */
};

/** @return as nereus_resize_prices_init */
enum nereus_status nereus_broker_prices_init(const struct nereus_profile *profile,
                                             struct nereus_broker_prices *prices,
                                             struct nereus_error *err);
void nereus_broker_prices_fini(struct nereus_broker_prices *prices);

/** A nereus_broker_price; `user` is a struct nereus_broker_prices with a view. A resize that the
 * profile has no price for costs nothing, and the first one is noted. */
double nereus_broker_price_by_profile(void *user, int64_t job, int64_t ns, int64_t nt);

#endif
