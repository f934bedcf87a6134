/*
 * Asynchronous reconfigurations (spawning-methods 3.4; data-redistribution 3.2). A plan is carried
 * out in parts, a part being consecutive steps on the same thread: during a part of the main thread
 * the application is stopped; during one of an auxiliary thread (async_thread.c) or at points
 * (steps/overlap.c) it continues. When such a part is over in all sources, the main threads agree
 * on a malleability point, as for a request made at run time (job/consensus.h), and continue with
 * the plan there: no process waits at a point for a part that is still under way.
 *
 *   merge-async/coll                thread: spawn ... | stopped: synchronise ... commit
 *   merge/coll-waittargets          stopped: spawn ... agree | at points: constant data
 *                                   | stopped: synchronise ... commit
 *   merge-launch-async/coll         thread: launch ... merge | stopped: synchronise ... commit
 *   the same without a thread       launcher | stopped: launch ... commit
 *
 * Launched processes need no thread to start: where there is none (nereus_plan_relieve) the root
 * looks for them at its points, and they are connected while the application is stopped.
 */
#include "async.h"

#include <stdlib.h>
#include <string.h>

#include "bounds.h"
#include "finish.h"
#include "model/plan/strategies/strategy.h"
#include "src/job/calls.h"
#include "src/link/launch.h"
#include "src/link/watchdog.h"
#include "src/steps/execute.h"
#include "src/steps/roll_back.h"
#include "src/steps/steps.h"
#include "src/steps/transfer.h"
#include "src/util/clock.h"
#include "src/util/error.h"

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
static int end_of_part(const struct nereus_plan *plan, int first)
{
    int end = first;
    while (end < plan->step_count && plan->steps[end].thread == plan->steps[first].thread)
        end++;
    return end;
}

/* ---- launched processes, without a thread ---------------------------------------------------- */

/* Root: start the launch; a failure is agreed on in the plan's first step. */
static void begin_launch(struct reconfiguration *rc)
{
    if (rc->job->rank != 0)
        return;
    for (int i = 1; i < rc->plan.step_count; i++)
        if (rc->plan.steps[i].kind == NEREUS_STEP_LAUNCH)
            rc->job->times.stamps[i].arrival_s =
                nereus_now_s(); /* stamp of the step: it begins here, and is executed later */
    if (nereus_launch_begin(rc, &rc->failure) != NEREUS_OK)
        rc->async->launched = true;
}

/* Root: are all groups ready, or has one failed? */
static bool test_launch(struct reconfiguration *rc)
{
    struct nereus_error failed = {0};
    struct async *async = rc->async;
    if (rc->job->rank != 0 || rc->launch == NULL)
        return async->launched;
    const int starting = nereus_launch_poll(rc->launch);
    async->launched =
        async->launched || starting == 0 || nereus_launch_failure(rc->launch, &failed) != NEREUS_OK;
    return async->launched;
}

/* ---- a part while the application continues ----------------------------------------------------
 * */

static const struct nereus_step *step_at_points(const struct reconfiguration *rc)
{
    return &rc->plan.steps[rc->async->end - 1];
}

/* Start a part that is overlapped with the application. *begun: false if a source could not start
 * its thread. */
static enum nereus_status begin_part(struct reconfiguration *rc, int first, int end, bool *begun,
                                     struct nereus_error *err)
{
    struct async *async = rc->async;
    *begun = true;
    async->end = end;
    async->part = rc->plan.steps[first].thread == NEREUS_AT_POINTS ? PART_POINTS : PART_THREAD;
    if (async->part == PART_THREAD) {
        nereus_detector_pause(rc, true); /* the auxiliary thread runs the detector */
        NEREUS_TRY(nereus_thread_begin(rc, first, end, begun, err));
    } else {
        nereus_step_arrive(rc, first);
        const enum nereus_status status =
            nereus_overlap_begin(rc, step_at_points(rc), &async->points);
        if (nereus_detector_after_step(rc, step_at_points(rc), status) != NEREUS_OK &&
            !rc->detector.lost)
            nereus_abort_job(&rc->error); /* the others have begun */
        *begun = !rc->detector.lost;
        nereus_detector_pause(rc, true);
    }
    if (*begun) {
        rc->job->under_way = rc;
        nereus_consensus_begin(rc->job);
    }
    return NEREUS_OK;
}

