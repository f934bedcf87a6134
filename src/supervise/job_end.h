/**
 * @file job_end.h
 * Notes why the job ends, and with which status, in `supervisor->end`. The first reason sets
 * `broken` and the sentence; later reports are ignored. If launched processes were lost shortly
 * before, that loss is given as the reason.
 */
#pragma once

#include "supervisor.h"

/** Take a guard's report of an end. Ignored once the job is being ended, because its processes are
 * killed then. */
void job_end_handle_report(struct supervisor *supervisor, char kind, int status);
/** Set the job broken. The first sentence is kept. */
void job_end_set_broken(struct supervisor *supervisor, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/** A launched world has failed. */
void job_end_by_group(struct supervisor *supervisor, const struct group *group, const char *when);
/** New processes were lost before they were part of the job. */
void job_end_store_loss(struct supervisor *supervisor, const char *sentence);
/** Note that a process has ended with a status (as in a shell), or that a loss was found (status
 * 0). The first note decides who has caused the end: the program or a loss. */
void job_end_record(struct supervisor *supervisor, bool by_program, int status);
/** A process that the job needs has ended with this status, as in a shell. Set the job broken,
 * unless the others may continue without that process. */
void job_end_handle_loss(struct supervisor *supervisor, int status, const char *sentence);
/** If a process was lost, and the others have not recovered, set the job broken.
 * @param why  NULL: the time limit of the recovery has passed */
void job_end_fail_recovery(struct supervisor *supervisor, const char *why);
/** REQUEST_END_JOB */
void job_end_handle_request(struct supervisor *supervisor, char *line);
/** REQUEST_ABORTED */
void job_end_handle_abort(struct supervisor *supervisor, char *line);
/** If launched processes are joining, or some were lost and the job has not recovered, MPI may have
 * ended this process for that reason: report that. */
bool job_end_explain_by_launched(struct supervisor *supervisor, const char *how);
/** A program cannot be started: end the job with this status.
 * @param who      beginning of the message
 * @param missing  "NAME: REASON" */
void job_end_fail_start(struct supervisor *supervisor, int status, const char *who,
                        const char *missing);
/** Wait some time for mpiexec to end by itself, then set the job broken. mpiexec ends when it has
 * lost a proxy, unless it has spawned processes; and when it has killed guards at its end,
 * processes of other launchers still wait. */
void job_end_await_launcher(struct supervisor *supervisor, double limit_s, const char *sentence);
