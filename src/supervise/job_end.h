/**
 * @file job_end.h
 * Why the job ends, and with which status: the supervisor is `broken` with the first sentence, and
 * reports count until then. A loss of launched processes may be the reason of what follows it.
 */
#ifndef NEREUS_SRC_SUPERVISE_JOB_END_H
#define NEREUS_SRC_SUPERVISE_JOB_END_H

#include "supervisor.h"

/* Reports after the job is being ended do not count, as its processes are killed then. */
void job_end_report(struct supervisor *supervisor, char kind, int status);
/* The job is broken, and the first sentence counts. */
void job_end_with(struct supervisor *supervisor, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A launched world has failed. */
void job_end_by_group(struct supervisor *supervisor, const struct group *group, const char *when);
/* New processes were lost before they were part of the job. */
void job_end_remember_loss(struct supervisor *supervisor, const char *sentence);
/* A process has ended with a status (as in a shell), or a loss was found (status 0). The first one
 * breaks the job. */
void job_end_note(struct supervisor *supervisor, bool by_program, int status);
/* A process that the job needs has ended with this status, as in a shell. It is broken, unless the
 * others may go on without it. */
void job_end_lose(struct supervisor *supervisor, int status, const char *sentence);
/* If a process was lost, and the others have not gone on, the job is broken.
 * @param why  NULL: their time is over */
void job_end_unrecovered(struct supervisor *supervisor, const char *why);
/* REQUEST_END_JOB */
void job_end_asked_for(struct supervisor *supervisor, char *line);
/* REQUEST_ABORTED */
void job_end_aborted(struct supervisor *supervisor, char *line);
/* If launched processes are joining, or the job has not recovered from the loss of some, MPI may
 * have ended this process for that reason. */
bool job_end_explain_by_launched(struct supervisor *supervisor, const char *how);
/* An initial program cannot be started. */
void job_end_not_started(struct supervisor *supervisor, int status, const char *who,
                         const char *missing);
/* mpiexec should end by itself: it ends with a lost proxy, and its other proxies with it, but goes
 * on waiting if it has spawned processes; or it has killed guards at its end, and processes of
 * other launchers go on waiting. Hence the time limit. */
void job_end_await_launcher(struct supervisor *supervisor, double limit_s, const char *sentence);

#endif
