/**
 * @file time_limit.h
 * Slurm's signal before its time limit (#SBATCH --signal=USR1@60, also B:USR1@60): the job writes a
 * checkpoint at its next point, and is ended to be queued again. Where none is whole shortly before
 * the limit, it goes on from an older one that it has written since it was started; without one it
 * runs to its limit, as it would come as far again and no further.
 */
#ifndef NEREUS_SRC_SUPERVISE_TIME_LIMIT_H
#define NEREUS_SRC_SUPERVISE_TIME_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "supervisor.h"

struct time_limit {
    bool is_near;   /* the signal has come */
    bool is_over;   /* nothing is left to be done */
    bool ends_job;  /* the job ends to be queued again */
    int64_t before; /* checkpoints written when it came */
    double until_s; /* time limit for the checkpoint; 0: none */
};

/* Act on the signal, on a checkpoint, or on the end of the time for it. */
void time_limit_act(struct time_limit *limit, struct supervisor *supervisor);

#endif
