/* When checkpoints are written: at points of an interval, when the program asks for one, and when
 * Slurm's time limit is near. */
#ifndef NEREUS_SRC_CHECKPOINTS_H
#define NEREUS_SRC_CHECKPOINTS_H

#include "src/job/job.h"

/* At every point: is one due? False in all processes but rank 0. */
bool nereus_checkpoint_is_due(nereus_job *job);
/* At the point that all have agreed on. A failure is logged, once until one succeeds, and the job
 * goes on.
 * @param goes_on  a request follows at this point, which ends the agreement
 * Collective over control. */
enum nereus_status nereus_checkpoint_at_point(nereus_job *job, bool goes_on,
                                              struct nereus_error *err);
/* At the first point: the job has taken all data of the checkpoint that it began from, if any, so
 * that a loss from here on is not the checkpoint's fault. */
void nereus_checkpoint_was_read(nereus_job *job);
/* Write one now. @return why there is none, the same in all processes. Collective over control. */
enum nereus_status nereus_checkpoint_now(nereus_job *job, struct nereus_error *err);

#endif
