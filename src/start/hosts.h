/* On which host, and on which node of the machine, a process is. Private to src/. */
#ifndef NEREUS_SRC_HOSTS_H
#define NEREUS_SRC_HOSTS_H

#include "src/job/job.h"

/* Do the machine's nodes lie on more than one host? Virtual nodes ("host/a") may all be on one. */
bool nereus_several_hosts(const struct nereus_machine *machine);
/* The host of a node, where it has to be said; else an empty text. */
void nereus_host_of_node(const struct nereus_machine *machine, int64_t node, char *host,
                         size_t size);
/* The node, of job->machine, that the layout puts an active process on. */
int64_t nereus_node_of_rank(const nereus_job *job, int64_t rank);

#endif
