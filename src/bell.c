/*
 * Requests made at run time. Rank 0 rings: one small message to each of the others, who have a receive
 * posted. Who hears it proposes its next point but one, all take part in a non-blocking reduction, and the
 * largest proposal is the point at which all act. Nobody passes its own proposal before the reduction is
 * complete, so nobody can pass the point that is agreed on.
 *
 * Without a request a point looks at MPI only every LOOK_EVERY_S: mostly it costs the reading of a clock.
 */
#include <string.h>

#include "job.h"

enum { BELL_TAG = 51 };
static const double LOOK_EVERY_S = 100e-6;

void nereus_bell_init(nereus_job *job)
{
    struct bell *bell = &job->bell;
    bell->rung = bell->proposed = bell->settled = false;
    bell->heard = bell->agreed = MPI_REQUEST_NULL;
    bell->next_look_s = 0;
    if (job->rank != 0) {
        bell->wanted = false; /* only rank 0 can want something */
        MPI_Irecv(&bell->rung_value, 1, MPI_INT64_T, 0, BELL_TAG, job->control, &bell->heard);
    }
}

/* Rank 0, once it wants something. */
static enum nereus_status ring(nereus_job *job, struct nereus_error *err)
{
    const int64_t value = 1;
    for (int rank = 1; rank < job->size; rank++)
        NEREUS_MPI(MPI_Send(&value, 1, MPI_INT64_T, rank, BELL_TAG, job->control), err);
    job->bell.rung = true;
    return NEREUS_OK;
}

static enum nereus_status propose(nereus_job *job, struct nereus_error *err)
{
    struct bell *bell = &job->bell;
    bell->proposal = job->points + 1;
    NEREUS_MPI(
        MPI_Iallreduce(&bell->proposal, &bell->point, 1, MPI_INT64_T, MPI_MAX, job->control, &bell->agreed),
        err);
    bell->proposed = true;
    return NEREUS_OK;
}

static enum nereus_status settle(nereus_job *job, bool wait, struct nereus_error *err)
{
    struct bell *bell = &job->bell;
    int done = 0;
    if (wait) {
        NEREUS_MPI(MPI_Wait(&bell->agreed, MPI_STATUS_IGNORE), err);
        done = 1;
    } else {
        NEREUS_MPI(MPI_Test(&bell->agreed, &done, MPI_STATUS_IGNORE), err);
    }
    bell->settled = done != 0;
    return NEREUS_OK;
}

/* Has the bell been rung? Tested now and then only. */
static enum nereus_status listen_for_ring(nereus_job *job, struct nereus_error *err)
{
    struct bell *bell = &job->bell;
    int heard = 0;
    const double now_s = nereus_now_s();
    if (now_s < bell->next_look_s)
        return NEREUS_OK;
    bell->next_look_s = now_s + LOOK_EVERY_S;
    if (job->rank == 0)
        return bell->wanted ? ring(job, err) : NEREUS_OK;
    NEREUS_MPI(MPI_Test(&bell->heard, &heard, MPI_STATUS_IGNORE), err);
    bell->rung = heard != 0;
    return NEREUS_OK;
}

enum nereus_status nereus_bell_look(nereus_job *job, bool *due, struct nereus_error *err)
{
    struct bell *bell = &job->bell;
    *due = false;
    if (!bell->rung)
        NEREUS_TRY(listen_for_ring(job, err));
    if (!bell->rung)
        return NEREUS_OK;
    if (!bell->proposed)
        NEREUS_TRY(propose(job, err));
    if (!bell->settled) /* at one's own proposal the others have to be waited for */
        NEREUS_TRY(settle(job, job->points >= bell->proposal, err));
    *due = bell->settled && job->points >= bell->point;
    return NEREUS_OK;
}

enum nereus_status nereus_bell_silence(nereus_job *job, bool rung, struct nereus_error *err)
{
    struct bell *bell = &job->bell;
    if (rung) { /* everybody hears it and takes part, whatever comes of it */
        if (job->rank != 0 && !bell->rung)
            NEREUS_MPI(MPI_Wait(&bell->heard, MPI_STATUS_IGNORE), err);
        if (!bell->proposed)
            NEREUS_TRY(propose(job, err));
        if (!bell->settled)
            NEREUS_TRY(settle(job, true, err));
    } else if (job->rank != 0) {
        NEREUS_MPI(MPI_Cancel(&bell->heard), err);
        NEREUS_MPI(MPI_Wait(&bell->heard, MPI_STATUS_IGNORE), err);
    }
    bell->rung = bell->proposed = bell->settled = false;
    return NEREUS_OK;
}
