/**
 * @file calls.c
 * Records the library call in which this process is, for the watchdog, and finds collective calls
 * on an old MPI_COMM_WORLD (NEREUS_CHECK=1).
 */
#include "calls.h"

#include "src/link/watchdog.h"
#include "src/util/process_settings.h"

/* The job while the program computes; NULL inside a call that may wait. Main thread only. */
static const nereus_job *computing;

void nereus_job_update_watchdog(nereus_job *job)
{
    nereus_watchdog_set_identity(job->watchdog, job->id, job->rank, job->size,
                                 job->reconfigurations, job->leaving);
}

void nereus_call_enter(nereus_job *job, const char *call)
{
    computing = NULL;
    nereus_watchdog_enter(job->watchdog, call);
}

void nereus_call_leave(nereus_job *job)
{
    nereus_job_update_watchdog(job);
    nereus_watchdog_leave(job->watchdog);
    computing = job;
}

/* Do MPI_COMM_WORLD and the job have different processes? */
static bool is_world_old(const nereus_job *job)
{
    int same = MPI_UNEQUAL;
    return job != NULL && job->reconfigurations > 0 && !job->leaving &&
           (PMPI_Comm_compare(MPI_COMM_WORLD, job->app, &same) != MPI_SUCCESS ||
            same == MPI_UNEQUAL);
}

void nereus_check_collective(const char *call)
{
    enum { REPORTED_MAX = 32 };
    static const char *reported[REPORTED_MAX];
    int i = 0, world_rank = 0;
    if (!nereus_process_settings.checks || !is_world_old(computing))
        return;
    while (i < REPORTED_MAX && reported[i] != NULL && strcmp(reported[i], call) != 0)
        i++;
    PMPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    if (i == REPORTED_MAX || reported[i] != NULL || world_rank != 0)
        return;
    reported[i] = call;
    nereus_log("%s on MPI_COMM_WORLD by rank %d after point %lld: after a resize it has not "
               "the processes of the job: use nereus_comm",
               call, computing->rank, (long long)computing->points);
}
