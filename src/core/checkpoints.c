/**
 * @file checkpoints.c
 * Decides when a checkpoint is due, and carries it out at the agreed point.
 */

#include "checkpoints.h"

#include "nereus/checkpoint.h"
#include "src/checkpoint/write.h"
#include "src/job/calls.h"
#include "src/link/supervise_requests.h"
#include "src/link/watchdog.h"
#include "src/util/clock.h"
#include "src/util/loss.h"
#include "src/util/tags.h"
#include "trace.h"

/* Interval while the cost of a checkpoint is unknown, because the first one has failed. */
static const double unknown_cost_s = 60;
/* Least automatic interval, as a multiple of the time to write a checkpoint. Daly's formula does
 * not count the overlapped part of that time; the factor keeps half of the time free of writing. */
static const double least_interval_ratio = 2;
/* Interval between two polls of the connection on which nereus-supervise warns, and between two
 * attempts to open it: without the warning a job reaches its time limit without a checkpoint. */
static const double warning_every_s = 0.1, warning_retry_s = 10;
/* Interval between two polls of MPI, as in the consensus: a poll costs more than reading the
 * clock. */
static const double poll_every_s = 1e-4;

/* Is Slurm's time limit near? Polled seldom, as it costs a system call. */
static bool is_warned(nereus_job *job)
{
    const double now_s = nereus_steady_clock_s();
    if (now_s < job->warning.next_s)
        return job->warning.has_come;
    if (job->warning.connection < 0 && getenv("SLURM_JOB_ID") != NULL)
        job->warning.connection = nereus_supervise_await_warning();
    job->warning.next_s = now_s + (job->warning.connection < 0 ? warning_retry_s : warning_every_s);
    if (job->warning.connection >= 0)
        job->warning.has_come |= nereus_supervise_is_warned(job->warning.connection);
    return job->warning.has_come;
}

bool nereus_checkpoint_is_due(nereus_job *job)
{
    const struct checkpoint_interval *interval = &job->settings.checkpoint;
    double every_s = interval->every_s;
    if (job->rank != 0 || job->settings.checkpoint_folder == NULL)
        return false;
    if (job->overlap.writing != NULL)
        return job->overlap.reports == job->size - 1 && nereus_write_checkpoint_is_done(job);
    if (is_warned(job))
        return true;
    if (every_s <= 0 && !interval->automatic)
        return false;
    if (interval->automatic)
        every_s = interval->cost_s > 0
                      ? nereus_checkpoint_interval_s(interval->cost_s, interval->mtbf_s)
                      : unknown_cost_s;
    if (interval->automatic && every_s < least_interval_ratio * interval->took_s)
        every_s = least_interval_ratio * interval->took_s;
    return nereus_steady_clock_s() >= interval->last_s + every_s;
}

/* ---- overlapped ------------------------------------------------------------------------------ */

/* Rank 0: receive the reports that have arrived.
 * @param wait  until all processes have reported */
static enum nereus_status receive_reports(nereus_job *job, bool wait, struct nereus_error *err)
{
    MPI_Status from;
    for (int arrived = 1; job->overlap.reports < job->size - 1 && (arrived || wait);) {
        NEREUS_MPI(MPI_Iprobe(MPI_ANY_SOURCE, CHECKPOINT_REPORT_TAG, job->control, &arrived, &from),
                   err);
        if (!arrived)
            continue;
        NEREUS_MPI(MPI_Recv(NULL, 0, MPI_BYTE, from.MPI_SOURCE, CHECKPOINT_REPORT_TAG, job->control,
                            MPI_STATUS_IGNORE),
                   err);
        job->overlap.reports++;
    }
    return NEREUS_OK;
}

static enum nereus_status send_report(nereus_job *job, struct nereus_error *err)
{
    job->overlap.reports = 1;
    NEREUS_MPI(MPI_Isend(NULL, 0, MPI_BYTE, 0, CHECKPOINT_REPORT_TAG, job->control,
                         &job->overlap.report_request),
               err);
    return NEREUS_OK;
}

enum nereus_status nereus_checkpoint_poll(nereus_job *job, struct nereus_error *err)
{
    struct overlapped_checkpoint *overlap = &job->overlap;
    if (overlap->reports >= (job->rank == 0 ? job->size - 1 : 1) ||
        !nereus_write_checkpoint_is_done(job))
        return NEREUS_OK;
    if (job->rank != 0)
        return send_report(job, err);
    if (nereus_skewed_monotonic_s() < overlap->next_poll_s)
        return NEREUS_OK;
    overlap->next_poll_s = nereus_skewed_monotonic_s() + poll_every_s;
    return receive_reports(job, false, err);
}

/* All processes have stopped: complete the reports, so that none is pending afterwards. */
static enum nereus_status complete_reports(nereus_job *job, struct nereus_error *err)
{
    if (job->rank == 0)
        return receive_reports(job, true, err);
    if (job->overlap.reports == 0)
        NEREUS_TRY(send_report(job, err));
    NEREUS_MPI(MPI_Wait(&job->overlap.report_request, MPI_STATUS_IGNORE), err);
    return NEREUS_OK;
}

