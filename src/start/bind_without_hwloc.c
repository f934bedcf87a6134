/**
 * @file bind_without_hwloc.c
 * Binds nothing, in a build without hwloc: processes run on all cores that they were started on.
 */
#include "bind.h"

bool nereus_bind_is_supported(void)
{
    return false;
}

void nereus_bind_store_initial(bool before_mpi)
{
    (void)before_mpi;
}

void nereus_bind(nereus_job *job)
{
    (void)job;
}

void nereus_bind_auxiliary(pthread_t thread)
{
    (void)thread;
}

void nereus_bind_restore(void)
{
}
