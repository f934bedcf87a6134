/*
 * Asynchronous methods (spawning-methods 3.4): an auxiliary thread of each source carries out the steps that the plan gives it,
 * while the application goes on. The threads have a communicator of their own and sleep where they wait (nap.c). When all of
 * them are done, the main threads agree on a malleability point, as for a request made at run time (bell.c), and
 * carry out the rest there: nobody is ever held up at a point by a thread that still works.
 *
 * With the strategy single only the root has a thread at first (its stage one: the spawn). The others hear from it that there is
 * something to connect to, and start theirs at their next point.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fault.h"
#include "job.h"
#include "launch.h"

enum { STAGE_TAG = 91 };

struct async {
    pthread_t thread;
    sem_t may_begin;               /* the thread waits for it: all sources could start theirs */
    bool called_off;               /* or not, and it ends at once */
    atomic_bool done;              /* by the thread: its steps, and everybody else's */
    bool started, joined;          /* by the main thread */
    double thread_s, thread_cpu_s; /* of the thread; valid once joined */
    bool threadless;               /* launch: done is set by the root's main thread itself */
    enum nereus_status status;     /* of the thread's steps; valid once joined */
    int first_stage_end, end; /* steps 1 .. end - 1 are the thread's; the root's own before first_stage_end */
    MPI_Request called;       /* single: the root's word to start */
    char word;
};

enum nereus_status nereus_check_threads(struct nereus_error *err)
{
    int level;
    NEREUS_MPI(MPI_Query_thread(&level), err);
    if (level < MPI_THREAD_MULTIPLE)
        return nereus_fail(err, NEREUS_ERR_UNSUPPORTED,
                           "asynchronous methods call MPI from two threads at once: initialise MPI with "
                           "MPI_THREAD_MULTIPLE, or let nereus_init do it");
    return NEREUS_OK;
}

/* End of the thread's part of a plan; 1: it has none. */
static int thread_end(const struct nereus_plan *plan)
{
    int end = 1;
    while (end < plan->step_count && plan->steps[end].thread == NEREUS_AUXILIARY_THREAD)
        end++;
    return end;
}

/* Launched processes need no thread to start: the root looks after them at its points. */
static bool is_threadless(const struct nereus_plan *plan)
{
    return plan->method.async && plan->method.strategy == NEREUS_LAUNCH && plan->tree.group_count > 0;
}

bool nereus_is_asynchronous(const struct nereus_plan *plan)
{
    return thread_end(plan) > 1 || is_threadless(plan);
}

/* ---- in the thread ---------------------------------------------------------------------------------------------- */

/* Stage one is over: the others' threads are needed. */
static enum nereus_status call_others(struct move *move)
{
    const char word = 1;
    for (int rank = 1; rank < (int)move->plan.ns; rank++)
        NEREUS_MPI(MPI_Send(&word, 1, MPI_BYTE, rank, STAGE_TAG, move->threads), &move->error);
    return NEREUS_OK;
}

static enum nereus_status run_steps(struct change *change)
{
    const struct async *async = change->async;
    struct move *move = &change->move;
    enum nereus_status status = nereus_execute(move, 1, async->first_stage_end);
    if (status == NEREUS_OK && async->first_stage_end < async->end && move->source_rank == 0)
        status = call_others(move);
    if (status == NEREUS_OK)
        status = nereus_execute(move, async->first_stage_end, async->end);
    return status;
}

