/* MPICH asks the functions that MPIX_Async_start has registered in each turn of its progress loop.
 * The one here sleeps: so the loop does. Measured in docs/measured.md. */
#include "blocking_calls.h"

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "nereus_mpi_config.h"
#include "wait.h"

#if NEREUS_HAVE_MPIX_ASYNC
static struct {
    atomic_bool on, registered;
    double pause_s;
} sleeper;

static int sleep_between_looks(MPIX_Async_thing thing)
{
    (void)thing;
    if (!sleeper.on) {
        sleeper.registered = false;
        return MPIX_ASYNC_DONE;
    }
    nereus_back_off(&sleeper.pause_s);
    return MPIX_ASYNC_NOPROGRESS;
}

void nereus_blocking_calls_begin(void)
{
    sleeper.pause_s = 0;
    sleeper.on = true;
    if (!sleeper.registered)
        sleeper.registered =
            MPIX_Async_start(sleep_between_looks, NULL, MPIX_STREAM_NULL) == MPI_SUCCESS;
}

void nereus_blocking_calls_end(void)
{
    sleeper.on = false;
}
#else
void nereus_blocking_calls_begin(void)
{
}

void nereus_blocking_calls_end(void)
{
}
#endif
