/**
 * @file broker_view.h
 * Makes the state on which the broker decides (nereus/broker.h), from Slurm's queue and the jobs'
 * answers, and prices resizes by the profile of the machine.
 */
#pragma once

#include "nereus/broker.h"
#include "nereus/job_client.h"
#include "nereus/resize_price.h"
#include "predictor/slurm/slurm_queue.h"

/** Is it a running malleable job, whose state the broker needs? */
bool nereus_broker_needs_state(const struct nereus_slurm_queue *queue,
                               const struct nereus_slurm_job *job);

/** Gives the state of such a job; called for each, in the order of the queue.
 * @return false: it does not answer at present */
typedef bool nereus_broker_ask(void *user, const struct nereus_slurm_job *job,
                               struct nereus_job_state *state);

/** A malleable job that answers. */
struct nereus_broker_peer {
    const struct nereus_slurm_job *slurm; /**< its entry in the queue */
    double t_iter_s;                      /**< 0: unknown */
    /** Slurm jobs that were added to it, and that it does not hold */
    int64_t left_over;
};

struct nereus_broker_view {
    const struct nereus_slurm_queue *queue; /**< owned by the caller */
    int64_t *waiting;                       /**< nodes; owned */
    int64_t waiting_count;
    struct nereus_broker_job *jobs;   /**< owned */
    struct nereus_broker_peer *peers; /**< owned; same index as `jobs` */
    int64_t job_count;
    const struct nereus_slurm_job **silent; /**< malleable jobs that do not answer; owned */
    int64_t silent_count;
};

/** Make the view; it has no side effects but those of `ask`. Waiting jobs of all users count, as
 * idle nodes go to them first; so does a malleable job that has not started. Allocations that were
 * added to a job and that it holds are a part of it; where one of them waits, or is left over (a
 * command was killed), the job is busy.
 * @param[out] view  to be ended with nereus_broker_view_fini, before the queue
 * @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_broker_view_make(const struct nereus_slurm_queue *queue,
                                           nereus_broker_ask *ask, void *user,
                                           struct nereus_broker_view *view,
                                           struct nereus_error *err);
void nereus_broker_view_fini(struct nereus_broker_view *view);

/** Prices by a profile. A job grows by one method (NEREUS_SLURM_GROWTH), and shrinks by any. */
struct nereus_broker_prices {
    struct nereus_resize_prices growing, shrinking;
    double bytes_per_process; /**< variable data of a job at its least size; set by the caller */
    /** owned by the caller; gives the machine's nodes, too */
    const struct nereus_broker_view *view;
};

/** @return as nereus_resize_prices_init */
enum nereus_status nereus_broker_prices_init(const struct nereus_profile *profile,
                                             struct nereus_broker_prices *prices,
                                             struct nereus_error *err);
void nereus_broker_prices_fini(struct nereus_broker_prices *prices);

/** A nereus_broker_price; `user` is a struct nereus_broker_prices with a view. A resize that the
 * profile has no price for costs nothing, and the first one is noted. */
double nereus_broker_price_by_profile(void *user, int64_t job, int64_t ns, int64_t nt);

/*
 * Jobs that wait although idle nodes would be enough for them: they request certain nodes, or wait
 * for something else, so that a malleable job that gives up nodes does not help them.
 */

/** Updates in a row after which such a job is left out, as Slurm backfills every half a minute, and
 * after which it counts again. */
enum { NEREUS_WAITING_LOOKS = 6, NEREUS_WAITING_LOOKS_OUT = 60 };

struct nereus_waiting_watch {
    struct nereus_waiting_seen {
        char id[NEREUS_SLURM_ID_MAX];
        int64_t reads; /**< in a row, with nodes enough for it */
    } * seen;          /**< owned */
    int64_t count;
};

/**
 * Set is_left_out of waiting jobs; a job that is left out for the first time is noted.
 * @param[in,out] watch  zero at first; to be ended with nereus_waiting_watch_fini
 * @return NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_waiting_watch_update(struct nereus_waiting_watch *watch,
                                               struct nereus_slurm_queue *queue,
                                               struct nereus_error *err);
void nereus_waiting_watch_fini(struct nereus_waiting_watch *watch);
