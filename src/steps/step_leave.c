/**
 * @file step_leave.c
 * Runs the steps "sleep" (shrink_completion.c) and "disconnect" after a baseline; stamps are sent
 * first.
 */

#include "shrink_completion.h"
#include "src/job/stamps.h"
#include "src/mpi/mpi_library.h"
#include "src/util/clock.h"
#include "src/util/tags.h"
#include "steps.h"

/* Number of leaving processes that sleep instead of ending. */
static int64_t count_sleepers(const struct nereus_plan *plan)
{
    int64_t sleepers = 0;
    for (int64_t i = 0; i < plan->leaver_count; i++)
        sleepers += plan->leavers[i].ends == 0 ? plan->leavers[i].count : 0;
    return sleepers;
}

static enum nereus_status leave_job(struct reconfiguration *reconfig, struct nereus_error *err)
{
    NEREUS_TRY(nereus_completion_report(reconfig, err));
    if (!nereus_plan_source_ends(&reconfig->plan, reconfig->source_rank))
        return nereus_completion_await_sleep(reconfig, err);
    reconfig->takes_part = false;
    return NEREUS_OK;
}

enum nereus_status nereus_run_sleep(struct reconfiguration *reconfig)
{
    nereus_job *job = reconfig->job;
    if (reconfig->role == NEREUS_LEAVING) {
        NEREUS_TRY(leave_job(reconfig, &reconfig->error));
    } else {
        NEREUS_TRY(nereus_completion_begin(reconfig, &reconfig->error));
        job->completion->sleepers = count_sleepers(&reconfig->plan);
    }
    /* Free the old communicator, unless it is the pool (there were no zombies before). Pending
     * receives over it complete first. */
    if (reconfig->comms.old_control != job->pool && reconfig->comms.old_control != MPI_COMM_NULL)
        MPI_Comm_free(&reconfig->comms.old_control);
    return NEREUS_OK;
}

/* @param packed_times  times of this process; at the root followed by memory for those of all
 * sources */
static enum nereus_status send_gathered_stamps(const struct reconfiguration *reconfig,
                                               double *packed_times, int doubles,
                                               size_t all_doubles, struct nereus_error *err)
{
    const nereus_job *job = reconfig->job;
    MPI_Request request;
    NEREUS_MPI(MPI_Igather(packed_times, doubles, MPI_DOUBLE, packed_times + doubles, doubles,
                           MPI_DOUBLE, 0, job->control, &request),
               err);
    NEREUS_TRY(nereus_wait(&request, reconfig->wait_mode, err));
    if (job->rank != 0)
        return NEREUS_OK;
    NEREUS_MPI(MPI_Isend(packed_times + doubles, (int)all_doubles, MPI_DOUBLE, 0, HANDOVER_TAG,
                         reconfig->comms.inter, &request),
               err);
    return nereus_wait(&request, reconfig->wait_mode, err);
}

/* Sources of a baseline: send stamps to their root, which sends them to the root of the targets. */
static enum nereus_status send_stamps(struct reconfiguration *reconfig, int doubles,
                                      struct nereus_error *err)
{
    nereus_job *job = reconfig->job;
    const size_t all_doubles = (size_t)job->size * (size_t)doubles;
    double *packed_times =
        malloc(((size_t)doubles + (job->rank == 0 ? all_doubles : 0)) * sizeof *packed_times);
    NEREUS_TRY_MEMORY(packed_times, err, "for the times of this process");
    nereus_stamps_pack(job, &reconfig->plan, packed_times);
    const enum nereus_status status =
        send_gathered_stamps(reconfig, packed_times, doubles, all_doubles, err);
    if (status == NEREUS_OK) /* after a failure MPI may still use it */
        free(packed_times);
    return status;
}

static enum nereus_status receive_stamps(struct reconfiguration *reconfig, int doubles,
                                         struct nereus_error *err)
{
    reconfig->leavers.count = reconfig->plan.ns;
    reconfig->leavers.stamps = malloc((size_t)reconfig->plan.ns * (size_t)doubles * sizeof(double));
    NEREUS_TRY_MEMORY(reconfig->leavers.stamps, err, "for the times of %lld processes",
                      (long long)reconfig->plan.ns);
    return nereus_receive(
        reconfig->leavers.stamps, (size_t)reconfig->plan.ns * (size_t)doubles * sizeof(double),
        (struct nereus_sender){reconfig->comms.inter, 0, HANDOVER_TAG}, reconfig->wait_mode, err);
}

/* The old root, which leaves, gives the new one the job's time. */
static enum nereus_status send_job_time(struct reconfiguration *reconfig, struct nereus_error *err)
{
    nereus_job *job = reconfig->job;
    if (job->rank != 0 || job->trace.path == NULL || !reconfig->several_hosts)
        return NEREUS_OK;
    return reconfig->role == NEREUS_LEAVING ? nereus_clock_answer(reconfig->comms.inter, 0, err)
                                            : nereus_clock_request(reconfig->comms.inter, 0, err);
}

enum nereus_status nereus_run_disconnect(struct reconfiguration *reconfig)
{
    nereus_job *job = reconfig->job;
    struct nereus_error *err = &reconfig->error;
    const int doubles = (int)nereus_stamps_count_doubles(&reconfig->plan);
    NEREUS_TRY(send_job_time(reconfig, err));
    if (reconfig->role == NEREUS_LEAVING)
        NEREUS_TRY(send_stamps(reconfig, doubles, err));
    else if (job->rank == 0)
        NEREUS_TRY(receive_stamps(reconfig, doubles, err));
    enum nereus_status status = NEREUS_OK;
    /* a disconnect does not wait for the other side */
    NEREUS_TRY(nereus_barrier(reconfig->comms.inter, reconfig->wait_mode, err));
    if (reconfig->plan.intra)
        NEREUS_MPI(nereus_mpi()->end_merged(&reconfig->comms.merged), err);
    NEREUS_MPI(MPI_Comm_disconnect(&reconfig->comms.inter), err);
    if (reconfig->role == NEREUS_LEAVING) {
        if (job->rank == 0) /* a sleeping zombie would keep the job alive forever */
            status =
                nereus_zombies_call(&job->zombies, job->zombies.count, ZOMBIE_END, NULL, 0, err);
        job->zombies.count = 0;
        job->leaving = true;
    }
    return status;
}
