/* Falling asleep, and parting after a baseline. Leaving processes hand their stamps over first. A
 * zombie falls asleep only when the root tells it to, after all that stay have received everything:
 * messages must not remain unsent in a process that no longer makes progress in MPI. */
#include <stdlib.h>

#include "src/job/stamps.h"
#include "src/util/clock.h"
#include "src/util/error.h"
#include "steps.h"

enum { STAMPS_TAG = 41, SLEEP_TAG = 42, HANDOVER_TAG = 43 };

/* The root of those that stay: one row of stamps from each leaving process. */
static enum nereus_status receive_stamps(struct reconfiguration *rc, int doubles,
                                         struct nereus_error *err)
{
    const struct nereus_plan *plan = &rc->plan;
    int64_t row = 0;
    rc->leavers.count = plan->leaving;
    rc->leavers.stamps = malloc((size_t)plan->leaving * (size_t)doubles * sizeof(double));
    NEREUS_TRY_MEMORY(rc->leavers.stamps, err, "for the times of %lld processes",
                      (long long)plan->leaving);
    for (int64_t i = 0; i < plan->leaver_count; i++)
        for (int64_t k = 0; k < plan->leavers[i].count; k++, row++)
            NEREUS_TRY(nereus_receive(rc->leavers.stamps + row * doubles,
                                      (size_t)doubles * sizeof(double),
                                      (int)(plan->leavers[i].first + k), STAMPS_TAG,
                                      rc->comms.old_control, rc->waiting, err));
    return NEREUS_OK;
}

/* Those that stay: the root alone has to know that all are out of the last agreement, so the others
 * do not wait as in a barrier. */
static enum nereus_status report_arrival(const struct reconfiguration *rc, struct nereus_error *err)
{
    static const char here = 1;
    static char least; /* static: if the wait fails the reduction is still outstanding */
    MPI_Request reported;
    NEREUS_MPI(MPI_Ireduce(&here, &least, 1, MPI_CHAR, MPI_MIN, 0, rc->job->control, &reported),
               err);
    return nereus_wait(&reported, rc->waiting, err);
}

enum nereus_status nereus_collect_stamps(struct reconfiguration *rc, struct nereus_error *err)
{
    const int doubles = (int)nereus_stamps_doubles(&rc->plan);
    if (rc->leavers.collected)
        return NEREUS_OK;
    rc->leavers.collected = true;
    if (rc->role != NEREUS_LEAVING) {
        NEREUS_TRY(report_arrival(rc, err));
        return rc->job->rank == 0 ? receive_stamps(rc, doubles, err) : NEREUS_OK;
    }
    double *packed = malloc((size_t)doubles * sizeof *packed);
    NEREUS_TRY_MEMORY(packed, err, "for the times of this process");
    nereus_stamps_pack(rc->job, &rc->plan, packed);
    const int code = MPI_Send(packed, doubles, MPI_DOUBLE, (int)nereus_plan_old_rank(&rc->plan, 0),
                              STAMPS_TAG, rc->comms.old_control);
    free(packed);
    return code == MPI_SUCCESS ? NEREUS_OK : nereus_mpi_failed(code, "handing over the times", err);
}

/* The root, after all that stay have reported. The new zombies are last in its list. */
static enum nereus_status send_to_sleep(struct reconfiguration *rc, struct nereus_error *err)
{
    const struct zombies *zombies = &rc->job->zombies;
    const char sleep_now = 1;
    for (int64_t i = 0; i < rc->plan.leaver_count; i++)
        rc->shrink.sleepers += rc->plan.leavers[i].ends == 0 ? rc->plan.leavers[i].count : 0;
    for (int64_t i = zombies->count - rc->shrink.sleepers; i < zombies->count; i++)
        NEREUS_MPI(MPI_Send(&sleep_now, 1, MPI_BYTE, (int)zombies->addresses[i].pool_rank,
                            SLEEP_TAG, rc->job->pool),
                   err);
    return NEREUS_OK;
}

enum nereus_status nereus_run_sleep(struct reconfiguration *rc)
{
    nereus_job *job = rc->job;
    struct nereus_error *err = &rc->error;
    static char sleep_now; /* static: see nereus_receive */
    NEREUS_TRY(nereus_collect_stamps(rc, err));
    if (rc->role == NEREUS_LEAVING && nereus_plan_source_ends(&rc->plan, rc->source_rank))
        rc->taken = false;
    else if (rc->role == NEREUS_LEAVING)
        /* Not from MPI_ANY_SOURCE: in MPICH 5.0.2 (ucx) such a receive now and then misses a
         * message from another world. */
        NEREUS_TRY(nereus_receive(&sleep_now, 1, rc->shrink.caller, SLEEP_TAG, job->pool,
                                  rc->waiting, err));
    else if (job->rank == 0)
        NEREUS_TRY(send_to_sleep(rc, err));
    /* The pool keeps all connected; this communicator is the pool itself if there were no zombies
     * before. */
    if (rc->comms.old_control != job->pool && rc->comms.old_control != MPI_COMM_NULL)
        MPI_Comm_free(&rc->comms.old_control);
    return NEREUS_OK;
}

