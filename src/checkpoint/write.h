/** @file write.h  Writes a checkpoint of the job, at once or while the application computes. */
#pragma once

#include "nereus/checkpoint.h"
#include "state_file.h"

/** Description of a written checkpoint, the same in all processes. */
struct written_checkpoint {
    char path[PATH_MAX];
    int64_t bytes;  /* size of all files but the manifest */
    int64_t points; /* points passed when the data was copied or written */
    double took_s;  /* time until the checkpoint was complete */
    double held_s;  /* time for which rank 0 could not compute */
};

/** Reason why a checkpoint is written. Zeroed: as a protection against later failures. */
struct checkpoint_cause {
    const struct nereus_error *failure; /* earlier failure of this process; NULL: none */
    /* restart for which the job ends; NULL: the job continues */
    const struct planned_restart *planned_restart;
};

/** Write a checkpoint into the job's folder. Collective over control; no reconfiguration is under
 * way, nor another checkpoint.
 * @param[out] verdict  OK, or why no checkpoint was written: the same in all processes. Job and
 *                      earlier checkpoint are then unchanged
 * @return an error only if MPI fails */
enum nereus_status nereus_write_checkpoint(nereus_job *job, const struct checkpoint_cause *cause,
                                           struct written_checkpoint *checkpoint,
                                           struct nereus_error *verdict, struct nereus_error *err);

/** Write an overlapped checkpoint: the first call copies the data, and the checkpoint is complete
 * when the second call returns. Both are collective over control. In between job->overlap.writing
 * is set, and data may be registered, but neither moved nor freed. */
enum nereus_status nereus_write_checkpoint_begin(nereus_job *job, struct nereus_error *verdict,
                                                 struct nereus_error *err);
/** Has this process written its data? Called between begin and end. */
bool nereus_write_checkpoint_is_done(const nereus_job *job);
/** Wait for all processes, and complete the checkpoint. */
enum nereus_status nereus_write_checkpoint_end(nereus_job *job,
                                               struct written_checkpoint *checkpoint,
                                               struct nereus_error *verdict,
                                               struct nereus_error *err);
/** Drop a checkpoint that is being written, if any, and leave it incomplete: a process was lost.
 * Local. */
void nereus_write_checkpoint_abandon(nereus_job *job);
/** Free the memory of the copies, after a checkpoint. */
void nereus_write_checkpoint_fini(nereus_job *job);
