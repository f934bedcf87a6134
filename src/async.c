/*
 * What is carried out beside the application (spawning-methods 3.4; data-redistribution 3.2). A plan is carried out in parts, a part being
 * the steps that follow each other on the same thread: while the main threads carry out one, the application stands still;
 * beside one that is a thread's (async_thread.c) or carried out at points (async_points.c) it goes on. When such a part is over in
 * all sources, the main threads agree on a malleability point, as for a request made at run time (bell.c), and go on with the
 * plan there: nobody is ever held up at a point by a part that is still under way.
 *
 *     merge-async/coll             thread: spawn ... | stopped: synchronise ... commit
 *     merge/coll-waittargets       stopped: spawn ... agree | at points: constant data | stopped: synchronise ... commit
 *     merge-launch-async/p2p-thread   launcher | stopped: launch ... | thread: allocate, constant data | stopped: ...
 *
 * Launched processes need no thread to start: the root looks after them at its points.
 */
#include "async.h"

#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "fault.h"
#include "launch.h"

static bool is_threadless(const struct nereus_plan *plan)
{
    return plan->method.async && plan->method.strategy == NEREUS_LAUNCH && plan->tree.group_count > 0;
}

static bool has_steps_beside(const struct nereus_plan *plan)
{
    for (int i = 0; i < plan->step_count; i++)
        if (nereus_step_is_beside(&plan->steps[i]))
            return true;
    return false;
}

bool nereus_is_asynchronous(const struct nereus_plan *plan)
{
    return has_steps_beside(plan) || is_threadless(plan);
}

/* The steps from `first` on that are on its thread. */
static int end_of_part(const struct nereus_plan *plan, int first)
{
    int end = first;
    while (end < plan->step_count && plan->steps[end].thread == plan->steps[first].thread)
        end++;
    return end;
}

/* ---- launched processes, without a thread ----------------------------------------------------------------------------- */

/* The root begins; what cannot be begun is called off where the plan's first step is carried out. */
static void begin_launch(nereus_job *job, struct change *change)
{
    struct move *move = &change->move;
    if (job->rank != 0)
        return;
    for (int i = 1; i < move->plan.step_count; i++)
        if (move->plan.steps[i].kind == NEREUS_STEP_LAUNCH)
            job->trace.stamps[i].arrival_s =
                nereus_now_s(); /* the step begins here, and is carried out later */
    if (nereus_launch_begin(move, &move->failure) != NEREUS_OK)
        change->async->launched = true;
}

/* The root: are they all there, or can one not be had? */
static bool look_after_launch(nereus_job *job, struct change *change)
{
    struct nereus_error failed = {0};
    struct async *async = change->async;
    if (job->rank != 0 || change->move.launch == NULL)
        return async->launched;
    const int starting = nereus_launch_poll(change->move.launch);
    async->launched =
        async->launched || starting == 0 || nereus_launch_failure(change->move.launch, &failed) != NEREUS_OK;
    return async->launched;
}

/* ---- a part beside the application -------------------------------------------------------------------------------------- */

static const struct nereus_step *step_at_points(const struct change *change)
{
    return &change->move.plan.steps[change->async->end - 1];
}

/* The application goes on from here. *begun: false where a source could not start its thread. */
static enum nereus_status begin_part(nereus_job *job, struct change *change, int first, int end, bool *begun,
                                     struct nereus_error *err)
{
    struct async *async = change->async;
    struct move *move = &change->move;
    *begun = true;
    async->end = end;
    async->part = move->plan.steps[first].thread == NEREUS_AT_POINTS ? PART_POINTS : PART_THREAD;
    if (async->part == PART_THREAD) {
        nereus_lookout_pause(move, true); /* it is the thread's */
        NEREUS_TRY(nereus_thread_begin(change, first, end, begun, err));
    } else {
        nereus_step_arrive(move, first);
        const enum nereus_status status = nereus_points_begin(move, step_at_points(change), &async->points);
        if (nereus_lookout_after(move, step_at_points(change), status) != NEREUS_OK && !move->lost)
            nereus_give_up(&move->error); /* the others are under way */
        *begun = !move->lost;
        nereus_lookout_pause(move, true);
    }
    if (*begun) {
        job->under_way = change;
        nereus_bell_init(job);
    }
    return NEREUS_OK;
}

