/*
 * Agreement on a malleability point that nobody has passed yet, without a collective call: for requests made at run time, and for
 * asynchronous changes that have come far enough.
 *
 * Rank 0 rings: a small message names a point some way ahead. Who hears it answers whether it still can stop there, and
 * does so when it comes there, until rank 0 says what holds. Rank 0 never waits for anybody: when it comes to that point
 * itself and not all have said yes, it names a later one, twice as far ahead. So nobody waits but for rank 0, which comes
 * there in any program whose processes wait for each other's earlier iterations only; a process that has not
 * heard yet may go on and wait for any other in calls of its own.
 *
 * Without a request a point looks at MPI only every LOOK_EVERY_S: mostly it costs the reading of a clock.
 */
#include <sched.h>
#include <stdlib.h>

#include "job.h"

enum { BELL_TAG = 51, ANSWER_TAG = 52 };
/* What rank 0 says; a number above 0 is a point. */
enum { GO = 0, END = -1 };
static const double LOOK_EVERY_S = 100e-6;
/* So long rank 0 gives the answers at the point itself: messages between neighbours take microseconds. */
static const double PATIENCE_S = 2e-3;

static enum nereus_status listen_again(nereus_job *job, struct nereus_error *err)
{
    NEREUS_MPI(MPI_Irecv(&job->bell.word, 1, MPI_INT64_T, 0, BELL_TAG, job->control, &job->bell.heard), err);
    return NEREUS_OK;
}

void nereus_bell_init(nereus_job *job)
{
    struct bell *bell = &job->bell;
    struct nereus_error err;
    bell->rung = false;
    bell->heard = MPI_REQUEST_NULL;
    bell->next_look_s = 0;
    bell->rings = 0;
    bell->answers = NULL;
    if (job->rank == 0)
        return;
    bell->wanted = false; /* only rank 0 can want something */
    listen_again(job, &err);
}

/* ---- rank 0 ------------------------------------------------------------------------------------------ */

static enum nereus_status tell_all(nereus_job *job, int64_t word, struct nereus_error *err)
{
    for (int rank = 1; rank < job->size; rank++)
        NEREUS_MPI(MPI_Send(&word, 1, MPI_INT64_T, rank, BELL_TAG, job->control), err);
    return NEREUS_OK;
}

/* Every ring gets one answer: the next one of this rank is received, unless it has given all. */
static enum nereus_status await_answer(nereus_job *job, int rank, struct nereus_error *err)
{
    struct answer *answer = &job->bell.answers[rank];
    if (answer->given < job->bell.rings && answer->request == MPI_REQUEST_NULL)
        NEREUS_MPI(MPI_Irecv(&answer->word, 1, MPI_INT64_T, rank, ANSWER_TAG, job->control, &answer->request),
                   err);
    return NEREUS_OK;
}

static enum nereus_status ring(nereus_job *job, int64_t ahead, struct nereus_error *err)
{
    struct bell *bell = &job->bell;
    if (bell->answers == NULL) {
        bell->answers = calloc((size_t)job->size, sizeof *bell->answers);
        if (bell->answers == NULL)
            return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to ring for %d processes", job->size);
        for (int rank = 0; rank < job->size; rank++)
            bell->answers[rank].request = MPI_REQUEST_NULL;
    }
    bell->rung = true;
    bell->rings++;
    bell->ahead = ahead;
    bell->point = job->points + ahead;
    for (int rank = 1; rank < job->size; rank++)
        NEREUS_TRY(await_answer(job, rank, err));
    return tell_all(job, bell->point, err);
}

static enum nereus_status take_answers(nereus_job *job, bool *all_can, struct nereus_error *err)
{
    struct bell *bell = &job->bell;
    *all_can = true;
    for (int rank = 1; rank < job->size; rank++) {
        struct answer *answer = &bell->answers[rank];
        int here = 1;
        while (here && answer->given < bell->rings) {
            NEREUS_MPI(MPI_Test(&answer->request, &here, MPI_STATUS_IGNORE), err);
            answer->given += here;
            NEREUS_TRY(await_answer(job, rank, err));
        }
        *all_can = *all_can && answer->given == bell->rings && answer->word == bell->point;
    }
    return NEREUS_OK;
}

