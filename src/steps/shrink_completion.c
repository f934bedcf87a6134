/**
 * @file shrink_completion.c
 * Exchanges stamps and messages after a shrink. A leaving process sends its stamps, and sleeps only
 * when the root tells it to, after all staying processes have received everything: a sleeping
 * process makes no progress in MPI, so its messages must have been delivered.
 *
 * Staying processes do not wait for that, as on shared cores the leaving ones would have to be
 * scheduled first. They receive the stamps at a later point, as core/trace.c receives those of the
 * targets; until then the leaving processes poll with a backoff, as an application computes on
 * their cores.
 */

#include "shrink_completion.h"

#include "src/job/stamps.h"
#include "src/link/watchdog.h"
#include "src/util/tags.h"

static void free_completion(struct nereus_completion *completion)
{
    free(completion->requests);
    free(completion->stamps);
    free(completion);
}

/* @param rows  number of leaving processes that report to the root */
static struct nereus_completion *make_completion(int64_t rows, size_t doubles)
{
    struct nereus_completion *completion = calloc(1, sizeof *completion);
    if (completion == NULL)
        return NULL;
    completion->rows = rows;
    completion->requests = malloc((size_t)(rows + 1) * sizeof(MPI_Request));
    completion->stamps = malloc(((size_t)rows * doubles + 1) * sizeof *completion->stamps);
    if (completion->requests != NULL && completion->stamps != NULL)
        return completion;
    free_completion(completion);
    return NULL;
}

/* Root: receive one row of stamps from each leaving process. */
static enum nereus_status receive_stamps(const struct reconfiguration *reconfig,
                                         struct nereus_completion *completion, int doubles,
                                         struct nereus_error *err)
{
    for (int64_t i = 0; i < reconfig->plan.leaver_count; i++) {
        const struct nereus_leavers *leavers = &reconfig->plan.leavers[i];
        for (int64_t rank = leavers->first; rank < leavers->first + leavers->count; rank++) {
            double *row = completion->stamps + (completion->count - 1) * doubles;
            NEREUS_MPI(MPI_Irecv(row, doubles, MPI_DOUBLE, (int)rank, STAMPS_TAG,
                                 reconfig->comms.old_control,
                                 &completion->requests[completion->count]),
                       err);
            completion->count++;
        }
    }
    return NEREUS_OK;
}

enum nereus_status nereus_completion_begin(struct reconfiguration *reconfig,
                                           struct nereus_error *err)
{
    nereus_job *job = reconfig->job;
    const int doubles = (int)nereus_stamps_count_doubles(&reconfig->plan);
    const int64_t rows = job->rank == 0 ? reconfig->plan.leaving : 0;
    if (reconfig->leavers.collected)
        return NEREUS_OK;
    reconfig->leavers.collected = true;
    struct nereus_completion *completion = make_completion(rows, (size_t)doubles);
    NEREUS_TRY_MEMORY(completion, err, "for the times of %lld processes", (long long)rows);
    job->completion = completion;
    job->unfinished = true;
    /* Only the root needs to know that all have left the last agreement. */
    NEREUS_MPI(MPI_Ireduce(&completion->own_arrival, &completion->common_arrival, 1, MPI_CHAR,
                           MPI_MIN, 0, job->control, &completion->requests[0]),
               err);
    completion->count = 1;
    return job->rank == 0 ? receive_stamps(reconfig, completion, doubles, err) : NEREUS_OK;
}

enum nereus_status nereus_completion_wait(struct nereus_completion *completion,
                                          struct nereus_wait_mode wait_mode,
                                          struct nereus_error *err)
{
    for (int i = 0; i < completion->count; i++)
        NEREUS_TRY(nereus_wait(&completion->requests[i], wait_mode, err));
    return NEREUS_OK;
}

enum nereus_status nereus_completion_report(struct reconfiguration *reconfig,
                                            struct nereus_error *err)
{
    const int doubles = (int)nereus_stamps_count_doubles(&reconfig->plan);
    if (reconfig->leavers.collected)
        return NEREUS_OK;
    reconfig->leavers.collected = true;
    double *packed_times = malloc((size_t)doubles * sizeof *packed_times);
    NEREUS_TRY_MEMORY(packed_times, err, "for the times of this process");
    nereus_stamps_pack(reconfig->job, &reconfig->plan, packed_times);
    const int code =
        MPI_Send(packed_times, doubles, MPI_DOUBLE, (int)nereus_plan_old_rank(&reconfig->plan, 0),
                 STAMPS_TAG, reconfig->comms.old_control);
    free(packed_times);
    return code == MPI_SUCCESS ? NEREUS_OK : nereus_mpi_failed(code, "handing over the times", err);
}

enum nereus_status nereus_completion_await_sleep(struct reconfiguration *reconfig,
                                                 struct nereus_error *err)
{
    static char sleep_now; /* static: see nereus_receive */
    nereus_job *job = reconfig->job;
    /* the root may compute for a long time until its next point */
    nereus_watchdog_set_asleep(job->watchdog);
    /* Not from MPI_ANY_SOURCE: in MPICH 5.0.2 (ucx) such a receive now and then misses a message
     * from another world. */
    return nereus_receive(&sleep_now, 1,
                          (struct nereus_sender){job->pool, reconfig->shrink.caller, SLEEP_TAG},
                          nereus_reconfig_waiting(reconfig, true), err);
}

/* Root: tell the new zombies, which are last in its list, to sleep. */
static enum nereus_status send_to_sleep(const nereus_job *job, struct nereus_error *err)
{
    const struct zombies *zombies = &job->zombies;
    const char sleep_now = 1;
    for (int64_t i = zombies->count - job->completion->sleepers; i < zombies->count; i++)
        NEREUS_MPI(MPI_Send(&sleep_now, 1, MPI_BYTE, (int)zombies->addresses[i].pool_rank,
                            SLEEP_TAG, job->pool),
                   err);
    return NEREUS_OK;
}

/* Pass the stamps to the trace, if there is one. */
static void send_stamps(struct trace *trace, struct nereus_completion *completion)
{
    if (!trace->reporting)
        return;
    trace->leaver_times = completion->stamps;
    trace->leaver_count = completion->rows;
    completion->stamps = NULL;
}

enum nereus_status nereus_completion_finish(nereus_job *job, bool wait, struct nereus_error *err)
{
    struct nereus_completion *completion = job->completion;
    int arrived = 1;
    if (completion == NULL)
        return NEREUS_OK;
    if (wait)
        NEREUS_TRY(nereus_completion_wait(completion, NEREUS_WAIT_AWAKE, err));
    else
        NEREUS_MPI(
            MPI_Testall(completion->count, completion->requests, &arrived, MPI_STATUSES_IGNORE),
            err);
    if (!arrived)
        return NEREUS_OK;
    if (job->rank == 0) {
        NEREUS_TRY(send_to_sleep(job, err));
        send_stamps(&job->trace, completion);
    }
    job->completion = NULL;
    free_completion(completion);
    return NEREUS_OK;
}
