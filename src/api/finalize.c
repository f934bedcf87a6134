/**
 * @file finalize.c
 * nereus_finalize: ends the job in this process, once its peers no longer need it.
 */
#include "job_lifetime.h"
#include "src/core/async.h"
#include "src/core/checkpoints.h"
#include "src/core/external.h"
#include "src/core/reconfigure.h"
#include "src/core/trace.h"
#include "src/job/calls.h"
#include "src/link/supervise_requests.h"
#include "src/link/watchdog.h"
#include "src/monitor/monitor.h"
#include "src/mpi/mpi_library.h"
#include "src/util/callback.h"
#include "src/util/guard_link.h"
#include "src/util/process_settings.h"

/* Answer requests that will not be carried out. */
static void answer_unstarted_requests(nereus_job *job)
{
    static const char sentence[] = "the application ended first";
    if (job->is_pending) {
        job->requests++;
        job->outcome = NEREUS_OUTCOME_TOO_LATE;
        nereus_trace_write_outcome(job, &job->pending, NEREUS_OUTCOME_TOO_LATE, sentence);
    }
    for (; job->settings.schedule_next < job->settings.schedule_count;
         job->settings.schedule_next++) {
        job->requests++;
        nereus_trace_write_outcome(job, &job->settings.schedule[job->settings.schedule_next],
                                   NEREUS_OUTCOME_TOO_LATE, sentence);
    }
}

/* Rank 0: report the changes of the schedule whose points the application has not reached. */
static void report_late_changes(const nereus_job *job)
{
    const int64_t count = job->settings.schedule_count, late = count - job->settings.schedule_next;
    if (job->rank == 0 && late > 0)
        nereus_log("%lld of %lld change%s of the schedule %s not carried out: the application "
                   "ended first, at point %lld",
                   (long long)late, (long long)count, nereus_plural_s(count),
                   nereus_choose_plural(late, "was", "were"), (long long)job->points);
}

/* NEREUS_CHECK: find ranks that have passed different numbers of points, also in a program that
 * never changes its size. */
static enum nereus_status compare_points(nereus_job *job, struct nereus_error *err)
{
    int64_t own_points[2] = {job->points, -job->points}, most[2];
    if (!nereus_process_settings.checks)
        return NEREUS_OK;
    NEREUS_MPI(MPI_Allreduce(own_points, most, 2, MPI_INT64_T, MPI_MAX, job->control), err);
    if (job->rank == 0 && most[0] != -most[1])
        nereus_log("the ranks have passed different numbers of points, from %lld to %lld: all "
                   "ranks pass the same points",
                   (long long)-most[1], (long long)most[0]);
    return NEREUS_OK;
}

static enum nereus_status end_active(nereus_job *job, struct nereus_error *err)
{
    if (job->under_way != NULL)
        NEREUS_TRY(nereus_async_cancel(job, err));
    nereus_checkpoint_complete(job);
    NEREUS_TRY(nereus_consensus_stop(job, err));
    NEREUS_TRY(compare_points(job, err));
    NEREUS_TRY(nereus_finish_pending(job, true, err));
    NEREUS_TRY(nereus_monitor_flush(job, err));
    nereus_monitor_write_end(job);
    nereus_trace_write_size(job);
    report_late_changes(job);
    answer_unstarted_requests(job);
    nereus_external_end(job);
    return job->rank == 0
               ? nereus_zombies_call(&job->zombies, job->zombies.count, ZOMBIE_END, NULL, 0, err)
               : NEREUS_OK;
}

/* The first process of an initial world that leaves a running job reports that. Zombies woken at
 * the end of the job leave together with all others. */
static bool is_reporting_for_initial_world(const nereus_job *job)
{
    int rank = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return job->world == 0 && rank == 0 && !job->ended_asleep && !job->ends_to_restart;
}

/* Skip MPI's own MPI_Finalize. A barrier over the pool replaces it, as MPI_Finalize waits for all
 * connected processes. */
static void skip_finalize(nereus_job *job)
{
    nereus_skip_finalize(job->pool);
    if (job->control == job->pool)
        job->control = MPI_COMM_NULL;
    job->pool = MPI_COMM_NULL;
}

/* Barrier over all connected processes: a process that ended early would break the connections of
 * the others. The barrier also tells all processes whether any of them cannot call MPI_Finalize:
 * then none calls it. */
static enum nereus_status wait_for_all_at_end(nereus_job *job, struct nereus_error *err)
{
    const int left = job->windows_left && nereus_mpi_is_over_ofi();
    const bool connected = job->leaving || job->reconfigurations > 0 || job->was_connected;
    int own_flags[2] = {left,
                        left || job->has_recovered || (connected && nereus_mpi()->finalize_hangs)};
    int any[2] = {0, 0};
    if (MPI_Allreduce(own_flags, any, 2, MPI_INT, MPI_MAX, job->pool) != MPI_SUCCESS)
        return nereus_fail(err, NEREUS_ERR_MPI, "the meeting at the end of the job failed");
    if (any[0] && job->rank == 0 && !job->leaving)
        nereus_log(
            "MPI is not finalised, as MPI_Finalize would fail: when launched processes were lost "
            "windows stayed "
            "open, which libfabric cannot close any more");
    if (any[1])
        skip_finalize(job);
    return NEREUS_OK;
}

enum nereus_status nereus_finalize(nereus_job **job)
{
    nereus_job *ending = *job;
    struct nereus_error err = {0};
    if (ending == NULL)
        return NEREUS_OK;
    NEREUS_TRY(nereus_callback_check_outside("nereus_finalize", &ending->error));
    *job = NULL;
    nereus_set_job_open(false);
    nereus_call_enter(ending, "nereus_finalize");
    struct nereus_watchdog *watchdog =
        ending->watchdog; /* the watchdog runs also during MPI_Finalize */
    enum nereus_status status = ending->leaving ? NEREUS_OK : end_active(ending, &err);
    if (status != NEREUS_OK) {
        nereus_watchdog_explain(watchdog, &err);
        nereus_abort_job(&err);
    }
    const bool finalises = ending->initialised_mpi;
    if (status == NEREUS_OK)
        status = wait_for_all_at_end(ending, &err);
    if (ending->leaving && is_reporting_for_initial_world(ending))
        nereus_supervise_report_initial_world_left();
    nereus_notify_guard(ending->leaving && !ending->ends_to_restart ? GUARD_LEFT : GUARD_FINISHES);
    if (status != NEREUS_OK) {
        nereus_store_last_error(&err);
        nereus_log("%s", err.text);
    }
    nereus_job_free(ending);
    if (finalises && MPI_Finalize() != MPI_SUCCESS && status == NEREUS_OK)
        status = NEREUS_ERR_MPI;
    nereus_watchdog_end(watchdog);
    return status;
}
