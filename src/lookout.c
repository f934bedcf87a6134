/*
 * Launched processes that die between the connection and the commit. MPI returns from nothing that waits for them, so the
 * sources wait for nothing blindly then: every request is tested (nap.c), and the root looks whether nereus-supervise, which
 * holds their lifelines, has told of a death. It tells the other sources over their own communicator, by a word for which they have
 * a receive posted; if nobody was lost the word says so after the last agreement, and only then the commit begins.
 *
 * While the application goes on between the connection and the commit, the auxiliary threads are on the lookout, or, with a
 * redistribution at points, nobody is: the root looks at its points, and stops all at one when it has seen a death, as when the part is
 * over. nereus-supervise gives the application time to come there.
 *
 * Who is lost is let go of without MPI: communicators, windows, requests and buffers that they had a part in are left as they are (a
 * collective over them, a free or a disconnect would wait for ever), and the sources go on among themselves. nereus-supervise ends
 * what is left of the lost world, and the job, if the sources do not come back: a merge, which cannot be tested, or a network that waits
 * for a dead peer inside a call.
 */
#include <sched.h>

#include "job.h"
#include "launch.h"

enum { WORD_TAG = 31, HERE_TAG = 32 };
static const double look_every_s = 1e-3;
/* A call of MPI that fails because of a death may be faster than the news of it. */
static const double news_limit_s = 2;
/* A connection has failed: so long for a better sentence on why. */
static const double sentence_limit_s = 0.2;

/* The move that this thread carries out, while it is on the lookout. */
static _Thread_local struct move *watching;

bool nereus_lookout_is_on(void)
{
    return watching != NULL;
}

bool nereus_is_watched(const struct move *move)
{
    const struct nereus_plan *plan = &move->plan;
    return plan->method.strategy == NEREUS_LAUNCH && plan->tree.group_count > 0;
}

enum nereus_status nereus_lookout_begin(struct move *move)
{
    struct lookout *lookout = &move->lookout;
    lookout->word = MPI_REQUEST_NULL;
    /* Meetings and agreements of the sources that only some have begun must not be left behind where they meet later. */
    NEREUS_MPI(MPI_Comm_dup(move->parents, &lookout->among), &move->error);
    NEREUS_MPI(MPI_Comm_set_errhandler(lookout->among, MPI_ERRORS_RETURN), &move->error);
    if (move->source_rank != 0)
        NEREUS_MPI(MPI_Irecv(&lookout->told, (int)sizeof lookout->told, MPI_BYTE, 0, WORD_TAG, lookout->among,
                             &lookout->word),
                   &move->error);
    lookout->on = true;
    return NEREUS_OK;
}

void nereus_lookout_pause(struct move *move, bool application_goes_on)
{
    watching = NULL;
    for (int64_t i = 0;
         application_goes_on && move->lookout.on && move->launch != NULL && i < move->plan.tree.group_count;
         i++)
        nereus_launch_beside(move->launch, (int)i, move->job->spawn_timeout_s);
}

void nereus_lookout_resume(struct move *move, bool application_stands)
{
    watching = move->lookout.on ? move : NULL;
    for (int64_t i = 0;
         application_stands && move->lookout.on && move->launch != NULL && i < move->plan.tree.group_count;
         i++)
        nereus_launch_met(move->launch, (int)i);
}

bool nereus_lookout_sees_loss(struct move *move)
{
    if (!move->lookout.on || move->launch == NULL)
        return false;
    if (nereus_now_s() >= move->lookout.next_look_s) {
        move->lookout.next_look_s = nereus_now_s() + look_every_s;
        nereus_launch_poll(move->launch);
    }
    return nereus_launch_failure(move->launch, NULL) != NEREUS_OK;
}

/* The root's word to all others: the last act of its lookout. */
static enum nereus_status tell_all(struct move *move, const struct nereus_error *word,
                                   struct nereus_error *err)
{
    int sources;
    NEREUS_MPI(MPI_Comm_size(move->lookout.among, &sources), err);
    for (int i = 1; i < sources; i++)
        NEREUS_MPI(MPI_Send(word, (int)sizeof *word, MPI_BYTE, i, WORD_TAG, move->lookout.among), err);
    return NEREUS_OK;
}

static enum nereus_status be_told(struct move *move, const struct nereus_error *word)
{
    move->lookout.on = false;
    watching = NULL;
    if (word->status == NEREUS_OK)
        return NEREUS_OK;
    move->lost = true;
    move->verdict = *word;
    return word->status;
}

static enum nereus_status look(struct move *move, struct nereus_error *err)
{
    struct nereus_error failure = {0};
    nereus_launch_poll(move->launch);
    if (nereus_launch_failure(move->launch, &failure) == NEREUS_OK)
        return NEREUS_OK;
    NEREUS_TRY(tell_all(move, &failure, err));
    return be_told(move, &failure);
}

