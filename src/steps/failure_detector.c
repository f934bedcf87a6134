/*
 * Launched processes that die between the connection and the commit. MPI does not return from a
 * call that waits for a dead process, so the sources block in no call: every request is tested
 * (util/wait.h), and the root looks whether nereus-supervise, which holds the lifelines, has
 * reported a death. The root sends a notice to the other sources over a communicator of their own,
 * on which they have posted a receive; if nothing was lost the notice says so after the last
 * agreement, and only then the commit begins.
 *
 * While the application goes on between the connection and the commit, the auxiliary threads
 * detect, or, with a redistribution at points, nobody does: the root looks at its points, and stops
 * all processes at one when it has seen a death, as when the part is over. nereus-supervise gives
 * the application time to come there.
 *
 * Lost processes are let go of without MPI (roll_back.c), and the sources go on among themselves.
 * nereus-supervise ends what is left of the lost world, and the job, if the sources do not come
 * back: from a merge, which cannot be tested, or from a network that waits for a dead peer inside a
 * call.
 */
#include "failure_detector.h"

#include <sched.h>

#include "model/plan/strategies/strategy.h"
#include "reconfiguration.h"
#include "src/link/launch.h"
#include "src/util/clock.h"
#include "src/util/error.h"

enum { NOTICE_TAG = 31, HERE_TAG = 32 };
static const double look_every_s = 1e-3;
/* A call of MPI may fail because of a death before the news of it arrives. */
static const double news_limit_s = 2;
/* After a failed connection: limit for the arrival of the reason. */
static const double sentence_limit_s = 0.2;

bool nereus_is_watched(const struct reconfiguration *rc)
{
    return nereus_plan_is_isolated(&rc->plan);
}

void nereus_detector_pause(struct reconfiguration *rc, bool application_goes_on)
{
    rc->waiting.detector = NULL;
    for (int64_t i = 0; application_goes_on && rc->detector.on && rc->launch != NULL &&
                        i < rc->plan.tree.group_count;
         i++)
        nereus_launch_overlapped(rc->launch, (int)i, rc->job->settings.spawn_timeout_s);
}

void nereus_detector_resume(struct reconfiguration *rc, bool application_stands)
{
    rc->waiting.detector = rc->detector.on ? &rc->detector.token : NULL;
    for (int64_t i = 0; application_stands && rc->detector.on && rc->launch != NULL &&
                        i < rc->plan.tree.group_count;
         i++)
        nereus_launch_connected(rc->launch, (int)i);
}

bool nereus_detector_sees_loss(struct reconfiguration *rc)
{
    if (!rc->detector.on || rc->launch == NULL)
        return false;
    if (nereus_now_s() >= rc->detector.next_look_s) {
        rc->detector.next_look_s = nereus_now_s() + look_every_s;
        nereus_launch_poll(rc->launch);
    }
    return nereus_launch_failure(rc->launch, NULL) != NEREUS_OK;
}

/* The root's notice to all other sources: the last act of its detector. */
static enum nereus_status tell_all(struct reconfiguration *rc, const struct nereus_error *word,
                                   struct nereus_error *err)
{
    int sources;
    NEREUS_MPI(MPI_Comm_size(rc->detector.sources, &sources), err);
    for (int i = 1; i < sources; i++)
        NEREUS_MPI(MPI_Send(word, (int)sizeof *word, MPI_BYTE, i, NOTICE_TAG, rc->detector.sources),
                   err);
    return NEREUS_OK;
}

static enum nereus_status take_report(struct reconfiguration *rc, const struct nereus_error *word)
{
    rc->detector.on = false;
    rc->waiting.detector = NULL;
    if (word->status == NEREUS_OK)
        return NEREUS_OK;
    rc->detector.lost = true;
    rc->verdict = *word;
    return word->status;
}

static enum nereus_status look(struct reconfiguration *rc, struct nereus_error *err)
{
    struct nereus_error failure = {0};
    nereus_launch_poll(rc->launch);
    if (nereus_launch_failure(rc->launch, &failure) == NEREUS_OK)
        return NEREUS_OK;
    NEREUS_TRY(tell_all(rc, &failure, err));
    return take_report(rc, &failure);
}

static enum nereus_status check(void *context, struct nereus_error *err)
{
    struct reconfiguration *rc = context;
    int reported = 0;
    if (nereus_now_s() < rc->detector.next_look_s)
        return NEREUS_OK;
    rc->detector.next_look_s = nereus_now_s() + look_every_s;
    if (rc->source_rank == 0)
        return look(rc, err);
    NEREUS_MPI(MPI_Test(&rc->detector.notice, &reported, MPI_STATUS_IGNORE), err);
    return reported ? take_report(rc, &rc->detector.reported) : NEREUS_OK;
}

static bool sees_loss(void *context)
{
    return nereus_detector_sees_loss(context);
}

