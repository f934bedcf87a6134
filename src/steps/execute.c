/** @file execute.c  Executes a plan step by step, with stamps. */
#include "execute.h"

#include "src/link/watchdog.h"
#include "src/util/blocking_calls.h"
#include "src/util/clock.h"
#include "src/util/fault.h"
#include "steps.h"

static nereus_run_step *const step_table[NEREUS_STEP_KIND_COUNT] = {
    [NEREUS_STEP_WAKE] = nereus_run_wake,
    [NEREUS_STEP_SPAWN] = nereus_run_spawn,
    [NEREUS_STEP_LAUNCH] = nereus_run_launch,
    [NEREUS_STEP_SYNCHRONISE] = nereus_run_synchronise,
    [NEREUS_STEP_CONNECT] = nereus_run_connect,
    [NEREUS_STEP_JOIN] = nereus_run_join,
    [NEREUS_STEP_REORDER] = nereus_run_reorder,
    [NEREUS_STEP_MERGE] = nereus_run_merge,
    [NEREUS_STEP_SPLIT] = nereus_run_split,
    [NEREUS_STEP_GATHER] = nereus_run_gather,
    [NEREUS_STEP_ALLOCATE] = nereus_run_allocate,
    [NEREUS_STEP_REDISTRIBUTE] = nereus_run_redistribute,
    [NEREUS_STEP_AGREE] = nereus_run_agree,
    [NEREUS_STEP_COMMIT] = nereus_run_commit,
    [NEREUS_STEP_SLEEP] = nereus_run_sleep,
    [NEREUS_STEP_TERMINATE] = nereus_run_terminate,
    [NEREUS_STEP_DISCONNECT] = nereus_run_disconnect,
    /* start and read are executed by processes that begin with these steps (core/restarted.c) */
    [NEREUS_STEP_WRITE] = nereus_run_write,
    [NEREUS_STEP_END] = nereus_run_end,
};

/* After the commit nothing can be rolled back. Some steps inject their faults themselves, at their
 * most critical moment. */
static void inject_fault(struct reconfiguration *reconfig, enum nereus_step_kind kind)
{
    const bool irreversible = kind == NEREUS_STEP_COMMIT || kind == NEREUS_STEP_SLEEP ||
                              kind == NEREUS_STEP_TERMINATE || kind == NEREUS_STEP_DISCONNECT ||
                              kind == NEREUS_STEP_END;
    if (kind == NEREUS_STEP_WAKE || kind == NEREUS_STEP_ALLOCATE || kind == NEREUS_STEP_AGREE ||
        !nereus_fault_applies(kind, nereus_reconfig_rank(reconfig)))
        return;
    nereus_fault_report(kind, &reconfig->failure);
    if (irreversible)
        nereus_abort_job(&reconfig->failure);
}

static bool has_committed(const struct reconfiguration *reconfig, const struct nereus_step *step)
{
    while (step > reconfig->plan.steps && step->kind != NEREUS_STEP_COMMIT)
        step--;
    return step->kind == NEREUS_STEP_COMMIT;
}

/* Abort: the others would wait for this process forever. Exception: a launched world that has not
 * joined yet, which the job does not need. */
static void abort_plan(const struct reconfiguration *reconfig, const struct nereus_step *step)
{
    if (reconfig->role != NEREUS_SPAWNED || !nereus_is_watched(reconfig) ||
        has_committed(reconfig, step)) {
        nereus_abort_job(&reconfig->error);
        return;
    }
    nereus_log("a launched process cannot join the job and ends with its world: %s",
               reconfig->error.text);
    nereus_end_world();
}

/* After a failed agreement all processes roll back; a thread leaves that to the main thread. */
static enum nereus_status fail_step(struct reconfiguration *reconfig,
                                    const struct nereus_step *step, enum nereus_status status)
{
    if (reconfig->verdict.status == NEREUS_OK)
        abort_plan(reconfig, step);
    if (!reconfig->in_thread)
        nereus_roll_back(reconfig); /* collective: all have agreed on the failure */
    return status;
}

void nereus_step_arrive(struct reconfiguration *reconfig, int index)
{
    const struct nereus_step *step = &reconfig->plan.steps[index];
    struct nereus_stamp *stamp = &reconfig->job->times.stamps[index];
    reconfig->step = step;
    if (!reconfig->in_thread)
        nereus_watchdog_step(reconfig->job->watchdog, nereus_step_name(step->kind));
    reconfig->takes_part = stamp->taken = true;
    stamp->departure_s = nereus_skewed_monotonic_s();
    if (stamp->arrival_s <= 0) /* a launch may have started while the application ran */
        stamp->arrival_s = stamp->departure_s;
    reconfig->wait_mode.backs_off = nereus_step_is_overlapped(step);
    nereus_fault_die(step->kind, nereus_reconfig_rank(reconfig));
    inject_fault(reconfig, step->kind);
}

void nereus_step_depart(struct reconfiguration *reconfig, int index)
{
    struct nereus_stamp *stamp = &reconfig->job->times.stamps[index];
    stamp->departure_s = nereus_skewed_monotonic_s();
    stamp->taken = reconfig->takes_part;
}

/* Steps with a blocking MPI call, in which this thread would spin while the others need its
 * core. */
static bool sleeps_in_step(const struct reconfiguration *reconfig, enum nereus_step_kind kind)
{
    return reconfig->wait_mode.shares_cores &&
           (kind == NEREUS_STEP_SPAWN || kind == NEREUS_STEP_CONNECT || kind == NEREUS_STEP_MERGE);
}

static enum nereus_status execute_step(struct reconfiguration *reconfig,
                                       const struct nereus_step *step)
{
    const bool sleeps = sleeps_in_step(reconfig, step->kind);
    if (sleeps)
        nereus_blocking_calls_begin();
    const enum nereus_status status = step_table[step->kind](reconfig);
    if (sleeps)
        nereus_blocking_calls_end();
    return status;
}

enum nereus_status nereus_execute(struct reconfiguration *reconfig, int first, int end)
{
    for (int i = first; i < end; i++) {
        const struct nereus_step *step = &reconfig->plan.steps[i];
        if ((step->roles & (unsigned)reconfig->role) == 0)
            continue;
        nereus_step_arrive(reconfig, i);
        enum nereus_status status = execute_step(reconfig, step);
        status = nereus_detector_after_step(reconfig, step, status);
        nereus_step_depart(reconfig, i);
        if (status != NEREUS_OK)
            return fail_step(reconfig, step, status);
    }
    return NEREUS_OK;
}
