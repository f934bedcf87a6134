/**
 * @file async.c
 * Carries out asynchronous reconfigurations (Martín-Álvarez et al. (2024a), section 3.4;
 * Martín-Álvarez et al. (2023), section 3.2). A plan is carried out in parts, a part being
 * consecutive steps on the same thread: during a part of the main thread the application is
 * stopped; during one of an auxiliary thread (async_thread.c) or at points (steps/overlap.c) it
 * continues. When such a part is over in all sources, the main threads agree on a malleability
 * point, as for a request made at run time (job/consensus.h), and continue with the plan there: no
 * process waits at a point for a part that is still under way.
 *
 *   merge-async/coll                thread: spawn ... | stopped: synchronise ... commit
 *   merge/coll-waittargets          stopped: spawn ... agree | at points: constant data
 *                                   | stopped: synchronise ... commit
 *   merge-launch-async/coll         thread: launch ... merge | stopped: synchronise ... commit
 *   the same without a thread       launcher | stopped: launch ... commit
 *
 * Launched processes need no thread to start: without one (nereus_plan_drop_thread) the root checks
 * at its points whether they are ready, and they are connected while the application is stopped.
 */
#include "async.h"

#include "bounds.h"
#include "model/plan/strategies/strategy.h"
#include "reconfigure.h"
#include "src/job/calls.h"
#include "src/link/launch.h"
#include "src/link/watchdog.h"
#include "src/steps/execute.h"
#include "src/steps/steps.h"
#include "src/steps/transfer.h"
#include "src/util/clock.h"

static bool has_overlapped_steps(const struct nereus_plan *plan)
{
    for (int i = 0; i < plan->step_count; i++)
        if (nereus_step_is_overlapped(&plan->steps[i]))
            return true;
    return false;
}

bool nereus_is_asynchronous(const struct nereus_plan *plan)
{
    return has_overlapped_steps(plan) || nereus_plan_is_threadless(plan);
}

/* End of the sequence of steps from `first` that run on the same thread. */
static int find_part_end(const struct nereus_plan *plan, int first)
{
    int end = first;
    while (end < plan->step_count && plan->steps[end].thread == plan->steps[first].thread)
        end++;
    return end;
}

/* ---- launched processes, without a thread ---------------------------------------------------- */

/* Root: start the launch; a failure is agreed on in the plan's first step. */
static void begin_launch(struct reconfiguration *reconfig)
{
    if (reconfig->job->rank != 0)
        return;
    for (int i = 1; i < reconfig->plan.step_count; i++)
        if (reconfig->plan.steps[i].kind == NEREUS_STEP_LAUNCH)
            /* The step begins here, and is executed later. */
            reconfig->job->times.stamps[i].arrival_s = nereus_skewed_monotonic_s();
    if (nereus_launch_begin(reconfig, &reconfig->failure) != NEREUS_OK)
        reconfig->async->launch_settled = true;
}

/* Root: are all groups ready, or has one failed? */
static bool test_launch(struct reconfiguration *reconfig)
{
    struct nereus_error failed = {0};
    struct async *async = reconfig->async;
    if (reconfig->job->rank != 0 || reconfig->launch == NULL)
        return async->launch_settled;
    const int starting = nereus_launch_poll(reconfig->launch);
    async->launch_settled = async->launch_settled || starting == 0 ||
                            nereus_launch_failure(reconfig->launch, &failed) != NEREUS_OK;
    return async->launch_settled;
}

/* ---- a part while the application continues -------------------------------------------------- */

static const struct nereus_step *get_step_at_points(const struct reconfiguration *reconfig)
{
    return &reconfig->plan.steps[reconfig->async->end - 1];
}

/* Start a part that is overlapped with the application. *begun: false if a source could not start
 * its thread, or if launched processes were lost when a redistribution at points began. */
static enum nereus_status begin_part(struct reconfiguration *reconfig, int first, int end,
                                     bool *begun, struct nereus_error *err)
{
    struct async *async = reconfig->async;
    *begun = true;
    async->end = end;
    async->part =
        reconfig->plan.steps[first].thread == NEREUS_AT_POINTS ? PART_POINTS : PART_THREAD;
    if (async->part == PART_THREAD) {
        nereus_detector_pause(reconfig, true); /* the auxiliary thread runs the detector */
        NEREUS_TRY(nereus_thread_begin(reconfig, first, end, begun, err));
    } else {
        nereus_step_arrive(reconfig, first);
        const enum nereus_status status =
            nereus_overlap_begin(reconfig, get_step_at_points(reconfig), &async->points);
        if (nereus_detector_after_step(reconfig, get_step_at_points(reconfig), status) !=
                NEREUS_OK &&
            !reconfig->detector.lost)
            nereus_abort_job(&reconfig->error); /* the others have begun */
        *begun = !reconfig->detector.lost;
        nereus_detector_pause(reconfig, true);
    }
    if (*begun) {
        reconfig->job->under_way = reconfig;
        nereus_consensus_begin(reconfig->job);
    }
    return NEREUS_OK;
}

