/* Asynchronous methods need MPI_THREAD_MULTIPLE. */
#include "threads.h"

#include "src/util/error.h"

enum nereus_status nereus_check_threads(const nereus_job *job, struct nereus_error *err)
{
    if (!job->has_threads)
        return nereus_fail(
            err, NEREUS_ERR_UNSUPPORTED,
            "asynchronous methods call MPI from two threads at once: initialise MPI with "
            "MPI_THREAD_MULTIPLE, or let nereus_init do it");
    return NEREUS_OK;
}