/* At the point that was named: it holds if all can, or another one is named. */
static enum nereus_status decide_at_point(nereus_job *job, bool *due, struct nereus_error *err)
{
    const double until_s = nereus_now_s() + PATIENCE_S;
    do
        NEREUS_TRY(take_answers(job, due, err));
    while (!*due && nereus_now_s() < until_s && sched_yield() == 0);
    return *due ? tell_all(job, GO, err) : ring(job, 2 * job->bell.ahead, err);
}

static enum nereus_status look_as_root(nereus_job *job, bool wants, int64_t every, bool *due,
                                       struct nereus_error *err)
{
    struct bell *bell = &job->bell;
    if (!bell->rung)
        return wants ? ring(job, job->size == 1 ? 1 : 2 * every, err) : NEREUS_OK;
    return job->points >= bell->point ? decide_at_point(job, due, err) : take_answers(job, due, err);
}

/* ---- the others --------------------------------------------------------------------------------------- */

/* What rank 0 has said: a point, most of the time. */
static enum nereus_status take_word(nereus_job *job, bool can_stop, bool *due, struct nereus_error *err)
{
    struct bell *bell = &job->bell;
    const int64_t word = bell->word;
    *due = word == GO;
    if (word == END)
        return NEREUS_OK;
    bell->rung = can_stop && word >= job->points;
    bell->point = word;
    if (word != GO) {
        const int64_t answer = bell->rung ? word : -word;
        NEREUS_MPI(MPI_Send(&answer, 1, MPI_INT64_T, 0, ANSWER_TAG, job->control), err);
    }
    return listen_again(job, err);
}

static enum nereus_status look_as_other(nereus_job *job, int64_t every, bool *due, struct nereus_error *err)
{
    struct bell *bell = &job->bell;
    int heard = 0;
    if (!bell->rung && job->points % every == 0) {
        NEREUS_MPI(MPI_Test(&bell->heard, &heard, MPI_STATUS_IGNORE), err);
        if (heard)
            NEREUS_TRY(take_word(job, true, due, err));
    }
    if (!bell->rung || job->points < bell->point)
        return NEREUS_OK;
    NEREUS_MPI(MPI_Wait(&bell->heard, MPI_STATUS_IGNORE), err);
    return take_word(job, true, due, err);
}

/* ---- everybody ------------------------------------------------------------------------------------------- */

enum nereus_status nereus_bell_look(nereus_job *job, bool wants, int64_t every, bool *due,
                                    struct nereus_error *err)
{
    struct bell *bell = &job->bell;
    *due = false;
    if (!bell->rung) {
        const double now_s = nereus_now_s();
        if (now_s < bell->next_look_s)
            return NEREUS_OK;
        bell->next_look_s = now_s + LOOK_EVERY_S;
    }
    NEREUS_TRY(job->rank == 0 ? look_as_root(job, wants, every, due, err)
                              : look_as_other(job, every, due, err));
    *due = *due && job->points >= bell->point;
    return NEREUS_OK;
}

/* Whatever was rung and not heard yet is heard, and answered. */
static enum nereus_status hear_all(nereus_job *job, struct nereus_error *err)
{
    bool due;
    do {
        NEREUS_MPI(MPI_Wait(&job->bell.heard, MPI_STATUS_IGNORE), err);
        NEREUS_TRY(take_word(job, false, &due, err));
    } while (job->bell.word != END);
    return NEREUS_OK;
}

static enum nereus_status end_ringing(nereus_job *job, struct nereus_error *err)
{
    struct bell *bell = &job->bell;
    NEREUS_TRY(tell_all(job, END, err));
    for (int rank = 1; rank < job->size; rank++)
        while (bell->answers[rank].given < bell->rings) {
            NEREUS_TRY(await_answer(job, rank, err));
            NEREUS_MPI(MPI_Wait(&bell->answers[rank].request, MPI_STATUS_IGNORE), err);
            bell->answers[rank].given++;
        }
    free(bell->answers);
    bell->answers = NULL;
    return NEREUS_OK;
}

enum nereus_status nereus_bell_silence(nereus_job *job, bool rung, struct nereus_error *err)
{
    struct bell *bell = &job->bell;
    if (rung) { /* everybody hears it, whatever comes of it */
        NEREUS_TRY(job->rank == 0 ? end_ringing(job, err) : hear_all(job, err));
    } else if (job->rank != 0) {
        NEREUS_MPI(MPI_Cancel(&bell->heard), err);
        NEREUS_MPI(MPI_Wait(&bell->heard, MPI_STATUS_IGNORE), err);
    }
    bell->rung = false;
    return NEREUS_OK;
}
