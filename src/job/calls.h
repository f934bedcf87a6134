/* Calls of the library in which this process may wait for others, as the watchdog has to know them.
 * Private to src/. */
#ifndef NEREUS_SRC_CALLS_H
#define NEREUS_SRC_CALLS_H

#include "job.h"

/* The process' rank and size are known, or have changed: to the watchdog, too. */
void nereus_job_is_known(nereus_job *job);
void nereus_call_begins(nereus_job *job, const char *call);
/* The program goes on. Ranks may have changed meanwhile. */
void nereus_call_ends(nereus_job *job);

/* NEREUS_CHECK: the program calls this collective on MPI_COMM_WORLD, or on a duplicate of it
 * (src/check/collectives.c). After a change of size it is said, once for each name. */
void nereus_check_collective(const char *call);

#endif