enum nereus_status nereus_lookout_lose(struct move *move, struct nereus_error *failure)
{
    const double until_s = nereus_now_s() + sentence_limit_s;
    struct nereus_error *err = &move->error;
    if (move->source_rank != 0) {
        NEREUS_MPI(MPI_Wait(&move->lookout.word, MPI_STATUS_IGNORE), err);
        return be_told(move, &move->lookout.told);
    }
    while (!nereus_lookout_sees_loss(move) && nereus_now_s() < until_s)
        sched_yield();
    struct nereus_error news;
    if (nereus_launch_failure(move->launch, &news) != NEREUS_OK)
        nereus_fail(failure, failure->status, "%s", news.text);
    NEREUS_TRY(tell_all(move, failure, err));
    return be_told(move, failure);
}

enum nereus_status nereus_lookout_check(struct nereus_error *err)
{
    struct move *move = watching;
    int told = 0;
    if (move == NULL || nereus_now_s() < move->lookout.next_look_s)
        return NEREUS_OK;
    move->lookout.next_look_s = nereus_now_s() + look_every_s;
    if (move->source_rank == 0)
        return look(move, err);
    NEREUS_MPI(MPI_Test(&move->lookout.word, &told, MPI_STATUS_IGNORE), err);
    return told ? be_told(move, &move->lookout.told) : NEREUS_OK;
}

/* The new ones among themselves, then their root to that of the sources. A source that sent to a process that has just died would be
 * aborted by MPICH over libfabric, whatever the error handler (docs/launch.md). */
enum nereus_status nereus_await_new(struct move *move)
{
    static char here; /* not on the stack: who is lost never completes the receive */
    struct nereus_error *err = &move->error;
    const bool is_new = move->role == NEREUS_SPAWNED;
    MPI_Request request = MPI_REQUEST_NULL;
    int rank;
    if (!nereus_is_watched(move))
        return NEREUS_OK;
    NEREUS_MPI(MPI_Comm_rank(is_new ? move->own : move->lookout.among, &rank), err);
    if (is_new)
        NEREUS_TRY(nereus_come_together(move->own, move->naps, err));
    if (is_new && rank == 0)
        NEREUS_MPI(MPI_Isend(&here, 1, MPI_BYTE, 0, HERE_TAG, move->inter, &request), err);
    if (!is_new && rank == 0)
        NEREUS_MPI(MPI_Irecv(&here, 1, MPI_BYTE, 0, HERE_TAG, move->inter, &request), err);
    NEREUS_TRY(nereus_wait(&request, move->naps, err));
    return is_new ? NEREUS_OK : nereus_come_together(move->lookout.among, move->naps, err);
}

/* All sources have come to the same end of the plan's reversible part. */
static enum nereus_status end(struct move *move, enum nereus_status status)
{
    const struct nereus_error none = {0};
    struct nereus_error *err = &move->error;
    if (move->source_rank == 0) {
        NEREUS_TRY(look(move, err));
        for (int64_t i = 0; status == NEREUS_OK && i < move->plan.tree.group_count; i++)
            nereus_launch_joined(move->launch, (int)i);
        NEREUS_TRY(tell_all(move, &none, err));
        be_told(move, &none);
        return status;
    }
    NEREUS_MPI(MPI_Wait(&move->lookout.word, MPI_STATUS_IGNORE), err);
    NEREUS_TRY(be_told(move, &move->lookout.told));
    return status;
}

/* A call has failed here: because of a death, which will be told? */
static enum nereus_status wait_for_news(struct move *move, enum nereus_status status)
{
    const double until_s = nereus_now_s() + news_limit_s;
    struct nereus_error ignored;
    while (!move->lost && watching != NULL && nereus_now_s() < until_s) {
        nereus_lookout_check(&ignored);
        sched_yield();
    }
    watching = NULL;
    return move->lost ? move->verdict.status : status;
}

enum nereus_status nereus_lookout_after(struct move *move, const struct nereus_step *step,
                                        enum nereus_status status)
{
    if (!move->lookout.on || move->lost)
        return status;
    if (status == NEREUS_OK)
        return step[1].kind == NEREUS_STEP_COMMIT ? end(move, status) : status;
    return move->verdict.status != NEREUS_OK ? end(move, status) : wait_for_news(move, status);
}

void nereus_abandon(struct move *move)
{
    move->job->windows_left = move->job->windows_left || nereus_data_holds_windows(move);
    move->data = NULL; /* MPI may still read and write where it points */
    move->job->unconnectable = move->job->unconnectable || move->verdict.status == NEREUS_ERR_MPI;
    nereus_registry_abandon(&move->job->registry);
    move->next = move->next_app = move->wide = move->inter = MPI_COMM_NULL;
    move->duplicating[0] = move->duplicating[1] = MPI_REQUEST_NULL;
    if (move->role == NEREUS_LEAVING)
        zombie_bed_close(&move->bed);
    /* All are back before nereus-supervise hears that the lost are let go of. */
    MPI_Barrier(move->parents);
    if (move->parents != move->job->control && move->parents != move->threads)
        MPI_Comm_free(&move->parents);
    move->parents = MPI_COMM_NULL;
}
