/* Synchronous part of every reconfiguration: decide, plan, then execute at once or begin
 * asynchronously. */
#include "reconfigure.h"

#include <stdlib.h>

#include "async.h"
#include "checkpoints.h"
#include "decide.h"
#include "external.h"
#include "finish.h"
#include "model_choice.h"
#include "outcome.h"
#include "src/job/calls.h"
#include "src/job/machine.h"
#include "src/link/watchdog.h"
#include "src/monitor/monitor.h"
#include "src/steps/execute.h"
#include "src/util/clock.h"
#include "src/util/error.h"
#include "src/util/fault.h"
#include "trace.h"

/* Determine this process' role. */
static enum nereus_status prepare_reconfiguration(struct reconfiguration *rc, double decided_s,
                                                  struct nereus_error *err)
{
    nereus_job *job = rc->job;
    const struct nereus_stamp decided = {decided_s, nereus_now_s(), true};
    NEREUS_TRY(nereus_rc_plan(rc, NEREUS_STAYING, job->rank, -1, err));
    rc->role = nereus_plan_source_role(&rc->plan, job->rank);
    rc->target_rank = (int)nereus_plan_new_rank(&rc->plan, job->rank);
    if (nereus_fault(NEREUS_FAULT_PARTITIONS, job->rank))
        nereus_fail(&rc->failure, NEREUS_ERR_MEMORY, "no memory for the bounds of the data");
    if (rc->failure.status == NEREUS_OK)
        nereus_spaces_follow(&job->registry, &rc->record, job->rank, &rc->failure);
    job->times.stamps[0] = decided;
    return NEREUS_OK;
}

/* Execute the plan now, or begin it asynchronously. Takes ownership of rc. */
static enum nereus_status carry_out(struct reconfiguration *rc, double decided_s,
                                    enum nereus_action *action, struct nereus_error *err)
{
    if (!nereus_goes_on_elsewhere(rc->job, &rc->wanted.method, rc->wanted.nt))
        nereus_warn_oversubscribed(rc->job, rc->wanted.nt);
    NEREUS_TRY(prepare_reconfiguration(rc, decided_s, err));
    if (nereus_is_asynchronous(&rc->plan))
        return nereus_async_begin(rc, action, err);
    return nereus_rc_finish(rc, nereus_execute(rc, 1, rc->plan.step_count), action, err);
}

static enum nereus_status decide_and_carry_out(struct reconfiguration *rc,
                                               enum nereus_action *action, struct nereus_error *err)
{
    const double decided_s = nereus_now_s();
    rc->job->began_s = decided_s + nereus_clock_correction_s();
    nereus_model_choice_iteration_s(
        rc->job); /* records the time of this size, also for later choices */
    nereus_trace_size(rc->job);
    NEREUS_TRY(nereus_decide(rc, err));
    nereus_trace_choice(rc);
    if (rc->verdict.status == NEREUS_OK && rc->idle[0] == '\0' &&
        !nereus_nothing_to_do(rc->job, &rc->wanted)) {
        nereus_trace_start(rc);
        return carry_out(rc, decided_s, action, err);
    }
    if (rc->verdict.status != NEREUS_OK)
        nereus_report_cancelled(rc);
    else
        nereus_left_unchanged(rc);
    nereus_rc_free(rc);
    return NEREUS_OK;
}

static enum nereus_status begin_reconfiguration(nereus_job *job,
                                                const struct resize_request *wanted,
                                                enum nereus_action *action,
                                                struct nereus_error *err)
{
    nereus_checkpoint_settle(job);
    NEREUS_TRY(nereus_finish_rest(job, true, err));
    NEREUS_TRY(nereus_monitor_flush(job, err));
    struct reconfiguration *rc = calloc(1, sizeof *rc);
    NEREUS_TRY_MEMORY(rc, err, "for a reconfiguration");
    nereus_rc_init(rc, job);
    rc->wanted = *wanted;
    rc->past_deadline = !nereus_external_start(job, wanted);
    job->requests++;
    return decide_and_carry_out(rc, action, err);
}

enum nereus_status nereus_reconfigure(nereus_job *job, const struct resize_request *wanted,
                                      enum nereus_action *action, struct nereus_error *err)
{
    *action = NEREUS_CONTINUE;
    nereus_call_begins(job, "nereus_point");
    const enum nereus_status status = begin_reconfiguration(job, wanted, action, err);
    if (status !=
        NEREUS_OK) { /* a return would leave the others waiting for this process forever */
        nereus_watchdog_explain(job->watchdog, err);
        nereus_abort_job(err);
    }
    nereus_call_ends(job);
    return status;
}
