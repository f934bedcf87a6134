/**
 * @file recover.h
 * Recovery of a job without a restart, after processes were lost (nereus-mpiexec --on-failure
 * continue; README.md, "After a loss").
 */
#ifndef NEREUS_SRC_CORE_RECOVER_H
#define NEREUS_SRC_CORE_RECOVER_H

#include "src/job/job.h"

/** Find out, at most every 10 ms, whether a process was lost: a process that calls no MPI function
 * would not learn of it. Called at every point. Local. */
void nereus_recover_poll(nereus_job *job);
/** Continue with the remaining processes, with the data of the newest checkpoint, and with new
 * processes in place of the lost ones. If the job cannot be recovered it ends, and nereus-supervise
 * restarts it.
 * @param[out] action  NEREUS_RESIZED
 * Collective over the remaining processes. */
enum nereus_status nereus_recover(nereus_job *job, enum nereus_action *action,
                                  struct nereus_error *err);

#endif
