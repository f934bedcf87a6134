/** @file this_machine.h  Finds facts about the machine that the command runs on, without MPI. */
#pragma once

#include "model/util/base.h"
#include "nereus/layout.h"
#include "nereus/provenance.h"

/** Get the name of this host, truncated to the buffer. */
void nereus_this_machine_name(char *name, size_t bytes);

/** The launcher for other hosts: "Slurm (srun)", "PBS", ..., "ssh", or "this host only (no
 * ssh)". */
const char *nereus_this_machine_launcher(void);

/** Is this a virtual machine, by the processor's flags? false also if the system has no
 * information. */
bool nereus_this_machine_is_virtual(void);

/** The host's total and available memory in bytes; 0: unknown. */
void nereus_this_machine_memory(double *total_bytes, double *available_bytes);

/** @return number of System V segments of this user */
int64_t nereus_this_machine_segments(void);

/** Describe the topology, as "packages: 1, NUMA nodes: 1, cores: 2, hardware threads: 2, L3: 32
 * MiB"; "" if built without hwloc. */
void nereus_this_machine_topology(char *text, size_t bytes);

/** Make the provenance of a measurement on this machine at this time.
 * @param cluster  name of the cluster in samples */
void nereus_this_machine_provenance(const struct nereus_machine *machine, const char *cluster,
                                    struct nereus_provenance *provenance);

/** Get the host of a node; for a virtual node "host/x" it is "host". */
void nereus_node_host(const struct nereus_machine *machine, int64_t node,
                      char host[NEREUS_NODE_NAME_MAX]);

/**
 * Can the hosts of a host file be resolved here? Starting a process on an unknown host would end or
 * hang the job. At most 64 hosts are looked up.
 * @param[in] file  for the message
 */
enum nereus_status nereus_this_machine_check_hosts(const struct nereus_machine *machine,
                                                   const char *file, struct nereus_error *err);

/**
 * Write a line "HOST:CORES" for each host, with the cores of all its virtual nodes, in the order of
 * the nodes.
 * @return NEREUS_ERR_IO
 */
enum nereus_status nereus_launch_hosts_write(const struct nereus_machine *machine, const char *path,
                                             struct nereus_error *err);