/* A look has failed. Because of a death? Then the root, when it has the news, stops all at a point, and what becomes of it is found out
 * there, where nobody is left behind. nereus-supervise gives it the same time to come to one. */
static void look_failed(const nereus_job *job, struct change *change)
{
    struct at_points *points = &change->async->points;
    if (points->failed_s <= 0)
        points->failed_s = nereus_now_s();
    const bool patient = nereus_now_s() < points->failed_s + job->spawn_timeout_s;
    if (!change->move.lookout.on || !(patient || job->bell.rung))
        nereus_give_up(&change->move.error);
}

static void look_at_points(nereus_job *job, struct change *change, bool *done)
{
    struct at_points *points = &change->async->points;
    struct move *move = &change->move;
    const bool met = points->met, lost = nereus_lookout_sees_loss(move);
    if (!met && !lost &&
        (points->failed_s > 0 || nereus_points_look(move, step_at_points(change), points) != NEREUS_OK))
        look_failed(job, change);
    if (!met && points->met)
        nereus_step_depart(move, change->async->end - 1);
    *done = points->met || lost || points->failed_s > 0;
}

/* At a point: is the part over, here and in all other sources? */
static enum nereus_status look(nereus_job *job, struct change *change, bool *done, struct nereus_error *err)
{
    struct async *async = change->async;
    if (async->part == PART_THREAD)
        return nereus_thread_look(change, done, err);
    if (async->part == PART_LAUNCH)
        *done = look_after_launch(job, change);
    else
        look_at_points(job, change, done);
    return NEREUS_OK;
}

