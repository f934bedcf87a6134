/**
 * @file query.c
 * Queries of a job: rank, size, points, metrics, and what this process has received.
 */
#include "src/checkpoint/restart.h"
#include "src/job/job.h"
#include "src/monitor/monitor.h"
#include "src/util/guard_link.h"

bool nereus_will_join(void)
{
    /* a guard runs over every process that a reconfiguration starts */
    return nereus_has_guard() || nereus_is_restart();
}

bool nereus_is_joined(const nereus_job *job)
{
    return job->joined;
}

bool nereus_is_received(const nereus_job *job, int id)
{
    return id >= 0 && id < job->registry.count && job->registry.data[id].received;
}

MPI_Comm nereus_comm(const nereus_job *job)
{
    return job->app;
}

int nereus_rank(const nereus_job *job)
{
    return job->rank;
}

int nereus_size(const nereus_job *job)
{
    return job->size;
}

int64_t nereus_points(const nereus_job *job)
{
    return job->points;
}

int64_t nereus_reconfigurations(const nereus_job *job)
{
    return job->reconfigurations;
}

int64_t nereus_restarts(const nereus_job *job)
{
    return job->restarts;
}

const void *nereus_user_state(const nereus_job *job, size_t *bytes)
{
    if (bytes != NULL)
        *bytes = (size_t)job->settings.user_state_bytes;
    return job->settings.user_state;
}

enum nereus_status nereus_metrics(const nereus_job *job, int rank, struct nereus_metrics *metrics)
{
    return nereus_monitor_metrics(job, rank, metrics);
}

enum nereus_outcome nereus_last_outcome(const nereus_job *job, const char **sentence)
{
    if (sentence != NULL)
        *sentence = job->outcome_error.text;
    return job->outcome;
}
