/**
 * @file wait.c
 * Waits by tests of a request. A process that waits in MPI spins as long as the scheduler lets it,
 * even if the awaited process needs its core: each message of a small agreement then takes a time
 * slice. Therefore these functions do not block in MPI: after a few tests they yield the core
 * between tests. If an application computes on the same cores, the waiting process sleeps instead,
 * and enters a blocking call only when all other processes have arrived.
 */
#include "wait.h"

#include <sched.h>
#include <time.h>

#include "clock.h"
#include "error.h"
#include "src/mpi/large_counts.h"

static const double first_pause_s = 20e-6, longest_pause_s = 1e-3;
/* Tests before the first yield, or between two sleeps: about 10 us, the latency between running
 * processes. A process that yields its core to another job gets it back only after a time slice. */
enum { TESTS_AT_ONCE = 64 };

struct nereus_wait_mode nereus_wait_mode_with(struct nereus_wait_mode wait_mode, bool backs_off)
{
    wait_mode.backs_off = backs_off;
    return wait_mode;
}

void nereus_back_off(double *pause_s)
{
    if (*pause_s <= 0)
        *pause_s = first_pause_s;
    const struct timespec length = {0, (long)(*pause_s * 1e9)};
    nanosleep(&length, NULL);
    *pause_s = *pause_s * 1.5 < longest_pause_s ? *pause_s * 1.5 : longest_pause_s;
}

enum nereus_status nereus_wait_between(struct nereus_wait_mode wait_mode, double *pause_s,
                                       struct nereus_error *err)
{
    if (wait_mode.detector != NULL)
        NEREUS_TRY(wait_mode.detector->check(wait_mode.detector->context, err));
    if (wait_mode.backs_off)
        nereus_back_off(pause_s);
    else
        sched_yield(); /* the peer may need this core */
    if (wait_mode.longest_s > 0 && *pause_s > wait_mode.longest_s)
        *pause_s = wait_mode.longest_s;
    return NEREUS_OK;
}

enum nereus_status nereus_wait_between_data(struct nereus_wait_mode wait_mode, int *tests,
                                            double *pause_s, struct nereus_error *err)
{
    const struct timespec shortest = {0, 1};
    if (wait_mode.backs_off || !wait_mode.shares_cores)
        return nereus_wait_between(wait_mode, pause_s, err);
    if (wait_mode.detector != NULL)
        NEREUS_TRY(wait_mode.detector->check(wait_mode.detector->context, err));
    if (++*tests < TESTS_AT_ONCE)
        return NEREUS_OK;
    *tests = 0;
    nanosleep(&shortest, NULL);
    return NEREUS_OK;
}

enum nereus_status nereus_wait(MPI_Request *request, struct nereus_wait_mode wait_mode,
                               struct nereus_error *err)
{
    double pause_s = 0;
    int done = 0;
    for (int tests = 0;; tests++) {
        NEREUS_MPI(MPI_Test(request, &done, MPI_STATUS_IGNORE), err);
        if (done)
            return NEREUS_OK;
        if (tests >= TESTS_AT_ONCE || wait_mode.backs_off)
            NEREUS_TRY(nereus_wait_between(wait_mode, &pause_s, err));
    }
}

enum nereus_status nereus_barrier(MPI_Comm comm, struct nereus_wait_mode wait_mode,
                                  struct nereus_error *err)
{
    MPI_Request all_here;
    NEREUS_MPI(MPI_Ibarrier(comm, &all_here), err);
    return nereus_wait(&all_here, wait_mode, err);
}

enum nereus_status nereus_sleeping_barrier(MPI_Comm comm, struct nereus_wait_mode wait_mode,
                                           struct nereus_error *err)
{
    return wait_mode.backs_off ? nereus_barrier(comm, wait_mode, err) : NEREUS_OK;
}

enum nereus_status nereus_broadcast(void *data, size_t bytes, int root, MPI_Comm comm,
                                    struct nereus_wait_mode wait_mode, struct nereus_error *err)
{
    MPI_Request request;
    NEREUS_MPI(MPI_Ibcast_c(data, (MPI_Count)bytes, MPI_BYTE, root, comm, &request), err);
    return nereus_wait(&request, wait_mode, err);
}

enum nereus_status nereus_receive(void *data, size_t bytes, struct nereus_sender from,
                                  struct nereus_wait_mode wait_mode, struct nereus_error *err)
{
    MPI_Request received;
    NEREUS_MPI(
        MPI_Irecv_c(data, (MPI_Count)bytes, MPI_BYTE, from.rank, from.tag, from.comm, &received),
        err);
    return nereus_wait(&received, wait_mode, err);
}

enum nereus_status nereus_await_message(struct nereus_sender from,
                                        struct nereus_wait_mode wait_mode, double limit_s,
                                        MPI_Message *message, MPI_Status *status,
                                        struct nereus_error *err)
{
    const double deadline_s = nereus_skewed_monotonic_s() + limit_s;
    double pause_s = 0;
    int arrived = 0;
    for (;;) {
        NEREUS_MPI(MPI_Improbe(from.rank, from.tag, from.comm, &arrived, message, status), err);
        if (arrived)
            return NEREUS_OK;
        if (nereus_skewed_monotonic_s() > deadline_s)
            return nereus_fail(err, NEREUS_ERR_SPAWN,
                               "new processes gave no sign of life for %.0f s", limit_s);
        NEREUS_TRY(nereus_wait_between(wait_mode, &pause_s, err));
    }
}
