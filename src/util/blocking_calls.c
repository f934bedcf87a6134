/* MPICH asks the functions that MPIX_Async_start has registered in each turn of its progress loop.
 * The one here sleeps: so the loop does. Measured in docs/measured.md. */
#include "blocking_calls.h"

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "nereus_mpi_config.h"

#if NEREUS_HAVE_MPIX_ASYNC
static atomic_bool on, registered;

static int sleep_between_looks(MPIX_Async_thing thing)
{
    const struct timespec pause = {0, 100000};
    (void)thing;
    if (!on) {
        registered = false;
        return MPIX_ASYNC_DONE;
    }
    nanosleep(&pause, NULL);
    return MPIX_ASYNC_NOPROGRESS;
}

void nereus_blocking_calls_begin(void)
{
    on = true;
    if (!registered)
        registered = MPIX_Async_start(sleep_between_looks, NULL, MPIX_STREAM_NULL) == MPI_SUCCESS;
}

void nereus_blocking_calls_end(void)
{
    on = false; /* MPI lets go of the function in its next turn */
}
#else
void nereus_blocking_calls_begin(void)
{
}

void nereus_blocking_calls_end(void)
{
}
#endif
