/**
 * @file recover.h
 * Goes on from a checkpoint: in the processes that a loss has left (recover.c; nereus-mpiexec
 * --on-failure continue, README.md, "After a loss"), and in a restarted job (restarted.c).
 */
#pragma once

#include "src/checkpoint/restart.h"

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

/** Complete a restart whose data has been read, when the job is ready: report the restart, call
 * options.after, and complete the reconfiguration if the restart carries out one. Collective over
 * control. */
enum nereus_status nereus_restarted_complete(nereus_job *job, struct restart_result *restart,
                                             struct nereus_error *err);
