/**
 * @file mpiexec_processes.h
 * Processes of the job's mpiexec: the initial ones (REQUEST_GUARDS_INITIAL), and those that
 * MPI_Comm_spawn has started (REQUEST_GUARDS_SPAWNED). Handles the reports of their guards, and
 * decides which end is a loss.
 */
#ifndef NEREUS_SRC_SUPERVISE_MPIEXEC_PROCESSES_H
#define NEREUS_SRC_SUPERVISE_MPIEXEC_PROCESSES_H

#include "supervisor.h"

/** Handle a line of a guard over an initial process. */
void mpiexec_handle_initial(struct supervisor *supervisor, struct peer *peer, char kind, int number,
                            const char *sentence);
/** Handle a line of a guard over a spawned process. */
void mpiexec_handle_spawned(struct supervisor *supervisor, struct peer *peer, char kind, int number,
                            const char *sentence);
/** Handle the end of a peer's guard. */
void mpiexec_handle_guard_end(struct supervisor *supervisor, const struct peer *peer);

#endif
