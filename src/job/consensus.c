/**
 * @file consensus.c
 * Finds the point at which all processes stop. Used for requests made at run time, for checkpoints
 * that are due, and for asynchronous reconfigurations whose part is complete.
 *
 * Rank 0 announces a point, at first the next one, by a small message. A process that receives it
 * answers whether it can still stop there; if so it waits at that point for rank 0's decision. When
 * rank 0 reaches the point itself and an answer is missing or negative, it announces a later point,
 * twice as far ahead, so that it never waits longer than an iteration. Processes therefore wait
 * only for rank 0. Rank 0 reaches the point as long as the program itself makes a process wait only
 * for earlier iterations of others. A process that has not received the announcement continues, and
 * may wait for others in its own calls.
 *
 * Without a request a point polls MPI only every poll_every_s: usually its cost is one reading of a
 * clock.
 */
#include "consensus.h"

#include <sched.h>

#include "calls.h"
#include "src/util/clock.h"
#include "src/util/tags.h"
#include "src/util/wait.h"

/* Messages of rank 0. Above 0: the announced point. Below 0: the negative of the actions at the
 * present point. NO_POINT: end of the announcements. */
enum { NO_POINT = 0 };
static const double poll_every_s = 100e-6;
/* Time that rank 0 waits for answers at the point itself: messages between neighbours take
 * microseconds. If processes share cores, up to the time of one iteration, which a later point
 * would cost. */
static const double first_wait_s = 2e-3;

static enum nereus_status receive_next(nereus_job *job, struct nereus_error *err)
{
    NEREUS_MPI(MPI_Irecv(&job->consensus.word, 1, MPI_INT64_T, 0, ANNOUNCEMENT_TAG, job->control,
                         &job->consensus.receive_request),
               err);
    return NEREUS_OK;
}

void nereus_consensus_begin(nereus_job *job)
{
    struct consensus *consensus = &job->consensus;
    struct nereus_error err;
    consensus->announced = false;
    consensus->receive_request = MPI_REQUEST_NULL;
    consensus->next_poll_s = 0;
    consensus->announcements = 0;
    consensus->answers = NULL;
    if (job->rank == 0)
        return;
    job->is_pending = false; /* only rank 0 has requests */
    receive_next(job, &err);
}

void nereus_consensus_request(nereus_job *job, const struct resize_request *request)
{
    job->pending = *request;
    job->is_pending = true;
    job->consensus.next_poll_s = 0; /* poll at the next point, without a pause */
    job->outcome = NEREUS_OUTCOME_PENDING;
    job->outcome_error.text[0] = '\0';
}

/* ---- rank 0 ---------------------------------------------------------------------------------- */

static enum nereus_status send_to_all(nereus_job *job, int64_t word, struct nereus_error *err)
{
    for (int rank = 1; rank < job->size; rank++)
        NEREUS_MPI(MPI_Send(&word, 1, MPI_INT64_T, rank, ANNOUNCEMENT_TAG, job->control), err);
    return NEREUS_OK;
}

/* Post the receive for the next answer of this rank, unless it has answered all announcements. */
static enum nereus_status await_answer(nereus_job *job, int rank, struct nereus_error *err)
{
    struct consensus_answer *answer = &job->consensus.answers[rank];
    if (answer->count < job->consensus.announcements && answer->request == MPI_REQUEST_NULL)
        NEREUS_MPI(MPI_Irecv(&answer->word, 1, MPI_INT64_T, rank, CONSENSUS_ANSWER_TAG,
                             job->control, &answer->request),
                   err);
    return NEREUS_OK;
}

