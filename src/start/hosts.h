/** @file hosts.h  Finds host and node of a process: by the layout, and of this process. */
#pragma once

#include "src/job/job.h"

/** Are the machine's nodes on several hosts? Virtual nodes ("host/a") may share one. */
bool nereus_machine_has_several_hosts(const struct nereus_machine *machine);
/** Host of a node, if the machine has several hosts; else "". */
void nereus_host_of_node(const struct nereus_machine *machine, int64_t node, char *host,
                         size_t size);
/** Node of job->machine on which the layout places an active process. */
int64_t nereus_node_of_rank(const nereus_job *job, int64_t rank);

/** Is this the host of a node? node_name: "host" or "host/node" */
bool nereus_is_this_host(const char *node_name);
/** Is this process on the host that the layout gives for it? */
bool nereus_is_on_node(const nereus_job *job);
