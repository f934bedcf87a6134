/*
 * A look at hosts before anything is spawned there. MPI_Comm_spawn on a host that does not answer, or cannot be reached,
 * takes the job along or hangs it; so the launcher first starts a guard there by itself, which only looks for
 * the program, says so to nereus-supervise and ends (guard.c, word q; it comes as a launched world does: launch.h). What fails
 * then has touched nobody.
 *
 * Only hosts on which the job has no process are looked at: on one that does not answer any more the job hangs anyhow. It costs the
 * start of a launcher, once for all hosts, as they are looked at side by side. Private to src/.
 */
#ifndef NEREUS_PROBE_H
#define NEREUS_PROBE_H

#include "kit.h"

/*
 * At the root, before a plan that spawns. kit has the guard and its command line. Without nereus-supervise nothing is looked at.
 * Errors: NEREUS_ERR_SPAWN with the host and the reason, MEMORY.
 */
enum nereus_status nereus_probe(const nereus_job *job, const struct nereus_request *request,
                                const struct start_kit *kit, struct nereus_error *failure);

#endif
