/**
 * @file calls.h
 * Calls of the library in which this process may wait for others, reported to the watchdog.
 */
#ifndef NEREUS_SRC_CALLS_H
#define NEREUS_SRC_CALLS_H

#include "job.h"

/** Rank and size are known or have changed: inform the watchdog. */
void nereus_job_is_known(nereus_job *job);
void nereus_call_begins(nereus_job *job, const char *call);
/** The call returns to the program; ranks may have changed in it. */
void nereus_call_ends(nereus_job *job);

/** NEREUS_CHECK: called by src/interpose/collectives.c when the program calls this collective on
 * MPI_COMM_WORLD or a duplicate of it. Reported after a change of size, once for each name. */
void nereus_check_collective(const char *call);

#endif