static enum nereus_status announce_requests(nereus_job *job, unsigned wants, int64_t ahead,
                                            struct nereus_error *err)
{
    struct consensus *consensus = &job->consensus;
    if (consensus->answers == NULL) {
        consensus->answers = calloc((size_t)job->size, sizeof *consensus->answers);
        NEREUS_TRY_MEMORY(consensus->answers, err, "to ask %d processes to stop", job->size);
        for (int rank = 0; rank < job->size; rank++)
            consensus->answers[rank].request = MPI_REQUEST_NULL;
    }
    consensus->announced = true;
    consensus->wants = wants;
    consensus->announcements++;
    consensus->points_ahead = ahead;
    consensus->point = job->points + ahead;
    consensus->announced_s = nereus_skewed_monotonic_s();
    for (int rank = 1; rank < job->size; rank++)
        NEREUS_TRY(await_answer(job, rank, err));
    return send_to_all(job, consensus->point, err);
}

static enum nereus_status receive_answers(nereus_job *job, bool *all_can, struct nereus_error *err)
{
    struct consensus *consensus = &job->consensus;
    *all_can = true;
    for (int rank = 1; rank < job->size; rank++) {
        struct consensus_answer *answer = &consensus->answers[rank];
        int arrived = 1;
        while (arrived && answer->count < consensus->announcements) {
            NEREUS_MPI(MPI_Test(&answer->request, &arrived, MPI_STATUS_IGNORE), err);
            answer->count += arrived;
            NEREUS_TRY(await_answer(job, rank, err));
        }
        *all_can = *all_can && answer->count == consensus->announcements &&
                   answer->word == consensus->point;
    }
    return NEREUS_OK;
}

/* Has any process already passed the announced point? */
static bool is_refused(const nereus_job *job)
{
    const struct consensus *consensus = &job->consensus;
    for (int rank = 1; rank < job->size; rank++)
        if (consensus->answers[rank].count == consensus->announcements &&
            consensus->answers[rank].word != consensus->point)
            return true;
    return false;
}

/* Stop at the announced point if all processes can, else announce another one.
 * @param wants  0: the reason of the announcement no longer exists; the announced actions are
 * carried out nevertheless */
static enum nereus_status decide_at_point(nereus_job *job, unsigned wants, unsigned *due,
                                          struct nereus_error *err)
{
    const struct consensus *consensus = &job->consensus;
    const unsigned what = wants != 0 ? wants : consensus->wants;
    bool all_can;
    const double now_s = nereus_skewed_monotonic_s(),
                 iteration_s = (now_s - consensus->announced_s) / (double)consensus->points_ahead,
                 deadline_s = now_s + (iteration_s > first_wait_s ? iteration_s : first_wait_s);
    do
        NEREUS_TRY(receive_answers(job, &all_can, err));
    while (!all_can && !is_refused(job) && nereus_skewed_monotonic_s() < deadline_s &&
           sched_yield() == 0);
    *due = all_can ? what : 0;
    return all_can ? send_to_all(job, -(int64_t)what, err)
                   : announce_requests(job, what, 2 * job->consensus.points_ahead, err);
}

static enum nereus_status test_as_root(nereus_job *job, unsigned wants, int64_t every,
                                       unsigned *due, struct nereus_error *err)
{
    struct consensus *consensus = &job->consensus;
    bool all_can;
    if (!consensus->announced)
        return wants != 0 ? announce_requests(job, wants, every, err) : NEREUS_OK;
    return job->points >= consensus->point ? decide_at_point(job, wants, due, err)
                                           : receive_answers(job, &all_can, err);
}

/* ---- the others ------------------------------------------------------------------------------ */

/* Handle a message of rank 0, usually a point. */
static enum nereus_status handle_announcement(nereus_job *job, bool can_stop, unsigned *due,
                                              struct nereus_error *err)
{
    struct consensus *consensus = &job->consensus;
    const int64_t word = consensus->word;
    *due = word < 0 ? (unsigned)-word : 0;
    if (word == NO_POINT)
        return NEREUS_OK;
    consensus->announced = can_stop && word >= job->points;
    consensus->point = word;
    if (word > 0) {
        const int64_t answer = consensus->announced ? word : -word;
        NEREUS_MPI(MPI_Send(&answer, 1, MPI_INT64_T, 0, CONSENSUS_ANSWER_TAG, job->control), err);
    }
    return receive_next(job, err);
}

