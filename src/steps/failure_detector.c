/**
 * @file failure_detector.c
 * Detects launched processes that die between the connection and the commit. MPI does not return
 * from a call that waits for a dead process, so the sources block in no call: every request is
 * tested (util/wait.h), and the root polls nereus-supervise, which holds the lifelines, for deaths.
 * The root sends a notice to the other sources over a separate communicator, on which they have
 * posted a receive; without a loss it sends an OK notice after the last agreement, and only then
 * the commit begins.
 *
 * While the application runs between the connection and the commit, the auxiliary threads detect;
 * during a redistribution at points only the root checks, at its points. After a death it stops all
 * processes at one point, as when the part is complete; nereus-supervise gives the application time
 * to reach it.
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
#include "src/util/tags.h"

static const double poll_every_s = 1e-3;
/* Time limit for the notice of a death, which may arrive after the MPI call that fails because of
 * the death. */
static const double notice_limit_s = 2;
/* Time limit for the reason of a failed connection to arrive. */
static const double sentence_limit_s = 0.2;

bool nereus_is_watched(const struct reconfiguration *reconfig)
{
    return nereus_plan_is_isolated(&reconfig->plan);
}

void nereus_detector_pause(struct reconfiguration *reconfig, bool application_goes_on)
{
    reconfig->wait_mode.detector = NULL;
    for (int64_t i = 0; application_goes_on && reconfig->detector.on && reconfig->launch != NULL &&
                        i < reconfig->plan.tree.group_count;
         i++)
        nereus_launch_set_overlapped(reconfig->launch, (int)i,
                                     reconfig->job->settings.spawn_timeout_s);
}

void nereus_detector_resume(struct reconfiguration *reconfig, bool application_stands)
{
    reconfig->wait_mode.detector = reconfig->detector.on ? &reconfig->detector.token : NULL;
    for (int64_t i = 0; application_stands && reconfig->detector.on && reconfig->launch != NULL &&
                        i < reconfig->plan.tree.group_count;
         i++)
        nereus_launch_set_connected(reconfig->launch, (int)i);
}

bool nereus_detector_has_loss(struct reconfiguration *reconfig)
{
    if (!reconfig->detector.on || reconfig->launch == NULL)
        return false;
    if (nereus_skewed_monotonic_s() >= reconfig->detector.next_look_s) {
        reconfig->detector.next_look_s = nereus_skewed_monotonic_s() + poll_every_s;
        nereus_launch_poll(reconfig->launch);
    }
    return nereus_launch_failure(reconfig->launch, NULL) != NEREUS_OK;
}

/* The root's notice to all other sources, the last action of its detector. */
static enum nereus_status send_notice(struct reconfiguration *reconfig,
                                      const struct nereus_error *notice, struct nereus_error *err)
{
    int sources;
    NEREUS_MPI(MPI_Comm_size(reconfig->detector.sources, &sources), err);
    for (int i = 1; i < sources; i++)
        NEREUS_MPI(MPI_Send(notice, (int)sizeof *notice, MPI_BYTE, i, NOTICE_TAG,
                            reconfig->detector.sources),
                   err);
    return NEREUS_OK;
}

static enum nereus_status receive_report(struct reconfiguration *reconfig,
                                         const struct nereus_error *notice)
{
    reconfig->detector.on = false;
    reconfig->wait_mode.detector = NULL;
    if (notice->status == NEREUS_OK)
        return NEREUS_OK;
    reconfig->detector.lost = true;
    reconfig->verdict = *notice;
    return notice->status;
}

static enum nereus_status check_supervisor(struct reconfiguration *reconfig,
                                           struct nereus_error *err)
{
    struct nereus_error failure = {0};
    nereus_launch_poll(reconfig->launch);
    if (nereus_launch_failure(reconfig->launch, &failure) == NEREUS_OK)
        return NEREUS_OK;
    NEREUS_TRY(send_notice(reconfig, &failure, err));
    return receive_report(reconfig, &failure);
}

static enum nereus_status check_for_loss(void *context, struct nereus_error *err)
{
    struct reconfiguration *reconfig = context;
    int reported = 0;
    if (nereus_skewed_monotonic_s() < reconfig->detector.next_look_s)
        return NEREUS_OK;
    reconfig->detector.next_look_s = nereus_skewed_monotonic_s() + poll_every_s;
    if (reconfig->source_rank == 0)
        return check_supervisor(reconfig, err);
    NEREUS_MPI(MPI_Test(&reconfig->detector.notice, &reported, MPI_STATUS_IGNORE), err);
    return reported ? receive_report(reconfig, &reconfig->detector.reported_error) : NEREUS_OK;
}

static bool sees_loss(void *context)
{
    return nereus_detector_has_loss(context);
}

