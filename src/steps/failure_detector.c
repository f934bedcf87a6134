/*
 * Launched processes that die between the connection and the commit. MPI does not return from a
 * call that waits for a dead process, so the sources block in no call: every request is tested
 * (util/wait.h), and the root polls nereus-supervise, which holds the lifelines, for deaths. The
 * root sends a notice to the other sources over a separate communicator, on which they have posted
 * a receive; without a loss it sends an OK notice after the last agreement, and only then the
 * commit begins.
 *
 * While the application runs between the connection and the commit, the auxiliary threads detect;
 * during a redistribution at points only the root checks, at its points, and stops all processes at
 * one after a death, as when the part is complete. nereus-supervise gives the application time to
 * reach it.
 *
 * Lost processes are released without MPI (roll_back.c), and the sources continue alone.
 * nereus-supervise ends the rest of the lost world, and ends the job if the sources do not return:
 * from a merge, which cannot be tested, or from a network that waits for a dead peer inside a call.
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
/* A call of MPI may fail because of a death before its notice arrives. */
static const double notice_limit_s = 2;
/* After a failed connection: time limit for its reason to arrive. */
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

/* The root's notice to all other sources, the last action of its detector. */
static enum nereus_status send_notice(struct reconfiguration *rc, const struct nereus_error *word,
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

static enum nereus_status check_supervisor(struct reconfiguration *rc, struct nereus_error *err)
{
    struct nereus_error failure = {0};
    nereus_launch_poll(rc->launch);
    if (nereus_launch_failure(rc->launch, &failure) == NEREUS_OK)
        return NEREUS_OK;
    NEREUS_TRY(send_notice(rc, &failure, err));
    return take_report(rc, &failure);
}

static enum nereus_status check_for_loss(void *context, struct nereus_error *err)
{
    struct reconfiguration *rc = context;
    int reported = 0;
    if (nereus_now_s() < rc->detector.next_look_s)
        return NEREUS_OK;
    rc->detector.next_look_s = nereus_now_s() + look_every_s;
    if (rc->source_rank == 0)
        return check_supervisor(rc, err);
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
    /* A separate communicator: collectives that only some have begun must not match later ones. */
    NEREUS_MPI(MPI_Comm_dup(rc->comms.parents, &detector->sources), &rc->error);
    NEREUS_MPI(MPI_Comm_set_errhandler(detector->sources, MPI_ERRORS_RETURN), &rc->error);
    if (rc->source_rank != 0)
        NEREUS_MPI(MPI_Irecv(&detector->reported, (int)sizeof detector->reported, MPI_BYTE, 0,
                             NOTICE_TAG, detector->sources, &detector->notice),
                   &rc->error);
    detector->token = (struct nereus_detector){check_for_loss, sees_loss, rc};
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
    struct nereus_error death;
    if (nereus_launch_failure(rc->launch, &death) != NEREUS_OK)
        nereus_fail(failure, failure->status, "%s", death.text);
    NEREUS_TRY(send_notice(rc, failure, err));
    return take_report(rc, failure);
}

/* Barrier of the new processes, then a message from their root to that of the sources. Over
 * libfabric MPICH aborts a source that sends to a process that has just died, whatever the error
 * handler (docs/jobs.md). */
enum nereus_status nereus_wait_for_new_processes(struct reconfiguration *rc)
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

/* All sources have reached the same end of the plan's revocable part. */
static enum nereus_status end_detection(struct reconfiguration *rc, enum nereus_status status)
{
    const struct nereus_error none = {0};
    struct nereus_error *err = &rc->error;
    if (rc->source_rank == 0) {
        NEREUS_TRY(check_supervisor(rc, err));
        for (int64_t i = 0; status == NEREUS_OK && i < rc->plan.tree.group_count; i++)
            nereus_launch_joined(rc->launch, (int)i);
        NEREUS_TRY(send_notice(rc, &none, err));
        take_report(rc, &none);
        return status;
    }
    NEREUS_TRY(nereus_wait(&rc->detector.notice, NEREUS_WAITING, err));
    NEREUS_TRY(take_report(rc, &rc->detector.reported));
    return status;
}

/* A call has failed here: wait whether a notice of a death explains it. */
static enum nereus_status wait_for_notice(struct reconfiguration *rc, enum nereus_status status)
{
    const double until_s = nereus_now_s() + notice_limit_s;
    struct nereus_error ignored;
    while (!rc->detector.lost && rc->waiting.detector != NULL && nereus_now_s() < until_s) {
        check_for_loss(rc, &ignored);
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
        return step[1].kind == NEREUS_STEP_COMMIT ? end_detection(rc, status) : status;
    return rc->verdict.status != NEREUS_OK ? end_detection(rc, status)
                                           : wait_for_notice(rc, status);
}
