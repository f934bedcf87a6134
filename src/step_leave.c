/*
 * Parting. Who leaves hands its stamps over first. A zombie falls asleep only when the root says so, which it
 * does when all who stay have everything: what was sent to them must not lie unsent in a process that no
 * longer turns MPI's wheels.
 */
#include <stdlib.h>

#include "job.h"

enum { STAMPS_TAG = 41, SLEEP_TAG = 42, HANDOVER_TAG = 43 };

static enum nereus_status fall_asleep(struct move *move, double *packed, int doubles,
                                      struct nereus_error *err)
{
    nereus_job *job = move->job;
    char sleep_now;
    nereus_trace_pack(job, &move->plan, packed);
    NEREUS_MPI(MPI_Send(packed, doubles, MPI_DOUBLE, 0, STAMPS_TAG, move->old_control), err);
    NEREUS_MPI(MPI_Recv(&sleep_now, 1, MPI_BYTE, 0, SLEEP_TAG, move->old_control, MPI_STATUS_IGNORE), err);
    return NEREUS_OK;
}

/* The root, after all who stay have passed a barrier. */
static enum nereus_status send_to_sleep(struct move *move, int doubles, struct nereus_error *err)
{
    const char sleep_now = 1;
    move->leaver_count = move->plan.leaving;
    move->leavers = malloc((size_t)move->plan.leaving * (size_t)doubles * sizeof(double));
    if (move->leavers == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the times of %lld processes",
                           (long long)move->plan.leaving);
    for (int64_t i = 0; i < move->plan.leaving; i++) {
        const int rank = (int)(move->plan.nt + i);
        NEREUS_MPI(MPI_Recv(move->leavers + i * doubles, doubles, MPI_DOUBLE, rank, STAMPS_TAG,
                            move->old_control, MPI_STATUS_IGNORE),
                   err);
        NEREUS_MPI(MPI_Send(&sleep_now, 1, MPI_BYTE, rank, SLEEP_TAG, move->old_control), err);
    }
    return NEREUS_OK;
}

enum nereus_status nereus_run_sleep(struct move *move, const struct nereus_step *step, bool *taken)
{
    nereus_job *job = move->job;
    struct nereus_error *err = &move->error;
    const int doubles = (int)nereus_trace_packed_doubles(&move->plan);
    enum nereus_status status = NEREUS_OK;
    (void)step;
    (void)taken;
    if (move->role == NEREUS_LEAVING) {
        double *packed = malloc((size_t)doubles * sizeof *packed);
        if (packed == NULL)
            return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the times of this process");
        status = fall_asleep(move, packed, doubles, err);
        free(packed);
    } else {
        NEREUS_MPI(MPI_Barrier(job->control), err);
        if (job->rank == 0)
            status = send_to_sleep(move, doubles, err);
    }
    /* The pool keeps all connected; this communicator is the pool itself unless others slept already. */
    if (move->old_control != job->pool)
        MPI_Comm_free(&move->old_control);
    return status;
}

/* Sources of a baseline: stamps to their root, and from it to the root of the targets. */
static enum nereus_status hand_over(struct move *move, int doubles, struct nereus_error *err)
{
    nereus_job *job = move->job;
    const size_t all_doubles = (size_t)job->size * (size_t)doubles;
    double *packed = malloc(((size_t)doubles + (job->rank == 0 ? all_doubles : 0)) * sizeof *packed);
    if (packed == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the times of this process");
    double *all = packed + doubles;
    nereus_trace_pack(job, &move->plan, packed);
    int code = MPI_Gather(packed, doubles, MPI_DOUBLE, all, doubles, MPI_DOUBLE, 0, job->control);
    if (code == MPI_SUCCESS && job->rank == 0)
        code = MPI_Send(all, (int)all_doubles, MPI_DOUBLE, 0, HANDOVER_TAG, move->inter);
    free(packed);
    return code == MPI_SUCCESS ? NEREUS_OK : nereus_mpi_failed(code, "handing over the times", err);
}

static enum nereus_status take_over(struct move *move, int doubles, struct nereus_error *err)
{
    move->leaver_count = move->plan.ns;
    move->leavers = malloc((size_t)move->plan.ns * (size_t)doubles * sizeof(double));
    if (move->leavers == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the times of %lld processes",
                           (long long)move->plan.ns);
    NEREUS_MPI(MPI_Recv(move->leavers, (int)move->plan.ns * doubles, MPI_DOUBLE, 0, HANDOVER_TAG, move->inter,
                        MPI_STATUS_IGNORE),
               err);
    return NEREUS_OK;
}

enum nereus_status nereus_run_disconnect(struct move *move, const struct nereus_step *step, bool *taken)
{
    nereus_job *job = move->job;
    struct nereus_error *err = &move->error;
    const int doubles = (int)nereus_trace_packed_doubles(&move->plan);
    (void)step;
    (void)taken;
    if (move->role == NEREUS_LEAVING)
        NEREUS_TRY(hand_over(move, doubles, err));
    else if (job->rank == 0)
        NEREUS_TRY(take_over(move, doubles, err));
    enum nereus_status status = NEREUS_OK;
    /* A disconnect does not wait for the other side: the barrier does. */
    NEREUS_MPI(MPI_Barrier(move->inter), err);
    if (move->plan.intra)
        NEREUS_MPI(MPI_Comm_disconnect(&move->wide), err);
    NEREUS_MPI(MPI_Comm_disconnect(&move->inter), err);
    if (move->role == NEREUS_LEAVING) {
        if (job->rank == 0)
            status =
                zombies_end(&job->zombies, err); /* without its end a zombie would keep the job for ever */
        job->zombies.count = 0;
        job->leaving = true;
    }
    return status;
}
