/* Asynchronous methods need MPI_THREAD_MULTIPLE. */
#include "threads.h"

#include "src/util/error.h"

enum nereus_status nereus_check_threads(struct nereus_error *err)
{
    static int level = -1; /* asked once: later calls may be another thread's */
    if (level < 0)
        NEREUS_MPI(MPI_Query_thread(&level), err);
    if (level < MPI_THREAD_MULTIPLE)
        return nereus_fail(
            err, NEREUS_ERR_UNSUPPORTED,
            "asynchronous methods call MPI from two threads at once: initialise MPI with "
            "MPI_THREAD_MULTIPLE, or let nereus_init do it");
    return NEREUS_OK;
}