/* Handle a failed test. If a dead process is the reason, the root learns of it and stops all
 * processes at one point, where all handle it together; nereus-supervise waits for that point. */
static void handle_failed_test(struct reconfiguration *reconfig)
{
    struct at_points *points = &reconfig->async->points;
    if (points->failed_s <= 0)
        points->failed_s = nereus_skewed_monotonic_s();
    const bool is_within_limit =
        nereus_skewed_monotonic_s() < points->failed_s + reconfig->job->settings.spawn_timeout_s;
    if (!reconfig->detector.on || !(is_within_limit || reconfig->job->consensus.announced))
        nereus_abort_job(&reconfig->error);
}

static void test_redistribution(struct reconfiguration *reconfig, bool *done)
{
    struct at_points *points = &reconfig->async->points;
    const bool was_met = points->met, has_loss = nereus_detector_has_loss(reconfig);
    if (!was_met && !has_loss &&
        (points->failed_s > 0 ||
         nereus_overlap_test(reconfig, get_step_at_points(reconfig), points) != NEREUS_OK))
        handle_failed_test(reconfig);
    if (!was_met && points->met)
        nereus_step_depart(reconfig, reconfig->async->end - 1);
    *done = points->met || has_loss || points->failed_s > 0;
}

/* Is the part complete, as far as this process can tell? Only the root's answer starts the
 * consensus. Called at points. */
static enum nereus_status test_part(struct reconfiguration *reconfig, bool *done,
                                    struct nereus_error *err)
{
    struct async *async = reconfig->async;
    if (async->part == PART_THREAD)
        return nereus_thread_test(reconfig, done, err);
    if (async->part == PART_LAUNCH)
        *done = test_launch(reconfig);
    else
        test_redistribution(reconfig, done);
    return NEREUS_OK;
}

/* Complete the part, waiting if needed.
 * @return its result: a failure has been agreed on, but not rolled back */
static enum nereus_status end_part(struct reconfiguration *reconfig)
{
    struct async *async = reconfig->async;
    reconfig->job->under_way = NULL;
    if (async->part == PART_LAUNCH)
        return NEREUS_OK;
    if (async->part == PART_THREAD) {
        const enum nereus_status status = nereus_thread_end(reconfig, &reconfig->error);
        nereus_detector_resume(reconfig, true);
        return status;
    }
    const bool was_met = async->points.met;
    nereus_detector_resume(reconfig, true);
    const enum nereus_status status =
        async->points.failed_s > 0
            ? reconfig->error.status
            : nereus_overlap_end(reconfig, get_step_at_points(reconfig), &async->points);
    if (nereus_detector_after_step(reconfig, get_step_at_points(reconfig), status) != NEREUS_OK &&
        !reconfig->detector.lost)
        nereus_abort_job(&reconfig->error);
    if (reconfig->detector.lost)
        return reconfig->verdict.status;
    nereus_transfer_end(reconfig, get_step_at_points(reconfig));
    if (!was_met)
        nereus_step_depart(reconfig, async->end - 1);
    return NEREUS_OK;
}

/* ---- all parts ------------------------------------------------------------------------------- */

/* An overlapped part did not begin (begin_part). The job continues. */
static enum nereus_status continue_without_thread(struct reconfiguration *reconfig, int first,
                                                  enum nereus_action *action,
                                                  struct nereus_error *err)
{
    enum nereus_status status = reconfig->verdict.status;
    nereus_detector_resume(reconfig, true);
    if (reconfig->detector.lost) {
        /* Launched processes were lost when the redistribution began. */
        nereus_roll_back(reconfig);
    } else if (first == 1) {
        /* No thread for the plan's first step: no process was started. */
        nereus_registry_roll_back(&reconfig->job->registry);
    } else {
        /* No thread for a later step: its steps are executed here, and the next agreement reports
         * the failure to all. */
        reconfig->failure = reconfig->verdict;
        memset(&reconfig->verdict, 0, sizeof reconfig->verdict);
        status = nereus_execute(reconfig, first, reconfig->plan.step_count);
    }
    return nereus_reconfig_finish(reconfig, status, action, err);
}

/* Execute the plan from `first`, with no consensus pending: to its end, or to the next overlapped
 * part. */