/* @param packed  of this process; behind them, at the root, room for those of all sources */
static enum nereus_status send_all(const struct reconfiguration *rc, double *packed, int doubles,
                                   size_t all_doubles, struct nereus_error *err)
{
    const nereus_job *job = rc->job;
    MPI_Request request;
    NEREUS_MPI(MPI_Igather(packed, doubles, MPI_DOUBLE, packed + doubles, doubles, MPI_DOUBLE, 0,
                           job->control, &request),
               err);
    NEREUS_TRY(nereus_wait(&request, rc->waiting, err));
    if (job->rank != 0)
        return NEREUS_OK;
    NEREUS_MPI(MPI_Isend(packed + doubles, (int)all_doubles, MPI_DOUBLE, 0, HANDOVER_TAG,
                         rc->comms.inter, &request),
               err);
    return nereus_wait(&request, rc->waiting, err);
}

/* Sources of a baseline: stamps to their root, and from it to the root of the targets. */
static enum nereus_status hand_over(struct reconfiguration *rc, int doubles,
                                    struct nereus_error *err)
{
    nereus_job *job = rc->job;
    const size_t all_doubles = (size_t)job->size * (size_t)doubles;
    double *packed =
        malloc(((size_t)doubles + (job->rank == 0 ? all_doubles : 0)) * sizeof *packed);
    NEREUS_TRY_MEMORY(packed, err, "for the times of this process");
    nereus_stamps_pack(job, &rc->plan, packed);
    const enum nereus_status status = send_all(rc, packed, doubles, all_doubles, err);
    if (status == NEREUS_OK) /* else MPI may still use it */
        free(packed);
    return status;
}

static enum nereus_status take_over(struct reconfiguration *rc, int doubles,
                                    struct nereus_error *err)
{
    rc->leavers.count = rc->plan.ns;
    rc->leavers.stamps = malloc((size_t)rc->plan.ns * (size_t)doubles * sizeof(double));
    NEREUS_TRY_MEMORY(rc->leavers.stamps, err, "for the times of %lld processes",
                      (long long)rc->plan.ns);
    return nereus_receive(rc->leavers.stamps,
                          (size_t)rc->plan.ns * (size_t)doubles * sizeof(double), 0, HANDOVER_TAG,
                          rc->comms.inter, rc->waiting, err);
}

/* The new root learns the job's time from the old one, which leaves. */
static enum nereus_status pass_time_on(struct reconfiguration *rc, struct nereus_error *err)
{
    nereus_job *job = rc->job;
    if (job->rank != 0 || job->trace.path == NULL || !rc->several_hosts)
        return NEREUS_OK;
    return rc->role == NEREUS_LEAVING ? nereus_clock_answer(rc->comms.inter, 0, err)
                                      : nereus_clock_ask(rc->comms.inter, 0, err);
}

enum nereus_status nereus_run_disconnect(struct reconfiguration *rc)
{
    nereus_job *job = rc->job;
    struct nereus_error *err = &rc->error;
    const int doubles = (int)nereus_stamps_doubles(&rc->plan);
    NEREUS_TRY(pass_time_on(rc, err));
    if (rc->role == NEREUS_LEAVING)
        NEREUS_TRY(hand_over(rc, doubles, err));
    else if (job->rank == 0)
        NEREUS_TRY(take_over(rc, doubles, err));
    enum nereus_status status = NEREUS_OK;
    /* A disconnect does not wait for the other side: the barrier does. */
    NEREUS_TRY(nereus_barrier(rc->comms.inter, rc->waiting, err));
    if (rc->plan.intra)
        NEREUS_MPI(MPI_Comm_disconnect(&rc->comms.merged), err);
    NEREUS_MPI(MPI_Comm_disconnect(&rc->comms.inter), err);
    if (rc->role == NEREUS_LEAVING) {
        if (job->rank == 0) /* without its end a zombie would keep the job for ever */
            status = zombies_end(&job->zombies, err);
        job->zombies.count = 0;
        job->leaving = true;
    }
    return status;
}
