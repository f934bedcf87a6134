/**
 * @file probe.h
 * Test of hosts before a spawn. MPI_Comm_spawn ends or hangs the job if a host does not answer or
 * cannot be reached. Therefore the launcher first starts a guard there, which only checks whether
 * the program can be started, reports to nereus-supervise and ends (guard.c, word q; protocol of a
 * launched world: link/launch.h). A failure of this test does not affect the job.
 *
 * Only hosts without a process of the job are tested: without an answer from a host that it already
 * uses the job hangs in any case. The test takes as long as one start of a launcher, as all hosts
 * are tested in parallel.
 */
#ifndef NEREUS_SRC_START_PROBE_H
#define NEREUS_SRC_START_PROBE_H

#include "start_spec.h"

/** Probe the hosts, at the root, before a plan that spawns. spec has the guard and its command
 * line. Without nereus-supervise nothing is tested. Errors: NEREUS_ERR_SPAWN with the host and the
 * reason, MEMORY. */
enum nereus_status nereus_probe_hosts(const nereus_job *job, const struct nereus_request *request,
                                      const struct start_spec *spec, struct nereus_error *failure);

#endif