enum nereus_status nereus_detector_begin(struct reconfiguration *rc)
{
    struct failure_detector *detector = &rc->detector;
    detector->notice = MPI_REQUEST_NULL;
    /* A communicator of its own: collectives that only some have begun must not match later ones.
     */
    NEREUS_MPI(MPI_Comm_dup(rc->comms.parents, &detector->sources), &rc->error);
    NEREUS_MPI(MPI_Comm_set_errhandler(detector->sources, MPI_ERRORS_RETURN), &rc->error);
    if (rc->source_rank != 0)
        NEREUS_MPI(MPI_Irecv(&detector->reported, (int)sizeof detector->reported, MPI_BYTE, 0,
                             NOTICE_TAG, detector->sources, &detector->notice),
                   &rc->error);
    detector->token = (struct nereus_detector){check, sees_loss, rc};
    detector->on = true;
    return NEREUS_OK;
}

enum nereus_status nereus_detector_lose(struct reconfiguration *rc, struct nereus_error *failure)
{
    const double until_s = nereus_now_s() + sentence_limit_s;
    struct nereus_error *err = &rc->error;
    if (rc->source_rank != 0) {
        NEREUS_TRY(nereus_wait(&rc->detector.notice, NEREUS_WAITING, err));
        return take_report(rc, &rc->detector.reported);
    }
    while (!nereus_detector_sees_loss(rc) && nereus_now_s() < until_s)
        sched_yield();
    struct nereus_error news;
    if (nereus_launch_failure(rc->launch, &news) != NEREUS_OK)
        nereus_fail(failure, failure->status, "%s", news.text);
    NEREUS_TRY(tell_all(rc, failure, err));
    return take_report(rc, failure);
}

/* The new processes among themselves, then their root to that of the sources. Over libfabric MPICH
 * aborts a source that sends to a process that has just died, whatever the error handler
 * (docs/jobs.md). */
enum nereus_status nereus_await_new(struct reconfiguration *rc)
{
    static char here; /* static: if the peer dies the receive never completes */
    struct nereus_error *err = &rc->error;
    const bool is_new = rc->role == NEREUS_SPAWNED;
    MPI_Request request = MPI_REQUEST_NULL;
    int rank;
    if (!nereus_is_watched(rc))
        return NEREUS_OK;
    NEREUS_MPI(MPI_Comm_rank(is_new ? rc->comms.own : rc->detector.sources, &rank), err);
    if (is_new)
        NEREUS_TRY(nereus_barrier(rc->comms.own, rc->waiting, err));
    if (is_new && rank == 0)
        NEREUS_MPI(MPI_Isend(&here, 1, MPI_BYTE, 0, HERE_TAG, rc->comms.inter, &request), err);
    if (!is_new && rank == 0)
        NEREUS_MPI(MPI_Irecv(&here, 1, MPI_BYTE, 0, HERE_TAG, rc->comms.inter, &request), err);
    NEREUS_TRY(nereus_wait(&request, rc->waiting, err));
    return is_new ? NEREUS_OK : nereus_barrier(rc->detector.sources, rc->waiting, err);
}

/* All sources have reached the same end of the plan's reversible part. */
static enum nereus_status end(struct reconfiguration *rc, enum nereus_status status)
{
    const struct nereus_error none = {0};
    struct nereus_error *err = &rc->error;
    if (rc->source_rank == 0) {
        NEREUS_TRY(look(rc, err));
        for (int64_t i = 0; status == NEREUS_OK && i < rc->plan.tree.group_count; i++)
            nereus_launch_joined(rc->launch, (int)i);
        NEREUS_TRY(tell_all(rc, &none, err));
        take_report(rc, &none);
        return status;
    }
    NEREUS_TRY(nereus_wait(&rc->detector.notice, NEREUS_WAITING, err));
    NEREUS_TRY(take_report(rc, &rc->detector.reported));
    return status;
}

/* A call has failed here: wait whether the news of a death explains it. */
static enum nereus_status wait_for_news(struct reconfiguration *rc, enum nereus_status status)
{
    const double until_s = nereus_now_s() + news_limit_s;
    struct nereus_error ignored;
    while (!rc->detector.lost && rc->waiting.detector != NULL && nereus_now_s() < until_s) {
        check(rc, &ignored);
        sched_yield();
    }
    rc->waiting.detector = NULL;
    return rc->detector.lost ? rc->verdict.status : status;
}

enum nereus_status nereus_detector_after_step(struct reconfiguration *rc,
                                              const struct nereus_step *step,
                                              enum nereus_status status)
{
    if (!rc->detector.on || rc->detector.lost)
        return status;
    if (status == NEREUS_OK)
        return step[1].kind == NEREUS_STEP_COMMIT ? end(rc, status) : status;
    return rc->verdict.status != NEREUS_OK ? end(rc, status) : wait_for_news(rc, status);
}