/* Handle a failed test. If a dead process is the reason, the root learns of it and stops all
 * processes at one point, where all handle it together; nereus-supervise waits for that point. */
static void handle_failed_test(struct reconfiguration *rc)
{
    struct at_points *points = &rc->async->points;
    if (points->failed_s <= 0)
        points->failed_s = nereus_now_s();
    const bool patient = nereus_now_s() < points->failed_s + rc->job->settings.spawn_timeout_s;
    if (!rc->detector.on || !(patient || rc->job->consensus.announced))
        nereus_abort_job(&rc->error);
}

static void test_redistribution(struct reconfiguration *rc, bool *done)
{
    struct at_points *points = &rc->async->points;
    const bool met = points->met, lost = nereus_detector_sees_loss(rc);
    if (!met && !lost &&
        (points->failed_s > 0 || nereus_overlap_test(rc, step_at_points(rc), points) != NEREUS_OK))
        handle_failed_test(rc);
    if (!met && points->met)
        nereus_step_depart(rc, rc->async->end - 1);
    *done = points->met || lost || points->failed_s > 0;
}

/* At a point: is the part complete here and in all other sources? */
static enum nereus_status test_part(struct reconfiguration *rc, bool *done,
                                    struct nereus_error *err)
{
    struct async *async = rc->async;
    if (async->part == PART_THREAD)
        return nereus_thread_test(rc, done, err);
    if (async->part == PART_LAUNCH)
        *done = test_launch(rc);
    else
        test_redistribution(rc, done);
    return NEREUS_OK;
}

/* Complete the part, waiting if needed.
 * @return its result: a failure has been agreed on, but not rolled back */
