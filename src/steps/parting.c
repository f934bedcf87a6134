/*
 * Leaving processes hand their stamps over, and a zombie falls asleep only when the root tells it
 * to, after all that stay have received everything: messages must not remain unsent in a process
 * that no longer makes progress in MPI.
 *
 * Those that stay do not wait for that: where processes share cores the leaving ones would first
 * have to get their turns. What they and the others tell the root is received at a later point,
 * like the targets' stamps (core/trace.c), and the leaving processes sleep between their looks
 * until then, as an application computes on their cores.
 */
#include "parting.h"

#include <stdlib.h>

#include "src/job/stamps.h"
#include "src/link/watchdog.h"
#include "src/util/error.h"

enum { STAMPS_TAG = 41, SLEEP_TAG = 42 };

static void free_parting(struct nereus_parting *parting)
{
    free(parting->requests);
    free(parting->stamps);
    free(parting);
}

/* @param rows  the leaving processes, of which the root hears */
static struct nereus_parting *new_parting(int64_t rows, size_t doubles)
{
    struct nereus_parting *parting = calloc(1, sizeof *parting);
    if (parting == NULL)
        return NULL;
    parting->rows = rows;
    parting->requests = malloc((size_t)(rows + 1) * sizeof(MPI_Request));
    parting->stamps = malloc(((size_t)rows * doubles + 1) * sizeof *parting->stamps);
    if (parting->requests != NULL && parting->stamps != NULL)
        return parting;
    free_parting(parting);
    return NULL;
}

/* The root: one row of stamps from each leaving process. */
static enum nereus_status receive_stamps(const struct reconfiguration *rc,
                                         struct nereus_parting *parting, int doubles,
                                         struct nereus_error *err)
{
    for (int64_t i = 0; i < rc->plan.leaver_count; i++) {
        const struct nereus_leavers *leavers = &rc->plan.leavers[i];
        for (int64_t rank = leavers->first; rank < leavers->first + leavers->count; rank++) {
            double *row = parting->stamps + (parting->count - 1) * doubles;
            NEREUS_MPI(MPI_Irecv(row, doubles, MPI_DOUBLE, (int)rank, STAMPS_TAG,
                                 rc->comms.old_control, &parting->requests[parting->count]),
                       err);
            parting->count++;
        }
    }
    return NEREUS_OK;
}

enum nereus_status nereus_parting_begin(struct reconfiguration *rc, struct nereus_error *err)
{
    nereus_job *job = rc->job;
    const int doubles = (int)nereus_stamps_doubles(&rc->plan);
    const int64_t rows = job->rank == 0 ? rc->plan.leaving : 0;
    if (rc->leavers.collected)
        return NEREUS_OK;
    rc->leavers.collected = true;
    struct nereus_parting *parting = new_parting(rows, (size_t)doubles);
    NEREUS_TRY_MEMORY(parting, err, "for the times of %lld processes", (long long)rows);
    job->parting = parting;
    job->unfinished = true;
    /* The root alone has to know that all are out of the last agreement. */
    NEREUS_MPI(MPI_Ireduce(&parting->here, &parting->least, 1, MPI_CHAR, MPI_MIN, 0, job->control,
                           &parting->requests[0]),
               err);
    parting->count = 1;
    return job->rank == 0 ? receive_stamps(rc, parting, doubles, err) : NEREUS_OK;
}

enum nereus_status nereus_parting_wait(struct nereus_parting *parting,
                                       struct nereus_waiting waiting, struct nereus_error *err)
{
    for (int i = 0; i < parting->count; i++)
        NEREUS_TRY(nereus_wait(&parting->requests[i], waiting, err));
    return NEREUS_OK;
}

enum nereus_status nereus_parting_report(struct reconfiguration *rc, struct nereus_error *err)
{
    const int doubles = (int)nereus_stamps_doubles(&rc->plan);
    if (rc->leavers.collected)
        return NEREUS_OK;
    rc->leavers.collected = true;
    double *packed = malloc((size_t)doubles * sizeof *packed);
    NEREUS_TRY_MEMORY(packed, err, "for the times of this process");
    nereus_stamps_pack(rc->job, &rc->plan, packed);
    const int code = MPI_Send(packed, doubles, MPI_DOUBLE, (int)nereus_plan_old_rank(&rc->plan, 0),
                              STAMPS_TAG, rc->comms.old_control);
    free(packed);
    return code == MPI_SUCCESS ? NEREUS_OK : nereus_mpi_failed(code, "handing over the times", err);
}

enum nereus_status nereus_parting_await_sleep(struct reconfiguration *rc, struct nereus_error *err)
{
    static char sleep_now; /* static: see nereus_receive */
    nereus_job *job = rc->job;
    /* The root may compute for long until its next point. */
    nereus_watchdog_sleeps(job->watchdog);
    /* Not from MPI_ANY_SOURCE: in MPICH 5.0.2 (ucx) such a receive now and then misses a message
     * from another world. */
    return nereus_receive(&sleep_now, 1, rc->shrink.caller, SLEEP_TAG, job->pool,
                          nereus_rc_waiting(rc, true), err);
}

/* The root. The new zombies are last in its list. */
static enum nereus_status send_to_sleep(const nereus_job *job, struct nereus_error *err)
{
    const struct zombies *zombies = &job->zombies;
    const char sleep_now = 1;
    for (int64_t i = zombies->count - job->parting->sleepers; i < zombies->count; i++)
        NEREUS_MPI(MPI_Send(&sleep_now, 1, MPI_BYTE, (int)zombies->addresses[i].pool_rank,
                            SLEEP_TAG, job->pool),
                   err);
    return NEREUS_OK;
}

/* To the trace, if there is one. */
static void give_stamps(struct trace *trace, struct nereus_parting *parting)
{
    if (!trace->reporting)
        return;
    trace->earlier = parting->stamps;
    trace->earlier_count = parting->rows;
    parting->stamps = NULL;
}

enum nereus_status nereus_parting_finish(nereus_job *job, bool wait, struct nereus_error *err)
{
    struct nereus_parting *parting = job->parting;
    int arrived = 1;
    if (parting == NULL)
        return NEREUS_OK;
    if (wait)
        NEREUS_TRY(nereus_parting_wait(parting, NEREUS_WAITING, err));
    else
        NEREUS_MPI(MPI_Testall(parting->count, parting->requests, &arrived, MPI_STATUSES_IGNORE),
                   err);
    if (!arrived)
        return NEREUS_OK;
    if (job->rank == 0) {
        NEREUS_TRY(send_to_sleep(job, err));
        give_stamps(&job->trace, parting);
    }
    job->parting = NULL;
    free_parting(parting);
    return NEREUS_OK;
}
