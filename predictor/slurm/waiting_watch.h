/**
 * @file waiting_watch.h
 * Finds jobs that wait although idle nodes would be enough for them: they request certain nodes, or
 * wait for something else, so that a malleable job that gives up nodes does not help them.
 */
#pragma once

#include "slurm_queue.h"

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
