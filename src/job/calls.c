/* Calls that may wait: see calls.h. */
#include "calls.h"

#include "src/link/watchdog.h"

void nereus_job_is_known(nereus_job *job)
{
    nereus_watchdog_know(job->watchdog, job->id, job->rank, job->size, job->reconfigurations,
                         job->leaving);
}

void nereus_call_begins(nereus_job *job, const char *call)
{
    nereus_watchdog_enter(job->watchdog, call);
}

void nereus_call_ends(nereus_job *job)
{
    nereus_job_is_known(job);
    nereus_watchdog_leave(job->watchdog);
}
