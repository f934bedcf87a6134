/**
 * @file blocking_calls.c
 * MPICH calls the functions registered by MPIX_Async_start in each turn of its progress loop. The
 * function registered here sleeps, and thereby slows the loop down. Measured:
 * docs/results/speed.md.
 */
#include "blocking_calls.h"

#include <mpi.h>
#include <pthread.h>
#include <time.h>

#include "nereus_mpi_config.h"

#if NEREUS_HAVE_MPIX_ASYNC
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int threads;     /* number of threads between begin and end */
static bool registered; /* the function is registered in MPI */
static _Thread_local bool sleeps;

/* Unregister, as MPI_Finalize waits for registered functions.
 * @return false: still needed */
static bool unregister_calls(void)
{
    pthread_mutex_lock(&lock);
    registered = threads > 0;
    const bool over = !registered;
    pthread_mutex_unlock(&lock);
    return over;
}

static int sleep_in_progress_loop(MPIX_Async_thing thing)
{
    const struct timespec pause = {0, 100000};
    (void)thing;
    if (unregister_calls())
        return MPIX_ASYNC_DONE;
    if (sleeps)
        nanosleep(&pause, NULL);
    return MPIX_ASYNC_NOPROGRESS;
}

void nereus_blocking_calls_begin(void)
{
    sleeps = true;
    pthread_mutex_lock(&lock);
    const bool first = !registered;
    registered = true;
    threads++;
    pthread_mutex_unlock(&lock);
    if (!first || MPIX_Async_start(sleep_in_progress_loop, NULL, MPIX_STREAM_NULL) == MPI_SUCCESS)
        return;
    pthread_mutex_lock(&lock);
    registered = false; /* calls spin without the registration */
    pthread_mutex_unlock(&lock);
}

void nereus_blocking_calls_end(void)
{
    sleeps = false;
    pthread_mutex_lock(&lock);
    threads--;
    pthread_mutex_unlock(&lock);
}
#else
void nereus_blocking_calls_begin(void)
{
}

void nereus_blocking_calls_end(void)
{
}
#endif
