/**
 * @file async_thread.c
 * Runs the auxiliary thread of a source (Martín-Álvarez et al. (2024a), section 3.4; Martín-Álvarez
 * et al. (2023), section 3.2) which executes a range of the plan's steps while the application
 * runs. The threads have a communicator of their own and back off while they wait (util/wait.h).
 *
 * With the strategy single only the root starts a thread at first (stage one: the spawn). When
 * there is something to connect to it sends the others a message, and they start theirs at their
 * next point.
 */

#include "async.h"
#include "src/link/launch.h"
#include "src/start/bind.h"
#include "src/steps/execute.h"
#include "src/util/agree.h"
#include "src/util/clock.h"
#include "src/util/fault.h"
#include "src/util/tags.h"

/* ---- in the thread --------------------------------------------------------------------------- */

/* Stage one is over: tell the other sources to start their threads. */
static enum nereus_status start_other_threads(struct reconfiguration *reconfig)
{
    const char word = 1;
    for (int rank = 1; rank < (int)reconfig->plan.ns; rank++)
        NEREUS_MPI(MPI_Send(&word, 1, MPI_BYTE, rank, STAGE_TAG, reconfig->comms.overlapped),
                   &reconfig->error);
    return NEREUS_OK;
}

static enum nereus_status run_steps(struct reconfiguration *reconfig,
                                    const struct auxiliary *auxiliary)
{
    enum nereus_status status =
        nereus_execute(reconfig, auxiliary->first, auxiliary->first_stage_end);
    if (status == NEREUS_OK && auxiliary->first_stage_end < auxiliary->end &&
        reconfig->source_rank == 0)
        status = start_other_threads(reconfig);
    if (status == NEREUS_OK)
        status = nereus_execute(reconfig, auxiliary->first_stage_end, auxiliary->end);
    return status;
}

/* Reached by all threads after an agreed failure; after a death, by some while others still
 * wait. */
static enum nereus_status wait_for_threads(struct reconfiguration *reconfig)
{
    MPI_Request all_here;
    NEREUS_MPI(MPI_Ibarrier(reconfig->comms.overlapped, &all_here), &reconfig->error);
    if (nereus_wait(&all_here, nereus_reconfig_waiting(reconfig, true), &reconfig->error) ==
        NEREUS_OK)
        return NEREUS_OK;
    return reconfig->detector.lost
               ? nereus_wait(&all_here, nereus_reconfig_waiting(reconfig, true), &reconfig->error)
               : reconfig->error.status;
}

/* No source is in an MPI call with the launched processes any more: those that died or were never
 * connected can be ended now. nereus-supervise would not wait for the application's next point. */
static void release_launched(struct reconfiguration *reconfig)
{
    if (!reconfig->detector.lost && reconfig->comms.inter != MPI_COMM_NULL)
        return; /* other processes take part in the roll-back */
    nereus_launch_free(reconfig->launch);
    reconfig->launch = NULL;
}

static void *run_thread(void *argument)
{
    const double start_s = nereus_skewed_monotonic_s();
    struct reconfiguration *reconfig = argument;
    struct auxiliary *auxiliary = &reconfig->async->auxiliary;
    while (sem_wait(&auxiliary->may_begin) != 0)
        ; /* interrupted */
    if (auxiliary->cancelled)
        return NULL;
    nereus_detector_resume(reconfig, false);
    auxiliary->status = run_steps(reconfig, auxiliary);
    if (auxiliary->status != NEREUS_OK && reconfig->verdict.status == NEREUS_OK)
        nereus_abort_job(&reconfig->error);
    if (wait_for_threads(reconfig) != NEREUS_OK)
        nereus_abort_job(&reconfig->error);
    if (reconfig->detector.lost)
        auxiliary->status = reconfig->verdict.status;
    if (auxiliary->status != NEREUS_OK)
        release_launched(reconfig);
    nereus_detector_pause(reconfig, false);
    auxiliary->thread_s = nereus_skewed_monotonic_s() - start_s;
    auxiliary->thread_cpu_s = nereus_read_clock_s(CLOCK_THREAD_CPUTIME_ID);
    atomic_store(&auxiliary->done, true);
    return NULL;
}

/* ---- in the main thread ---------------------------------------------------------------------- */

static enum nereus_status start_thread(struct reconfiguration *reconfig, struct nereus_error *err)
{
    struct auxiliary *auxiliary = &reconfig->async->auxiliary;
    reconfig->in_thread = true;
    sem_init(&auxiliary->may_begin, 0, 0);
    const bool fails = nereus_fault_applies(NEREUS_FAULT_THREAD, reconfig->source_rank);
    const int code =
        fails ? EAGAIN : pthread_create(&auxiliary->thread, NULL, run_thread, reconfig);
    if (code != 0)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no auxiliary thread can be started: %s",
                           strerror(code));
    auxiliary->started = true;
    nereus_bind_auxiliary(auxiliary->thread);
    return NEREUS_OK;
}

