/**
 * @file point.c
 * nereus_point: the fast path is one comparison and one test of pending messages; rare cases are in
 * separate functions.
 */
#include "data.h"
#include "requests.h"
#include "src/core/async.h"
#include "src/core/balance.h"
#include "src/core/checkpoints.h"
#include "src/core/external.h"
#include "src/core/model_choice.h"
#include "src/core/policy_module.h"
#include "src/core/reconfigure.h"
#include "src/core/recover.h"
#include "src/core/trace.h"
#include "src/link/watchdog.h"
#include "src/monitor/monitor.h"
#include "src/util/loss.h"

/* Carry out a run-time request: all processes have agreed on this point, and rank 0 knows the
 * request. */
static enum nereus_status carry_out_pending(nereus_job *job, enum nereus_action *action,
                                            struct nereus_error *err)
{
    const struct resize_request request = job->pending;
    job->is_pending = false; /* further requests are accepted again */
    return nereus_reconfigure(job, &request, action, err);
}

/* Carry out the actions at the point on which all processes have agreed. */
static enum nereus_status carry_out_agreed(nereus_job *job, unsigned due,
                                           enum nereus_action *action, struct nereus_error *err)
{
    const bool resizes = (due & CONSENSUS_REQUEST) != 0;
    if (due & CONSENSUS_CHECKPOINT)
        NEREUS_TRY(
            nereus_checkpoint_at_point(job, (due & CONSENSUS_OVERLAPPED) != 0, resizes, err));
    return resizes ? carry_out_pending(job, action, err) : NEREUS_OK;
}

/* Rank 0: find the actions for which all processes must stop at one point. Rank 0 decides whether a
 * checkpoint is overlapped, as the environment of others may differ. */
static unsigned find_actions_due(nereus_job *job)
{
    const unsigned overlapped = job->settings.checkpoint.overlapped ? CONSENSUS_OVERLAPPED : 0u;
    return (job->is_pending ? CONSENSUS_REQUEST : 0u) |
           (nereus_checkpoint_is_due(job) ? CONSENSUS_CHECKPOINT | overlapped : 0u);
}

static enum nereus_status carry_out_schedule(nereus_job *job, enum nereus_action *action,
                                             struct nereus_error *err)
{
    const struct resize_request request = job->settings.schedule[job->settings.schedule_next];
    job->settings.schedule_next++; /* before the settings are sent to new processes */
    return nereus_reconfigure(job, &request, action, err);
}

/* Rare events, kept out of the fast path: first point of a process, after its last one, after a
 * change of size, and monitoring. */
static enum nereus_status handle_rare_events(nereus_job *job, enum nereus_action *action)
{
    if (job->leaving) {
        *action = NEREUS_LEAVE;
        return nereus_fail(&job->error, NEREUS_ERR_STATE,
                           "this process has left the job: it must end, not compute on");
    }
    if (job->at_start) {
        job->at_start = false;
        nereus_model_choice_start_timing(job, job->points + 1); /* the first iteration is over */
        nereus_policy_module_begin(job);
        nereus_report_unclaimed(job);
        nereus_checkpoint_record_read(job);
    }
    nereus_trace_record_point(job);
    if (job->recovers)
        nereus_recover_poll(job);
    NEREUS_TRY(nereus_finish_pending(job, false, &job->error));
    return job->monitored ? nereus_monitor_point(job, job->points + 1, &job->error) : NEREUS_OK;
}

/* Rank 0: turn the policy's decision into a request like the application's own. */
static void query_policy(nereus_job *job)
{
    struct policy_layout layout;
    const int64_t nt = nereus_policy_module_query(job, &layout);
    if (nt == 0)
        return;
    if (!nereus_sizes_allow(&job->settings.sizes, nt))
        nereus_log(
            "the policy's request for %lld process%s is refused: the program declares that it "
            "cannot take this size",
            (long long)nt, nereus_plural_es(nt));
    else if ((layout.count > 0
                  ? nereus_request_layout(job, layout.nodes, layout.processes, layout.count, NULL)
                  : nereus_request_size(job, nt, NULL)) != NEREUS_OK)
        nereus_log("the policy's request for %lld process%s is refused: %s", (long long)nt,
                   nereus_plural_es(nt), job->error.text);
    else if (layout.weighted && job->settings.default_is_auto)
        job->pending.method.distribution = NEREUS_WEIGHTED;
}

static enum nereus_status count_point(nereus_job *job, enum nereus_action *action)
{
    unsigned due;
    if (job->leaving || job->at_start || job->monitored || job->unfinished || job->recovers)
        NEREUS_TRY(handle_rare_events(job, action));
    /* Atomic: the watchdog reads the counter while the program computes. */
    __atomic_store_n(&job->points, job->points + 1, __ATOMIC_RELAXED);
    nereus_watchdog_count(job->watchdog, job->points);
    if (job->under_way != NULL) /* further requests wait */
        return nereus_async_test(job, action, &job->error);
    if (job->asks_policy)
        query_policy(job);
    if (job->settings.schedule_next < job->settings.schedule_count &&
        job->settings.schedule[job->settings.schedule_next].point <= job->points)
        return carry_out_schedule(job, action, &job->error);
    if (__atomic_load_n(&job->has_external_request, __ATOMIC_ACQUIRE))
        nereus_external_make_pending(job);
    if (job->overlap.writing != NULL)
        NEREUS_TRY(nereus_checkpoint_poll(job, &job->error));
    NEREUS_TRY(nereus_consensus_test(job, find_actions_due(job), 1, &due, &job->error));
    return due != 0 ? carry_out_agreed(job, due, action, &job->error) : NEREUS_OK;
}

/* If the weights cannot be determined, the program continues as without NEREUS_BALANCE. */
static void turn_balance_off(nereus_job *job)
{
    if (job->rank == 0)
        nereus_log("load is not balanced any more: %s", job->error.text);
    job->settings.balance_every = 0;
}

static enum nereus_status balance_at_point(nereus_job *job, enum nereus_action *action)
{
    const int64_t every = job->settings.balance_every;
    struct balance_settings settings = {NEREUS_BALANCE_THRESHOLD, 0, {0}};
    if (every == 0 || job->points % every != 0 || job->under_way != NULL)
        return NEREUS_OK;
    NEREUS_TRY(nereus_method_parse(NEREUS_DEFAULT_BALANCE, &settings.method, &job->error));
    const enum nereus_status status = nereus_balance_load(job, &settings, action, &job->error);
    if (status != NEREUS_ERR_STATE && status != NEREUS_ERR_ARGUMENT)
        return status;
    turn_balance_off(job);
    return NEREUS_OK;
}

enum nereus_status nereus_point(nereus_job *job, enum nereus_action *action)
{
    *action = NEREUS_CONTINUE;
    NEREUS_TRY(nereus_callback_check_outside("nereus_point", &job->error));
    const enum nereus_status status = count_point(job, action);
    if (job->recovers && !job->leaving && nereus_loss_is_noted())
        return nereus_recover(job, action, &job->error);
    NEREUS_TRY(status);
    /* NEREUS_BALANCE turns monitoring on, because it needs the measured times */
    return job->monitored && *action == NEREUS_CONTINUE ? balance_at_point(job, action) : NEREUS_OK;
}
