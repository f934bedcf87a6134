/*
 * A test of hosts before anything is spawned there. MPI_Comm_spawn on a host that does not answer,
 * or cannot be reached, ends or hangs the job; so the launcher first starts a guard there, which
 * only checks whether the program can be started, reports that to nereus-supervise and ends
 * (guard.c, word q; it comes as a launched world does: link/launch.h). A failure then has cost
 * nothing.
 *
 * Only hosts on which the job has no process are tested: if another one does not answer any more
 * the job hangs anyhow. The cost is the start of a launcher, once for all hosts, as they are tested
 * in parallel. Private to src/.
 */
#ifndef NEREUS_PROBE_H
#define NEREUS_PROBE_H

#include "start_spec.h"

/* At the root, before a plan that spawns. spec has the guard and its command line. Without
 * nereus-supervise nothing is tested. Errors: NEREUS_ERR_SPAWN with the host and the reason,
 * MEMORY. */
enum nereus_status nereus_probe(const nereus_job *job, const struct nereus_request *request,
                                const struct start_spec *spec, struct nereus_error *failure);

#endif
