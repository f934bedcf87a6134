#include "checkpoints.h"

#include <stdlib.h>

#include "nereus/checkpoint.h"
#include "src/checkpoint/write.h"
#include "src/job/calls.h"
#include "src/link/launch.h"
#include "src/link/watchdog.h"
#include "src/util/clock.h"
#include "src/util/error.h"
#include "trace.h"

/* Interval until the cost of a checkpoint is known, if the first one has failed. */
static const double unknown_cost_s = 60;
/* How often a warning by nereus-supervise is looked for. */
static const double warning_every_s = 0.1;

/* Slurm's time limit is near. Looked at seldom, as it costs a system call. */
static bool is_warned(nereus_job *job)
{
    const double now_s = nereus_wall_clock_s();
    if (!job->warning.is_awaited && getenv("SLURM_JOB_ID") != NULL) {
        job->warning.line = nereus_launch_await_warning();
        job->warning.next_s = now_s;
    }
    job->warning.is_awaited = true;
    if (job->warning.line < 0 || now_s < job->warning.next_s)
        return job->warning.has_come;
    job->warning.next_s = now_s + warning_every_s;
    job->warning.has_come |= nereus_launch_is_warned(job->warning.line);
    return job->warning.has_come;
}

bool nereus_checkpoint_is_due(nereus_job *job)
{
    const struct checkpoint_interval *interval = &job->settings.checkpoint;
    double every_s = interval->every_s;
    if (job->rank != 0 || job->settings.checkpoint_folder == NULL)
        return false;
    if (is_warned(job))
        return true;
    if (every_s <= 0 && !interval->automatic)
        return false;
    if (interval->automatic)
        every_s = interval->cost_s > 0
                      ? nereus_checkpoint_interval_s(interval->cost_s, interval->mtbf_s)
                      : unknown_cost_s;
    return nereus_wall_clock_s() >= interval->last_s + every_s;
}

/* @param[out] verdict  why there is none, the same in all processes */
static enum nereus_status write_one(nereus_job *job, const char *call, struct nereus_error *verdict)
{
    const struct checkpoint_cause cause = {.planned = NULL};
    struct written_checkpoint written;
    struct nereus_error err = {0};
    nereus_call_begins(job, call);
    if (nereus_write_checkpoint(job, &cause, &written, verdict, &err) != NEREUS_OK) {
        nereus_watchdog_explain(job->watchdog, &err); /* the others would wait for this process */
        nereus_abort_job(&err);
    }
    nereus_call_ends(job);
    if (job->rank == 0 && verdict->status == NEREUS_OK) {
        nereus_trace_checkpoint(job, &written);
        nereus_launch_checkpointed(written.path);
        free(job->read);
        job->read = NULL;
    }
    return verdict->status;
}

void nereus_checkpoint_was_read(nereus_job *job)
{
    if (job->read != NULL)
        nereus_launch_checkpointed(job->read);
    free(job->read);
    job->read = NULL;
}

enum nereus_status nereus_checkpoint_at_point(nereus_job *job, bool goes_on,
                                              struct nereus_error *err)
{
    struct nereus_error verdict;
    const bool failed = write_one(job, "nereus_point", &verdict) != NEREUS_OK;
    job->warning.has_come = false;
    if (failed && job->rank == 0 && !job->warned.checkpoint)
        nereus_log("no checkpoint was written, and the job goes on: %s", verdict.text);
    job->warned.checkpoint = failed;
    if (goes_on)
        return NEREUS_OK;
    NEREUS_TRY(nereus_consensus_end(job, true, err));
    nereus_consensus_begin(job); /* a request that rank 0 has got meanwhile stays pending */
    return NEREUS_OK;
}

enum nereus_status nereus_checkpoint_now(nereus_job *job, struct nereus_error *err)
{
    return write_one(job, "nereus_checkpoint", err);
}