/* Afterwards only the main thread works on the reconfiguration. */
static void join_thread(struct reconfiguration *reconfig)
{
    struct auxiliary *auxiliary = &reconfig->async->auxiliary;
    if (auxiliary->started)
        pthread_join(auxiliary->thread, NULL);
    auxiliary->started = false;
    reconfig->job->times.thread_s = auxiliary->thread_s;
    reconfig->job->times.thread_cpu_s = auxiliary->thread_cpu_s;
    reconfig->in_thread = false;
}

/* Agree whether every source has started its thread. */
static enum nereus_status agree_to_begin(struct reconfiguration *reconfig,
                                         const struct nereus_error *own_error, bool *begun,
                                         struct nereus_error *err)
{
    struct auxiliary *auxiliary = &reconfig->async->auxiliary;
    NEREUS_TRY(nereus_agree_intra(reconfig->job->control, own_error, reconfig->plan.hash,
                                  NEREUS_WAIT_AWAKE, &reconfig->verdict, err));
    *begun = reconfig->verdict.status == NEREUS_OK;
    auxiliary->cancelled = !*begun;
    if (auxiliary->started)
        sem_post(&auxiliary->may_begin);
    if (!*begun)
        join_thread(reconfig);
    return NEREUS_OK;
}

/* Find the first step at which the root needs the other sources: before it, the root alone starts
 * the processes of one world. Waking zombies involves all sources from the beginning. */
static int find_first_stage_end(const struct nereus_plan *plan, int first, int end)
{
    for (int i = first; i < end && plan->woken == 0 && plan->tree.group_count == 0; i++)
        if (plan->steps[i].kind == NEREUS_STEP_CONNECT &&
            plan->steps[i].starter == NEREUS_STARTER_ROOT)
            return i;
    return end;
}

enum nereus_status nereus_thread_begin(struct reconfiguration *reconfig, int first, int end,
                                       bool *begun, struct nereus_error *err)
{
    struct auxiliary *auxiliary = &reconfig->async->auxiliary;
    struct nereus_error own_error = reconfig->failure;
    *auxiliary = (struct auxiliary){.first = first, .end = end, .start_request = MPI_REQUEST_NULL};
    auxiliary->first_stage_end = find_first_stage_end(&reconfig->plan, first, end);
    const bool starts_now = auxiliary->first_stage_end == end || reconfig->job->rank == 0;
    if (starts_now && own_error.status == NEREUS_OK)
        start_thread(reconfig, &own_error);
    NEREUS_TRY(agree_to_begin(reconfig, &own_error, begun, err));
    if (*begun && !starts_now)
        NEREUS_MPI(MPI_Irecv(&auxiliary->start_message, 1, MPI_BYTE, 0, STAGE_TAG,
                             reconfig->comms.overlapped, &auxiliary->start_request),
                   err);
    return NEREUS_OK;
}

/* Strategy single: has the root's message come? */
static enum nereus_status test_start_message(struct reconfiguration *reconfig, bool wait,
                                             struct nereus_error *err)
{
    struct auxiliary *auxiliary = &reconfig->async->auxiliary;
    int arrived = 1;
    if (auxiliary->started)
        return NEREUS_OK;
    if (wait)
        NEREUS_MPI(MPI_Wait(&auxiliary->start_request, MPI_STATUS_IGNORE), err);
    else
        NEREUS_MPI(MPI_Test(&auxiliary->start_request, &arrived, MPI_STATUS_IGNORE), err);
    if (!arrived)
        return NEREUS_OK;
    NEREUS_TRY(start_thread(reconfig, err)); /* cannot be skipped: the root waits for this thread */
    sem_post(&auxiliary->may_begin);
    return NEREUS_OK;
}

enum nereus_status nereus_thread_test(struct reconfiguration *reconfig, bool *done,
                                      struct nereus_error *err)
{
    NEREUS_TRY(test_start_message(reconfig, false, err));
    *done = atomic_load(&reconfig->async->auxiliary.done);
    return NEREUS_OK;
}

enum nereus_status nereus_thread_end(struct reconfiguration *reconfig, struct nereus_error *err)
{
    const enum nereus_status status = test_start_message(reconfig, true, err);
    if (status != NEREUS_OK)
        nereus_abort_job(err); /* the other threads wait for this one */
    join_thread(reconfig);
    return reconfig->async->auxiliary.status;
}
