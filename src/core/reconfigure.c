/**
 * @file reconfigure.c
 * Carries out the synchronous part of every reconfiguration: decide, plan, then execute at once or
 * begin asynchronously.
 */

#include "reconfigure.h"

#include "async.h"
#include "checkpoints.h"
#include "external.h"
#include "model_choice.h"
#include "src/job/calls.h"
#include "src/job/machine.h"
#include "src/link/watchdog.h"
#include "src/monitor/monitor.h"
#include "src/steps/execute.h"
#include "src/util/clock.h"
#include "src/util/fault.h"
#include "trace.h"

/* Determine this process' role. */
static enum nereus_status prepare_reconfiguration(struct reconfiguration *reconfig,
                                                  double decided_s, struct nereus_error *err)
{
    nereus_job *job = reconfig->job;
    const struct nereus_stamp decided = {decided_s, nereus_skewed_monotonic_s(), true};
    NEREUS_TRY(nereus_reconfig_make_plan(reconfig, NEREUS_STAYING, job->rank, -1, err));
    reconfig->role = nereus_plan_source_role(&reconfig->plan, job->rank);
    reconfig->target_rank = (int)nereus_plan_new_rank(&reconfig->plan, job->rank);
    if (nereus_fault_applies(NEREUS_FAULT_PARTITIONS, job->rank))
        nereus_fail(&reconfig->failure, NEREUS_ERR_MEMORY, "no memory for the bounds of the data");
    if (reconfig->failure.status == NEREUS_OK)
        nereus_spaces_set(&job->registry, &reconfig->record, job->rank, &reconfig->failure);
    job->times.stamps[0] = decided;
    return NEREUS_OK;
}

void nereus_warn_oversubscribed(nereus_job *job, int64_t nt)
{
    if (job->rank != 0 || job->warned.oversubscribed ||
        !nereus_machine_is_oversubscribed(&job->machine, nt))
        return;
    const int64_t each = nereus_machine_cores_per_process(&job->machine);
    char cores[48] = "";
    if (each > 1)
        snprintf(cores, sizeof cores, " of %lld core%s each", (long long)each,
                 nereus_plural_s(each));
    nereus_log(
        "warning: %lld processes%s on %lld core%s: times are those of an oversubscribed machine, and "
        "are marked so",
        (long long)nt, cores, (long long)(each * nereus_machine_total_cores(&job->machine)),
        nereus_plural_s((each * nereus_machine_total_cores(&job->machine))));
    job->warned.oversubscribed = true;
}

/* Execute the plan now, or begin it asynchronously. Takes ownership of reconfig. */
static enum nereus_status carry_out(struct reconfiguration *reconfig, double decided_s,
                                    enum nereus_action *action, struct nereus_error *err)
{
    if (!nereus_restart_needs_requeue(reconfig->job, &reconfig->request.method,
                                      reconfig->request.nt))
        nereus_warn_oversubscribed(reconfig->job, reconfig->request.nt);
    NEREUS_TRY(prepare_reconfiguration(reconfig, decided_s, err));
    if (nereus_is_asynchronous(&reconfig->plan))
        return nereus_async_begin(reconfig, action, err);
    return nereus_reconfig_finish(reconfig, nereus_execute(reconfig, 1, reconfig->plan.step_count),
                                  action, err);
}

static enum nereus_status decide_and_carry_out(struct reconfiguration *reconfig,
                                               enum nereus_action *action, struct nereus_error *err)
{
    const double decided_s = nereus_skewed_monotonic_s();
    reconfig->job->began_s = decided_s + nereus_clock_correction_s();
    nereus_model_choice_iteration_s(
        reconfig->job); /* records the time of this size, also for later choices */
    nereus_trace_write_size(reconfig->job);
    NEREUS_TRY(nereus_decide(reconfig, err));
    nereus_trace_write_choice(reconfig);
    if (reconfig->verdict.status == NEREUS_OK && reconfig->unchanged_reason[0] == '\0' &&
        !nereus_request_changes_nothing(reconfig->job, &reconfig->request)) {
        nereus_trace_write_start(reconfig);
        return carry_out(reconfig, decided_s, action, err);
    }
    if (reconfig->verdict.status != NEREUS_OK)
        nereus_report_cancelled(reconfig);
    else
        nereus_report_unchanged(reconfig);
    nereus_reconfig_free(reconfig);
    return NEREUS_OK;
}

static enum nereus_status begin_reconfiguration(nereus_job *job,
                                                const struct resize_request *request,
                                                enum nereus_action *action,
                                                struct nereus_error *err)
{
    nereus_checkpoint_complete(job);
    NEREUS_TRY(nereus_finish_pending(job, true, err));
    NEREUS_TRY(nereus_monitor_flush(job, err));
    struct reconfiguration *reconfig = calloc(1, sizeof *reconfig);
    NEREUS_TRY_MEMORY(reconfig, err, "for a reconfiguration");
    nereus_reconfig_init(reconfig, job);
    reconfig->request = *request;
    reconfig->past_deadline = !nereus_external_start(job, request);
    job->requests++;
    return decide_and_carry_out(reconfig, action, err);
}

enum nereus_status nereus_reconfigure(nereus_job *job, const struct resize_request *request,
                                      enum nereus_action *action, struct nereus_error *err)
{
    *action = NEREUS_CONTINUE;
    nereus_call_enter(job, "nereus_point");
    const enum nereus_status status = begin_reconfiguration(job, request, action, err);
    /* A return would leave the others waiting for this process forever. */
    if (status != NEREUS_OK) {
        nereus_watchdog_explain(job->watchdog, err);
        nereus_abort_job(err);
    }
    nereus_call_leave(job);
    return status;
}