/* It is over, or nearly. @return what became of it: a failure has been agreed on, but nothing put back */
static enum nereus_status end_part(nereus_job *job, struct change *change)
{
    struct async *async = change->async;
    struct move *move = &change->move;
    job->under_way = NULL;
    if (async->part == PART_LAUNCH)
        return NEREUS_OK;
    if (async->part == PART_THREAD) {
        const enum nereus_status status = nereus_thread_end(change, &move->error);
        nereus_lookout_resume(move, true);
        return status;
    }
    const bool met = async->points.met;
    nereus_lookout_resume(move, true);
    const enum nereus_status status = async->points.failed_s > 0
                                          ? move->error.status
                                          : nereus_points_end(move, step_at_points(change), &async->points);
    if (nereus_lookout_after(move, step_at_points(change), status) != NEREUS_OK && !move->lost)
        nereus_give_up(&move->error);
    if (move->lost)
        return move->verdict.status;
    nereus_transfer_end(move, step_at_points(change));
    if (!met)
        nereus_step_depart(move, async->end - 1);
    return NEREUS_OK;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------ */

static void release(struct change *change)
{
    free(change->async);
    change->async = NULL;
    nereus_change_free(change);
}

static enum nereus_status finish(nereus_job *job, struct change *change, enum nereus_status status,
                                 enum nereus_action *action, struct nereus_error *err)
{
    status = nereus_change_finish(job, change, status, action, err);
    release(change);
    return status;
}

/* One source has no thread (or launched processes are lost as the part begins). Before anything was done the job simply goes on as it
 * was; later the others are told at the next agreement, as of any failure: what the thread would have done is done here. */
static enum nereus_status cannot_begin(nereus_job *job, struct change *change, int first,
                                       enum nereus_action *action, struct nereus_error *err)
{
    struct move *move = &change->move;
    enum nereus_status status = move->verdict.status;
    nereus_lookout_resume(move, true);
    if (move->lost) {
        nereus_roll_back(move);
    } else if (first == 1) {
        nereus_registry_roll_back(&job->registry);
    } else {
        move->failure = move->verdict;
        memset(&move->verdict, 0, sizeof move->verdict);
        status = nereus_execute(move, first, move->plan.step_count);
    }
    return finish(job, change, status, action, err);
}

/* The plan from `first` on, the bell being silent: to its end, or to the next part beside the application. */
static enum nereus_status carry_on(nereus_job *job, struct change *change, int first,
                                   enum nereus_action *action, struct nereus_error *err)
{
    const struct nereus_plan *plan = &change->move.plan;
    enum nereus_status status = NEREUS_OK;
    bool begun;
    while (first < plan->step_count && status == NEREUS_OK) {
        const int end = end_of_part(plan, first);
        if (nereus_step_is_beside(&plan->steps[first])) {
            NEREUS_TRY(begin_part(job, change, first, end, &begun, err));
            return begun ? NEREUS_OK : cannot_begin(job, change, first, action, err);
        }
        status = nereus_execute(&change->move, first, end);
        first = end;
    }
    return finish(job, change, status, action, err);
}

static enum nereus_status prepare(nereus_job *job, struct change *change, struct nereus_error *err)
{
    struct move *move = &change->move;
    change->async = calloc(1, sizeof *change->async);
    if (change->async == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for an asynchronous change");
    if (!has_steps_beside(&move->plan))
        return NEREUS_OK;
    NEREUS_MPI(MPI_Comm_dup(job->control, &move->threads), err);
    NEREUS_MPI(MPI_Comm_set_errhandler(move->threads, MPI_ERRORS_RETURN), err);
    move->parents = move->wide = move->threads;
    return NEREUS_OK;
}

enum nereus_status nereus_async_begin(nereus_job *job, struct change *change, enum nereus_action *action,
                                      struct nereus_error *err)
{
    NEREUS_TRY(prepare(job, change, err));
    job->outcome = NEREUS_OUTCOME_PENDING;
    if (!is_threadless(&change->move.plan))
        return carry_on(job, change, 1, action, err);
    change->async->part = PART_LAUNCH;
    change->async->end = 1;
    job->under_way = change;
    nereus_bell_init(job);
    begin_launch(job, change);
    return NEREUS_OK;
}

/* When the root's part is over, so is everybody's, or will be in a moment: then it has the others stop at a point. */
static enum nereus_status look_after(nereus_job *job, enum nereus_action *action, struct nereus_error *err)
{
    struct change *change = job->under_way;
    const bool looks = job->points % job->test_every == 0;
    bool done = false, due;
    if (looks)
        NEREUS_TRY(look(job, change, &done, err));
    NEREUS_TRY(nereus_bell_look(job, looks && done, job->test_every, &due, err));
    if (!due)
        return NEREUS_OK;
    NEREUS_TRY(nereus_bell_silence(job, true, err));
    const enum nereus_status status = end_part(job, change);
    if (status == NEREUS_OK)
        return carry_on(job, change, change->async->end, action, err);
    nereus_roll_back(&change->move);
    return finish(job, change, status, action, err);
}

enum nereus_status nereus_async_look(nereus_job *job, enum nereus_action *action, struct nereus_error *err)
{
    const enum nereus_status status = look_after(job, action, err);
    if (status != NEREUS_OK)
        nereus_give_up(err); /* the others would wait for this process for ever */
    return status;
}

enum nereus_status nereus_async_call_off(nereus_job *job, struct nereus_error *err)
{
    struct change *change = job->under_way;
    struct move *move = &change->move;
    enum nereus_action action;
    int rung = job->bell.rung;
    NEREUS_MPI(MPI_Bcast(&rung, 1, MPI_INT, 0, job->control), err);
    NEREUS_TRY(nereus_bell_silence(job, rung != 0, err));
    change->too_late = true;
    enum nereus_status status = end_part(job, change); /* until here the failure may be the thread's */
    nereus_fail(&move->failure, NEREUS_ERR_STATE, "the application ended first");
    if (status == NEREUS_OK) /* an agreement comes before anything else */
        status = nereus_execute(move, change->async->end, move->plan.step_count);
    else
        nereus_roll_back(move);
    return finish(job, change, status, &action, err);
}