static enum nereus_status begin_overlapped(nereus_job *job, struct nereus_error *verdict,
                                           struct nereus_error *err)
{
    job->overlap.reports = 0;
    job->overlap.next_poll_s = 0;
    return nereus_write_checkpoint_begin(job, verdict, err);
}

static enum nereus_status end_overlapped(nereus_job *job, struct written_checkpoint *checkpoint,
                                         struct nereus_error *verdict, struct nereus_error *err)
{
    nereus_watchdog_step(job->watchdog, "write");
    NEREUS_TRY(complete_reports(job, err));
    return nereus_write_checkpoint_end(job, checkpoint, verdict, err);
}

/* ---- one checkpoint, or its first or second half --------------------------------------------- */

enum part { WHOLE, BEGIN, END };

static enum nereus_status write_checkpoint_part(nereus_job *job, enum part part,
                                                struct written_checkpoint *checkpoint,
                                                struct nereus_error *verdict,
                                                struct nereus_error *err)
{
    const struct checkpoint_cause cause = {.planned_restart = NULL};
    return part == WHOLE   ? nereus_write_checkpoint(job, &cause, checkpoint, verdict, err)
           : part == BEGIN ? begin_overlapped(job, verdict, err)
                           : end_overlapped(job, checkpoint, verdict, err);
}

/* @param call          NULL: the call that the process is in
 * @param[out] verdict  why no checkpoint was written, the same in all processes */
static enum nereus_status write_checkpoint(nereus_job *job, enum part part, const char *call,
                                           struct nereus_error *verdict)
{
    struct written_checkpoint checkpoint;
    struct nereus_error err = {0};
    if (call != NULL)
        nereus_call_enter(job, call);
    if (write_checkpoint_part(job, part, &checkpoint, verdict, &err) != NEREUS_OK) {
        if (nereus_loss_is_noted()) {
            if (call != NULL)
                nereus_call_leave(job);
            *verdict = err; /* the point continues without the lost process */
            return verdict->status;
        }
        nereus_watchdog_explain(job->watchdog, &err); /* the others would wait for this process */
        nereus_abort_job(&err);
    }
    if (call != NULL)
        nereus_call_leave(job);
    if (job->rank == 0 && verdict->status == NEREUS_OK && part != BEGIN) {
        nereus_trace_write_checkpoint(job, &checkpoint);
        nereus_supervise_report_checkpoint(checkpoint.path, true);
        free(job->restart_path);
        job->restart_path = NULL;
    }
    return verdict->status;
}

void nereus_checkpoint_record_read(nereus_job *job)
{
    if (job->restart_path != NULL)
        nereus_supervise_report_checkpoint(job->restart_path, false);
    free(job->restart_path);
    job->restart_path = NULL;
}

/* A checkpoint that the program has not requested: log only the first failure in a row.
 * @return an error only after a loss */
static enum nereus_status write_due_checkpoint(nereus_job *job, enum part part, const char *call,
                                               struct nereus_error *err)
{
    struct nereus_error verdict;
    const bool failed = write_checkpoint(job, part, call, &verdict) != NEREUS_OK;
    if (nereus_loss_is_noted()) {
        *err = verdict;
        return verdict.status;
    }
    if (failed && job->rank == 0 && !job->warned.checkpoint)
        nereus_log("no checkpoint was written, and the job goes on: %s", verdict.text);
    job->warned.checkpoint = failed || (part == BEGIN && job->warned.checkpoint);
    return NEREUS_OK;
}

enum nereus_status nereus_checkpoint_at_point(nereus_job *job, bool overlapped, bool goes_on,
                                              struct nereus_error *err)
{
    const enum part part = job->overlap.writing != NULL ? END
                           : overlapped && !goes_on     ? BEGIN
                                                        : WHOLE;
    NEREUS_TRY(write_due_checkpoint(job, part, "nereus_point", err));
    if (part != END) /* the data of END is older than the warning */
        job->warning.has_come = false;
    if (goes_on)
        return NEREUS_OK;
    NEREUS_TRY(nereus_consensus_end(job, true, err));
    nereus_consensus_begin(job); /* a request that rank 0 has received meanwhile stays pending */
    return NEREUS_OK;
}

void nereus_checkpoint_complete(nereus_job *job)
{
    struct nereus_error err;
    if (job->overlap.writing != NULL && write_due_checkpoint(job, END, NULL, &err) != NEREUS_OK)
        nereus_abort_job(&err); /* no point follows */
    nereus_write_checkpoint_fini(job);
}

enum nereus_status nereus_checkpoint_now(nereus_job *job, struct nereus_error *err)
{
    if (job->overlap.writing != NULL)
        NEREUS_TRY(write_due_checkpoint(job, END, "nereus_checkpoint", err));
    return write_checkpoint(job, WHOLE, "nereus_checkpoint", err);
}