static enum nereus_status execute_from(struct reconfiguration *reconfig, int first,
                                       enum nereus_action *action, struct nereus_error *err)
{
    const struct nereus_plan *plan = &reconfig->plan;
    enum nereus_status status = NEREUS_OK;
    bool begun;
    while (first < plan->step_count && status == NEREUS_OK) {
        const int end = find_part_end(plan, first);
        if (nereus_step_is_overlapped(&plan->steps[first])) {
            NEREUS_TRY(begin_part(reconfig, first, end, &begun, err));
            return begun ? NEREUS_OK : continue_without_thread(reconfig, first, action, err);
        }
        status = nereus_execute(reconfig, first, end);
        first = end;
    }
    return nereus_reconfig_finish(reconfig, status, action, err);
}

static enum nereus_status prepare_asynchronous(struct reconfiguration *reconfig,
                                               struct nereus_error *err)
{
    reconfig->async = calloc(1, sizeof *reconfig->async);
    NEREUS_TRY_MEMORY(reconfig->async, err, "for an asynchronous change");
    if (!has_overlapped_steps(&reconfig->plan))
        return NEREUS_OK;
    NEREUS_MPI(MPI_Comm_dup(reconfig->job->control, &reconfig->comms.overlapped), err);
    NEREUS_MPI(MPI_Comm_set_errhandler(reconfig->comms.overlapped, MPI_ERRORS_RETURN), err);
    reconfig->comms.parents = reconfig->comms.merged = reconfig->comms.overlapped;
    return NEREUS_OK;
}

enum nereus_status nereus_async_begin(struct reconfiguration *reconfig, enum nereus_action *action,
                                      struct nereus_error *err)
{
    nereus_job *job = reconfig->job;
    NEREUS_TRY(prepare_asynchronous(reconfig, err));
    job->outcome = NEREUS_OUTCOME_PENDING;
    if (!nereus_plan_is_threadless(&reconfig->plan) ||
        nereus_step_is_overlapped(&reconfig->plan.steps[1]))
        return execute_from(reconfig, 1, action, err);
    reconfig->async->part = PART_LAUNCH;
    reconfig->async->end = 1;
    job->under_way = reconfig;
    nereus_consensus_begin(job);
    begin_launch(reconfig);
    return NEREUS_OK;
}

/* All sources have reached the agreed point: complete the part and execute the rest. */
static enum nereus_status resume_at_point(nereus_job *job, enum nereus_action *action,
                                          struct nereus_error *err)
{
    struct reconfiguration *reconfig = job->under_way;
    NEREUS_TRY(nereus_consensus_end(job, true, err));
    const enum nereus_status status = end_part(reconfig);
    if (status == NEREUS_OK) {
        NEREUS_TRY(nereus_bounds_recompute(reconfig, err));
        return execute_from(reconfig, reconfig->async->end, action, err);
    }
    nereus_roll_back(reconfig);
    return nereus_reconfig_finish(reconfig, status, action, err);
}

/* When the root's part is complete, all others are or will be soon: then the root proposes a
 * point. */
static enum nereus_status advance_asynchronous(nereus_job *job, enum nereus_action *action,
                                               struct nereus_error *err)
{
    struct reconfiguration *reconfig = job->under_way;
    const bool is_test_due = job->points % job->settings.test_every == 0;
    bool done = false;
    unsigned due;
    if (is_test_due)
        NEREUS_TRY(test_part(reconfig, &done, err));
    NEREUS_TRY(nereus_consensus_test(job, is_test_due && done ? CONSENSUS_REQUEST : 0,
                                     job->settings.test_every, &due, err));
    if (due == 0)
        return NEREUS_OK;
    nereus_call_enter(job, "nereus_point");
    const enum nereus_status status = resume_at_point(job, action, err);
    nereus_call_leave(job);
    return status;
}

enum nereus_status nereus_async_test(nereus_job *job, enum nereus_action *action,
                                     struct nereus_error *err)
{
    const enum nereus_status status = advance_asynchronous(job, action, err);
    /* A return would leave the others waiting for this process forever. */
    if (status != NEREUS_OK) {
        nereus_watchdog_explain(job->watchdog, err);
        nereus_abort_job(err);
    }
    return status;
}

enum nereus_status nereus_async_cancel(nereus_job *job, struct nereus_error *err)
{
    struct reconfiguration *reconfig = job->under_way;
    enum nereus_action action;
    NEREUS_TRY(nereus_consensus_stop(job, err));
    reconfig->application_ended = true;
    enum nereus_status status =
        end_part(reconfig); /* the thread may have written a failure until here */
    nereus_fail(&reconfig->failure, NEREUS_ERR_STATE, "the application ended first");
    if (status == NEREUS_OK) /* the next step is an agreement */
        status = nereus_execute(reconfig, reconfig->async->end, reconfig->plan.step_count);
    else
        nereus_roll_back(reconfig);
    return nereus_reconfig_finish(reconfig, status, &action, err);
}