/* CPU time of the calling thread. */
static double cpu_s(void)
{
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

static void *run_thread(void *argument)
{
    const double start_s = nereus_now_s();
    struct change *change = argument;
    struct async *async = change->async;
    struct move *move = &change->move;
    while (sem_wait(&async->may_begin) != 0)
        ; /* interrupted */
    if (async->called_off)
        return NULL;
    async->status = run_steps(change);
    if (async->status != NEREUS_OK && move->verdict.status == NEREUS_OK)
        nereus_give_up(&move->error);
    /* A failure that was agreed on is one of all: everybody comes here. */
    if (nereus_meet(move->threads, true, &move->error) != NEREUS_OK)
        nereus_give_up(&move->error);
    async->thread_s = nereus_now_s() - start_s;
    async->thread_cpu_s = cpu_s();
    atomic_store(&async->done, true);
    return NULL;
}

/* ---- launched processes, without a thread ----------------------------------------------------------------------------- */

/* The root: are they all there, or can one not be had? */
static void look_after_launch(nereus_job *job, struct change *change)
{
    struct nereus_error failed = {0};
    if (job->rank != 0 || change->move.launch == NULL)
        return;
    const int starting = nereus_launch_poll(change->move.launch);
    if (starting == 0 || nereus_launch_failure(change->move.launch, &failed) != NEREUS_OK)
        atomic_store(&change->async->done, true);
}

/* ---- in the main thread ------------------------------------------------------------------------------------------- */

static enum nereus_status start_thread(struct change *change, struct nereus_error *err)
{
    struct async *async = change->async;
    change->move.in_thread = true;
    sem_init(&async->may_begin, 0, 0);
    const bool fails = nereus_fault(NEREUS_FAULT_THREAD, change->move.source_rank);
    const int code = fails ? EAGAIN : pthread_create(&async->thread, NULL, run_thread, change);
    if (code != 0)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no auxiliary thread can be started: %s", strerror(code));
    async->started = true;
    return NEREUS_OK;
}

/* All sources have tried to start theirs: does everybody have one? */
static enum nereus_status agree_to_begin(nereus_job *job, struct change *change,
                                         const struct nereus_error *mine, struct nereus_error *err)
{
    struct async *async = change->async;
    struct move *move = &change->move;
    NEREUS_TRY(nereus_agree_intra(job->control, mine, move->plan.hash, &move->verdict, err));
    async->called_off = move->verdict.status != NEREUS_OK;
    if (async->started)
        sem_post(&async->may_begin);
    return NEREUS_OK;
}

/* The thread is over, and with it the time in which two threads look after the change. */
static void join_thread(struct change *change)
{
    struct async *async = change->async;
    if (!async->joined)
        pthread_join(async->thread, NULL);
    async->joined = true;
    change->move.job->trace.thread_s = async->thread_s;
    change->move.job->trace.thread_cpu_s = async->thread_cpu_s;
    change->move.in_thread = false;
}

/* The root begins; what cannot be begun is called off where the plan's first step is carried out. */
static void begin_launch(nereus_job *job, struct change *change)
{
    struct move *move = &change->move;
    if (job->rank != 0)
        return;
    for (int i = 1; i < move->plan.step_count; i++)
        if (move->plan.steps[i].kind == NEREUS_STEP_LAUNCH)
            job->trace.stamps[i].arrival_s =
                nereus_now_s(); /* the step begins here, and is carried out later */
    if (nereus_launch_begin(move, &move->failure) != NEREUS_OK)
        atomic_store(&change->async->done, true);
}

static enum nereus_status prepare(nereus_job *job, struct change *change, struct nereus_error *err)
{
    struct move *move = &change->move;
    struct async *async = calloc(1, sizeof *async);
    if (async == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for an auxiliary thread");
    change->async = async;
    async->called = MPI_REQUEST_NULL;
    async->end = async->first_stage_end = thread_end(&move->plan);
    async->threadless = is_threadless(&move->plan);
    job->under_way = change;
    if (async->threadless)
        return NEREUS_OK;
    NEREUS_MPI(MPI_Comm_dup(job->control, &move->threads), err);
    NEREUS_MPI(MPI_Comm_set_errhandler(move->threads, MPI_ERRORS_RETURN), err);
    move->parents = move->wide = move->threads;
    return NEREUS_OK;
}

static void release(nereus_job *job, struct change *change)
{
    job->under_way = NULL;
    free(change->async);
    change->async = NULL;
    nereus_change_free(change);
}

/* One source has no thread: the job goes on as it was. */
static enum nereus_status never_begun(nereus_job *job, struct change *change, struct nereus_error *err)
{
    enum nereus_action action;
    if (change->async->started)
        join_thread(change);
    change->move.in_thread = false;
    NEREUS_TRY(nereus_bell_silence(job, false, err));
    const enum nereus_status status =
        nereus_change_finish(job, change, change->move.verdict.status, &action, err);
    release(job, change);
    return status;
}

enum nereus_status nereus_async_begin(nereus_job *job, struct change *change, struct nereus_error *err)
{
    NEREUS_TRY(prepare(job, change, err));
    struct async *async = change->async;
    /* Waking takes all of them. */
    const bool single = change->move.plan.method.strategy == NEREUS_SINGLE && change->move.plan.woken == 0;
    job->outcome = NEREUS_OUTCOME_PENDING;
    nereus_bell_init(job);
    if (async->threadless) {
        begin_launch(job, change);
        return NEREUS_OK;
    }
    for (int i = 1; single && i < async->end; i++)
        if (change->move.plan.steps[i].kind == NEREUS_STEP_CONNECT)
            async->first_stage_end = i;
    struct nereus_error mine = change->move.failure;
    const bool now = !single || async->first_stage_end == async->end || job->rank == 0;
    if (now && mine.status == NEREUS_OK)
        start_thread(change, &mine);
    NEREUS_TRY(agree_to_begin(job, change, &mine, err));
    if (async->called_off)
        return never_begun(job, change, err);
    if (!now)
        NEREUS_MPI(MPI_Irecv(&async->word, 1, MPI_BYTE, 0, STAGE_TAG, change->move.threads, &async->called),
                   err);
    return NEREUS_OK;
}

/* single: has the root's thread called? */
static enum nereus_status listen(struct change *change, bool wait, struct nereus_error *err)
{
    struct async *async = change->async;
    int here = 1;
    if (async->started)
        return NEREUS_OK;
    if (wait)
        NEREUS_MPI(MPI_Wait(&async->called, MPI_STATUS_IGNORE), err);
    else
        NEREUS_MPI(MPI_Test(&async->called, &here, MPI_STATUS_IGNORE), err);
    if (!here)
        return NEREUS_OK;
    NEREUS_TRY(start_thread(change, err)); /* there is no way back: the root waits for it */
    sem_post(&async->may_begin);
    return NEREUS_OK;
}

/* The rest of the plan, or putting back what a thread could not finish. */
static enum nereus_status go_on(nereus_job *job, enum nereus_action *action, struct nereus_error *err)
{
    struct change *change = job->under_way;
    struct move *move = &change->move;
    const int first = change->async->end;
    if (!change->async->threadless)
        join_thread(change);
    enum nereus_status status = change->async->status;
    job->under_way = NULL;
    if (status != NEREUS_OK)
        nereus_roll_back(move);
    else
        status = nereus_execute(move, first, move->plan.step_count);
    status = nereus_change_finish(job, change, status, action, err);
    release(job, change);
    return status;
}

/* When the root's thread is done, so is everybody's, or will be in a moment: then it has the others stop at a point. */
enum nereus_status nereus_async_look(nereus_job *job, enum nereus_action *action, struct nereus_error *err)
{
    struct change *change = job->under_way;
    struct async *async = change->async;
    const bool looks = job->points % job->test_every == 0;
    bool due;
    if (looks && async->threadless)
        look_after_launch(job, change);
    else if (looks)
        NEREUS_TRY(listen(change, false, err));
    NEREUS_TRY(nereus_bell_look(job, looks && atomic_load(&async->done), job->test_every, &due, err));
    if (!due)
        return NEREUS_OK;
    NEREUS_TRY(nereus_bell_silence(job, true, err));
    return go_on(job, action, err);
}

enum nereus_status nereus_async_call_off(nereus_job *job, struct nereus_error *err)
{
    struct change *change = job->under_way;
    struct move *move = &change->move;
    enum nereus_action action;
    int rung = job->bell.rung;
    if (!change->async->threadless)
        NEREUS_TRY(listen(change, true, err));
    NEREUS_MPI(MPI_Bcast(&rung, 1, MPI_INT, 0, job->control), err);
    NEREUS_TRY(nereus_bell_silence(job, rung != 0, err));
    change->too_late = true;
    if (!change->async->threadless)
        join_thread(change); /* until here the failure is the thread's */
    nereus_fail(&move->failure, NEREUS_ERR_STATE, "the application ended first");
    return go_on(job, &action, err);
}