enum nereus_status nereus_detector_begin(struct reconfiguration *reconfig)
{
    struct failure_detector *detector = &reconfig->detector;
    detector->notice = MPI_REQUEST_NULL;
    /* A separate communicator: collectives that only some have begun must not match later ones. */
    NEREUS_MPI(MPI_Comm_dup(reconfig->comms.parents, &detector->sources), &reconfig->error);
    NEREUS_MPI(MPI_Comm_set_errhandler(detector->sources, MPI_ERRORS_RETURN), &reconfig->error);
    if (reconfig->source_rank != 0)
        NEREUS_MPI(MPI_Irecv(&detector->reported_error, (int)sizeof detector->reported_error,
                             MPI_BYTE, 0, NOTICE_TAG, detector->sources, &detector->notice),
                   &reconfig->error);
    detector->token = (struct nereus_detector){check_for_loss, sees_loss, reconfig};
    detector->on = true;
    return NEREUS_OK;
}

enum nereus_status nereus_detector_report_failure(struct reconfiguration *reconfig,
                                                  struct nereus_error *failure)
{
    const double deadline_s = nereus_skewed_monotonic_s() + sentence_limit_s;
    struct nereus_error *err = &reconfig->error;
    if (reconfig->source_rank != 0) {
        NEREUS_TRY(nereus_wait(&reconfig->detector.notice, NEREUS_WAIT_AWAKE, err));
        return receive_report(reconfig, &reconfig->detector.reported_error);
    }
    while (!nereus_detector_has_loss(reconfig) && nereus_skewed_monotonic_s() < deadline_s)
        sched_yield();
    struct nereus_error death;
    if (nereus_launch_failure(reconfig->launch, &death) != NEREUS_OK)
        nereus_fail(failure, failure->status, "%s", death.text);
    NEREUS_TRY(send_notice(reconfig, failure, err));
    return receive_report(reconfig, failure);
}

/* Barrier of the new processes, then a message from their root to that of the sources. The sources
 * only receive: over libfabric MPICH aborts a source that sends to a process that has just died,
 * with any error handler (docs/jobs.md). */
enum nereus_status nereus_wait_for_new_processes(struct reconfiguration *reconfig)
{
    static char ready; /* static: if the peer dies the receive never completes */
    struct nereus_error *err = &reconfig->error;
    const bool is_new = reconfig->role == NEREUS_SPAWNED;
    MPI_Request request = MPI_REQUEST_NULL;
    int rank;
    if (!nereus_is_watched(reconfig))
        return NEREUS_OK;
    NEREUS_MPI(
        MPI_Comm_rank(is_new ? reconfig->comms.new_processes : reconfig->detector.sources, &rank),
        err);
    if (is_new)
        NEREUS_TRY(nereus_barrier(reconfig->comms.new_processes, reconfig->wait_mode, err));
    if (is_new && rank == 0)
        NEREUS_MPI(MPI_Isend(&ready, 1, MPI_BYTE, 0, READY_TAG, reconfig->comms.inter, &request),
                   err);
    if (!is_new && rank == 0)
        NEREUS_MPI(MPI_Irecv(&ready, 1, MPI_BYTE, 0, READY_TAG, reconfig->comms.inter, &request),
                   err);
    NEREUS_TRY(nereus_wait(&request, reconfig->wait_mode, err));
    return is_new ? NEREUS_OK
                  : nereus_barrier(reconfig->detector.sources, reconfig->wait_mode, err);
}

/* End the detection, after all sources have reached the end of the part of the plan that can be
 * rolled back. */
static enum nereus_status end_detection(struct reconfiguration *reconfig, enum nereus_status status)
{
    const struct nereus_error none = {0};
    struct nereus_error *err = &reconfig->error;
    if (reconfig->source_rank == 0) {
        NEREUS_TRY(check_supervisor(reconfig, err));
        for (int64_t i = 0; status == NEREUS_OK && i < reconfig->plan.tree.group_count; i++)
            nereus_launch_set_joined(reconfig->launch, (int)i);
        NEREUS_TRY(send_notice(reconfig, &none, err));
        receive_report(reconfig, &none);
        return status;
    }
    NEREUS_TRY(nereus_wait(&reconfig->detector.notice, NEREUS_WAIT_AWAKE, err));
    NEREUS_TRY(receive_report(reconfig, &reconfig->detector.reported_error));
    return status;
}

/* A call has failed here: wait whether a notice of a death explains it. */
static enum nereus_status wait_for_notice(struct reconfiguration *reconfig,
                                          enum nereus_status status)
{
    const double deadline_s = nereus_skewed_monotonic_s() + notice_limit_s;
    struct nereus_error ignored;
    while (!reconfig->detector.lost && reconfig->wait_mode.detector != NULL &&
           nereus_skewed_monotonic_s() < deadline_s) {
        check_for_loss(reconfig, &ignored);
        sched_yield();
    }
    reconfig->wait_mode.detector = NULL;
    return reconfig->detector.lost ? reconfig->verdict.status : status;
}

enum nereus_status nereus_detector_after_step(struct reconfiguration *reconfig,
                                              const struct nereus_step *step,
                                              enum nereus_status status)
{
    if (!reconfig->detector.on || reconfig->detector.lost)
        return status;
    if (status == NEREUS_OK)
        return step[1].kind == NEREUS_STEP_COMMIT ? end_detection(reconfig, status) : status;
    return reconfig->verdict.status != NEREUS_OK ? end_detection(reconfig, status)
                                                 : wait_for_notice(reconfig, status);
}
