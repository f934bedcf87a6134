/** @file write.h  One checkpoint of the job. */
#ifndef NEREUS_SRC_CHECKPOINT_WRITE_H
#define NEREUS_SRC_CHECKPOINT_WRITE_H

#include <limits.h>

#include "nereus/checkpoint.h"
#include "state_file.h"

/* A written checkpoint, as all processes know it. */
struct written_checkpoint {
    char path[PATH_MAX];
    int64_t bytes;  /* size of all files but the manifest */
    int64_t points; /* the job's points when its data was taken */
    double took_s,
        held_s; /* took_s: until it was whole; held_s: for which rank 0 could not compute */
};

/* Why a checkpoint is written. Zeroed: in case of a later failure. */
struct checkpoint_cause {
    const struct nereus_error *failure;    /* this process' failure before; NULL: none */
    const struct planned_restart *planned; /* the job ends for it; NULL: it goes on */
};

/* Write a checkpoint into the job's folder. Collective over control; no reconfiguration is under
 * way, nor another checkpoint.
 * @param[out] verdict  OK, or why there is none: the same in all processes. The job and the
 *                      checkpoint before are as they were
 * @return an error only if MPI fails */
enum nereus_status nereus_write_checkpoint(nereus_job *job, const struct checkpoint_cause *cause,
                                           struct written_checkpoint *written,
                                           struct nereus_error *verdict, struct nereus_error *err);

/* Write an overlapped checkpoint: the data is taken now, and the checkpoint is whole when the
 * second call returns. Both are collective over control. In between job->overlap.writing is set,
 * and data may be registered, but neither moved nor freed. */
enum nereus_status nereus_write_checkpoint_begin(nereus_job *job, struct nereus_error *verdict,
                                                 struct nereus_error *err);
/* Has this process written? Called between begin and end. */
bool nereus_write_checkpoint_is_done(const nereus_job *job);
/* Wait for all processes, and make the checkpoint whole. */
enum nereus_status nereus_write_checkpoint_end(nereus_job *job, struct written_checkpoint *written,
                                               struct nereus_error *verdict,
                                               struct nereus_error *err);
/* Drop the checkpoint that is written, if any, which stays incomplete: a process was lost. Local. */
void nereus_write_checkpoint_abandon(nereus_job *job);
/* Free the memory of the copies, after a checkpoint. */
void nereus_write_checkpoint_fini(nereus_job *job);
/* Where the program is an interpreter: checkpoints are those of the script, whose path the caller
 * keeps. */
void nereus_set_script(const char *path);
/* Program, library and MPI of this process, for a manifest. */
void nereus_checkpoint_program(struct nereus_checkpoint *checkpoint);

#endif
