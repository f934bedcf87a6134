/**
 * @file bind.h
 * Binds this process to cores (bind_with_hwloc.c, bind_without_hwloc.c). Main thread only.
 */
#pragma once

#include <pthread.h>

#include "src/job/job.h"

/** Was Nereus built with hwloc? Without it the other functions do nothing. */
bool nereus_bind_is_supported(void);
/** Store the initial affinity, before anything changes it. before_mpi: MPI has not been started
 * yet. */
void nereus_bind_store_initial(bool before_mpi);
/** Bind this process to the cores that the layout gives it. Local, in active processes; a failure
 * only warns. */
void nereus_bind(nereus_job *job);
/** Bind an auxiliary thread to the last of this process' own cores, if it has several. */
void nereus_bind_auxiliary(pthread_t thread);
/** Restore the initial affinity. */
void nereus_bind_restore(void);