static enum nereus_status end_part(struct reconfiguration *rc)
{
    struct async *async = rc->async;
    rc->job->under_way = NULL;
    if (async->part == PART_LAUNCH)
        return NEREUS_OK;
    if (async->part == PART_THREAD) {
        const enum nereus_status status = nereus_thread_end(rc, &rc->error);
        nereus_detector_resume(rc, true);
        return status;
    }
    const bool met = async->points.met;
    nereus_detector_resume(rc, true);
    const enum nereus_status status =
        async->points.failed_s > 0 ? rc->error.status
                                   : nereus_overlap_end(rc, step_at_points(rc), &async->points);
    if (nereus_detector_after_step(rc, step_at_points(rc), status) != NEREUS_OK &&
        !rc->detector.lost)
        nereus_abort_job(&rc->error);
    if (rc->detector.lost)
        return rc->verdict.status;
    nereus_transfer_end(rc, step_at_points(rc));
    if (!met)
        nereus_step_depart(rc, async->end - 1);
    return NEREUS_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* A source could not start its thread, or launched processes died before the thread's first step.
 * The job continues: the thread's steps are executed here, and the next agreement reports the
 * failure to all. */
static enum nereus_status continue_without_thread(struct reconfiguration *rc, int first,
                                                  enum nereus_action *action,
                                                  struct nereus_error *err)
{
    enum nereus_status status = rc->verdict.status;
    nereus_detector_resume(rc, true);
    if (rc->detector.lost) {
        nereus_roll_back(rc);
    } else if (first == 1) {
        nereus_registry_roll_back(&rc->job->registry);
    } else {
        rc->failure = rc->verdict;
        memset(&rc->verdict, 0, sizeof rc->verdict);
        status = nereus_execute(rc, first, rc->plan.step_count);
    }
    return nereus_rc_finish(rc, status, action, err);
}

/* Execute the plan from `first`, with no consensus pending: to its end, or to the next overlapped
 * part. */
static enum nereus_status execute_from(struct reconfiguration *rc, int first,
                                       enum nereus_action *action, struct nereus_error *err)
{
    const struct nereus_plan *plan = &rc->plan;
    enum nereus_status status = NEREUS_OK;
    bool begun;
    while (first < plan->step_count && status == NEREUS_OK) {
        const int end = end_of_part(plan, first);
        if (nereus_step_is_overlapped(&plan->steps[first])) {
            NEREUS_TRY(begin_part(rc, first, end, &begun, err));
            return begun ? NEREUS_OK : continue_without_thread(rc, first, action, err);
        }
        status = nereus_execute(rc, first, end);
        first = end;
    }
    return nereus_rc_finish(rc, status, action, err);
}

static enum nereus_status prepare_asynchronous(struct reconfiguration *rc, struct nereus_error *err)
{
    rc->async = calloc(1, sizeof *rc->async);
    NEREUS_TRY_MEMORY(rc->async, err, "for an asynchronous change");
    if (!has_overlapped_steps(&rc->plan))
        return NEREUS_OK;
    NEREUS_MPI(MPI_Comm_dup(rc->job->control, &rc->comms.threads), err);
    NEREUS_MPI(MPI_Comm_set_errhandler(rc->comms.threads, MPI_ERRORS_RETURN), err);
    rc->comms.parents = rc->comms.merged = rc->comms.threads;
    return NEREUS_OK;
}

enum nereus_status nereus_async_begin(struct reconfiguration *rc, enum nereus_action *action,
                                      struct nereus_error *err)
{
    nereus_job *job = rc->job;
    NEREUS_TRY(prepare_asynchronous(rc, err));
    job->outcome = NEREUS_OUTCOME_PENDING;
    if (!nereus_plan_is_threadless(&rc->plan) || nereus_step_is_overlapped(&rc->plan.steps[1]))
        return execute_from(rc, 1, action, err);
    rc->async->part = PART_LAUNCH;
    rc->async->end = 1;
    job->under_way = rc;
    nereus_consensus_begin(job);
    begin_launch(rc);
    return NEREUS_OK;
}

/* All sources have reached the agreed point: complete the part and execute the rest. */
static enum nereus_status resume_at_point(nereus_job *job, enum nereus_action *action,
                                          struct nereus_error *err)
{
    struct reconfiguration *rc = job->under_way;
    NEREUS_TRY(nereus_consensus_end(job, true, err));
    const enum nereus_status status = end_part(rc);
    if (status == NEREUS_OK) {
        NEREUS_TRY(nereus_bounds_recompute(rc, err));
        return execute_from(rc, rc->async->end, action, err);
    }
    nereus_roll_back(rc);
    return nereus_rc_finish(rc, status, action, err);
}

/* When the root's part is complete, all others are or will be soon: then the root proposes a point.
 */
static enum nereus_status advance_asynchronous(nereus_job *job, enum nereus_action *action,
                                               struct nereus_error *err)
{
    struct reconfiguration *rc = job->under_way;
    const bool looks = job->points % job->settings.test_every == 0;
    bool done = false;
    unsigned due;
    if (looks)
        NEREUS_TRY(test_part(rc, &done, err));
    NEREUS_TRY(nereus_consensus_test(job, looks && done ? CONSENSUS_REQUEST : 0,
                                     job->settings.test_every, &due, err));
    if (due == 0)
        return NEREUS_OK;
    nereus_call_begins(job, "nereus_point");
    const enum nereus_status status = resume_at_point(job, action, err);
    nereus_call_ends(job);
    return status;
}

enum nereus_status nereus_async_test(nereus_job *job, enum nereus_action *action,
                                     struct nereus_error *err)
{
    const enum nereus_status status = advance_asynchronous(job, action, err);
    if (status !=
        NEREUS_OK) { /* a return would leave the others waiting for this process forever */
        nereus_watchdog_explain(job->watchdog, err);
        nereus_abort_job(err);
    }
    return status;
}

enum nereus_status nereus_async_cancel(nereus_job *job, struct nereus_error *err)
{
    struct reconfiguration *rc = job->under_way;
    enum nereus_action action;
    NEREUS_TRY(nereus_consensus_stop(job, err));
    rc->application_ended = true;
    enum nereus_status status = end_part(rc); /* the thread may have written a failure until here */
    nereus_fail(&rc->failure, NEREUS_ERR_STATE, "the application ended first");
    if (status == NEREUS_OK) /* the next step is an agreement */
        status = nereus_execute(rc, rc->async->end, rc->plan.step_count);
    else
        nereus_roll_back(rc);
    return nereus_rc_finish(rc, status, &action, err);
}
