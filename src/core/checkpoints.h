/**
 * @file checkpoints.h
 * Decides when checkpoints are written: at points of an interval, when the program requests one,
 * and when Slurm's time limit is near.
 */
#pragma once

#include "src/job/job.h"

/** Is a checkpoint due, or can a checkpoint that was written while the application computed be
 * completed? Called at every point. False in all processes but rank 0. */
bool nereus_checkpoint_is_due(nereus_job *job);
/** Tell rank 0, without waiting, that this process has written its part. Called at every point
 * while a checkpoint is written (job->overlap.writing). */
enum nereus_status nereus_checkpoint_poll(nereus_job *job, struct nereus_error *err);
/** Begin or complete a checkpoint, at the point that all have agreed on. A failure is logged, once
 * until a checkpoint succeeds, and the job continues.
 * @param overlapped  write while the application computes; the same in all processes
 * @param goes_on     a request follows at this point, which ends the agreement
 * Collective over control. */
enum nereus_status nereus_checkpoint_at_point(nereus_job *job, bool overlapped, bool goes_on,
                                              struct nereus_error *err);
/** Note, at the first point, that the job has read all data of the checkpoint from which it began,
 * if any: the checkpoint is not the reason of a later loss. */
void nereus_checkpoint_record_read(nereus_job *job);
/** Wait until a checkpoint that is being written is complete, if there is one: before data moves,
 * and at the end of the job. Collective over control. */
void nereus_checkpoint_complete(nereus_job *job);
/** Write a checkpoint now.
 * @return why none was written, the same in all processes. Collective over control. */
enum nereus_status nereus_checkpoint_now(nereus_job *job, struct nereus_error *err);