static enum nereus_status test_as_other(nereus_job *job, int64_t every, unsigned *due,
                                        struct nereus_error *err)
{
    struct consensus *consensus = &job->consensus;
    int received = 0;
    if (!consensus->announced && job->points % every == 0) {
        NEREUS_MPI(MPI_Test(&consensus->receive_request, &received, MPI_STATUS_IGNORE), err);
        if (received)
            NEREUS_TRY(handle_announcement(job, true, due, err));
    }
    if (!consensus->announced || job->points < consensus->point)
        return NEREUS_OK;
    nereus_call_enter(job, "nereus_point");
    const enum nereus_status status =
        nereus_wait(&consensus->receive_request, NEREUS_WAIT_AWAKE, err);
    nereus_call_leave(job);
    NEREUS_TRY(status);
    return handle_announcement(job, true, due, err);
}

/* ---- all processes --------------------------------------------------------------------------- */

enum nereus_status nereus_consensus_test(nereus_job *job, unsigned wants, int64_t every,
                                         unsigned *due, struct nereus_error *err)
{
    struct consensus *consensus = &job->consensus;
    *due = 0;
    if (!consensus->announced) {
        const double now_s = nereus_skewed_monotonic_s();
        if (now_s < consensus->next_poll_s)
            return NEREUS_OK;
        consensus->next_poll_s = now_s + poll_every_s;
    }
    NEREUS_TRY(job->rank == 0 ? test_as_root(job, wants, every, due, err)
                              : test_as_other(job, every, due, err));
    if (job->points < consensus->point)
        *due = 0;
    return NEREUS_OK;
}

/* Receive and answer announcements that are still pending. */
static enum nereus_status receive_all(nereus_job *job, struct nereus_error *err)
{
    unsigned due;
    int64_t word;
    do {
        NEREUS_TRY(nereus_wait(&job->consensus.receive_request, NEREUS_WAIT_AWAKE, err));
        word = job->consensus.word; /* copied, as the next message may overwrite it at once */
        NEREUS_TRY(handle_announcement(job, false, &due, err));
    } while (word != NO_POINT);
    return NEREUS_OK;
}

static enum nereus_status end_announcing(nereus_job *job, struct nereus_error *err)
{
    struct consensus *consensus = &job->consensus;
    NEREUS_TRY(send_to_all(job, NO_POINT, err));
    for (int rank = 1; rank < job->size; rank++)
        while (consensus->answers[rank].count < consensus->announcements) {
            NEREUS_TRY(await_answer(job, rank, err));
            NEREUS_TRY(nereus_wait(&consensus->answers[rank].request, NEREUS_WAIT_AWAKE, err));
            consensus->answers[rank].count++;
        }
    free(consensus->answers);
    consensus->answers = NULL;
    return NEREUS_OK;
}

enum nereus_status nereus_consensus_end(nereus_job *job, bool announced, struct nereus_error *err)
{
    struct consensus *consensus = &job->consensus;
    if (announced) {
        NEREUS_TRY(job->rank == 0 ? end_announcing(job, err) : receive_all(job, err));
    } else if (job->rank != 0) {
        NEREUS_MPI(MPI_Cancel(&consensus->receive_request), err);
        NEREUS_MPI(MPI_Wait(&consensus->receive_request, MPI_STATUS_IGNORE), err);
    }
    consensus->announced = false;
    return NEREUS_OK;
}

enum nereus_status nereus_consensus_stop(nereus_job *job, struct nereus_error *err)
{
    int announced = job->consensus.announced;
    NEREUS_MPI(MPI_Bcast(&announced, 1, MPI_INT, 0, job->control), err);
    return nereus_consensus_end(job, announced != 0, err);
}
