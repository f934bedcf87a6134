/** @file hosts.h  Host and node of a process. */
#ifndef NEREUS_SRC_START_HOSTS_H
#define NEREUS_SRC_START_HOSTS_H

#include "src/job/job.h"

/** Are the machine's nodes on several hosts? Virtual nodes ("host/a") may share one. */
bool nereus_machine_has_several_hosts(const struct nereus_machine *machine);
/** Host of a node, if the machine has several hosts; else "". */
void nereus_host_of_node(const struct nereus_machine *machine, int64_t node, char *host,
                         size_t size);
/** Node of job->machine on which the layout places an active process. */
int64_t nereus_node_of_rank(const nereus_job *job, int64_t rank);

#endif
