/** @file bind.h  Binding of this process to cores. Main thread only. */
#ifndef NEREUS_SRC_START_BIND_H
#define NEREUS_SRC_START_BIND_H

#include <pthread.h>

#include "src/job/job.h"

/* false: built without hwloc; the other functions then do nothing. */
bool nereus_bind_possible(void);
/* Store the initial affinity, before anything changes it. before_mpi: MPI has not been started
 * yet. */
void nereus_bind_look(bool before_mpi);
/* Bind this process as the layout says. Local, in active processes; a failure only warns. */
void nereus_bind(nereus_job *job);
/* Bind an auxiliary thread to the last of several own cores. */
void nereus_bind_auxiliary(pthread_t thread);
/* Restore the initial affinity. */
void nereus_bind_end(void);

#endif
