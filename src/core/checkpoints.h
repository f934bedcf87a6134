/**
 * @file checkpoints.h
 * When checkpoints are written: at points of an interval, when the program asks for one, and when
 * Slurm's time limit is near.
 */
#ifndef NEREUS_SRC_CORE_CHECKPOINTS_H
#define NEREUS_SRC_CORE_CHECKPOINTS_H

#include "src/job/job.h"

/* Is a checkpoint due, or has one been written while the application computed, and can be made
 * whole? Called at every point. False in all processes but rank 0. */
bool nereus_checkpoint_is_due(nereus_job *job);
/* Tell rank 0, without waiting, that this process has written. Called at every point while a
 * checkpoint is written (job->overlap.writing). */
enum nereus_status nereus_checkpoint_poll(nereus_job *job, struct nereus_error *err);
/* Begin a checkpoint or make it whole, at the point that all have agreed on. A failure is logged,
 * once until a checkpoint succeeds, and the job goes on.
 * @param overlapped  as all have agreed
 * @param goes_on     a request follows at this point, which ends the agreement
 * Collective over control. */
enum nereus_status nereus_checkpoint_at_point(nereus_job *job, bool overlapped, bool goes_on,
                                              struct nereus_error *err);
/* Note, at the first point, that the job has taken all data of the checkpoint that it began from,
 * if any: a loss from here on is not the checkpoint's fault. */
void nereus_checkpoint_was_read(nereus_job *job);
/* Wait for the checkpoint that is written, if any, and make it whole: before data moves, and at the
 * end of the job. Collective over control. */
void nereus_checkpoint_settle(nereus_job *job);
/* Write one now. @return why there is none, the same in all processes. Collective over control. */
enum nereus_status nereus_checkpoint_now(nereus_job *job, struct nereus_error *err);

#endif
