/**
 * @file time_limit.h
 * Handles Slurm's signal before its time limit (#SBATCH --signal=USR1@60, also B:USR1@60): the job
 * writes a checkpoint at its next point, and is ended to be queued again. If that checkpoint is not
 * complete shortly before the limit, the job continues from an older one that it has written since
 * it was started. A job without any checkpoint runs to its limit: from its beginning it would reach
 * the same limit again.
 */
#pragma once

#include "supervisor.h"

struct time_limit {
    bool is_near;                /* the signal was received */
    bool is_over;                /* all was done */
    bool ends_job;               /* the job ends to be queued again */
    int64_t earlier_checkpoints; /* number of checkpoints written before the signal */
    double deadline_s;           /* of the checkpoint; 0: none */
};

/** Act on the signal, on a checkpoint, or on the end of the time for it. */
void time_limit_handle(struct time_limit *limit, struct supervisor *supervisor);
