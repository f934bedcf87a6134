/**
 * @file mpiexec_processes.h
 * Processes of the job's mpiexec: the initial ones (REQUEST_GUARDS_INITIAL), and those that
 * MPI_Comm_spawn has started (REQUEST_GUARDS_SPAWNED). What their guards report, and which end is a
 * loss.
 */
#ifndef NEREUS_SRC_SUPERVISE_MPIEXEC_PROCESSES_H
#define NEREUS_SRC_SUPERVISE_MPIEXEC_PROCESSES_H

#include "supervisor.h"

/* A line of a guard over an initial process. */
void initial_report(struct supervisor *supervisor, struct peer *peer, char kind, int number,
                    const char *sentence);
/* Over a spawned one. */
void spawned_report(struct supervisor *supervisor, struct peer *peer, char kind, int number,
                    const char *sentence);
/* The guard of a peer has ended. */
void guard_closed(struct supervisor *supervisor, const struct peer *peer);

#endif
