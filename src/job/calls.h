/**
 * @file calls.h
 * Reports calls of the library in which this process may wait for others to the watchdog.
 */
#pragma once

#include "job.h"

/** Tell the watchdog rank and size, which have become known or have changed. */
void nereus_job_update_watchdog(nereus_job *job);
/** Tell the watchdog that the process is in this call. */
void nereus_call_enter(nereus_job *job, const char *call);
/** The call returns to the program; ranks may have changed in it. */
void nereus_call_leave(nereus_job *job);

/** NEREUS_CHECK: called by src/interpose/collectives.c when the program calls this collective on
 * MPI_COMM_WORLD or a duplicate of it. Reported after a change of size, once for each name. */
void nereus_check_collective(const char *call);
