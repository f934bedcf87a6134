/** @file hosts.c  Finds the host and node of a process in the job's machine. */

#include "hosts.h"

#include "bind_choice.h"

bool nereus_machine_has_several_hosts(const struct nereus_machine *machine)
{
    if (machine->had_several_hosts)
        return true;
    for (int64_t node = 1; node < machine->node_count; node++)
        if (!nereus_bind_same_host(machine, 0, node))
            return true;
    return false;
}

void nereus_host_of_node(const struct nereus_machine *machine, int64_t node, char *host,
                         size_t size)
{
    host[0] = '\0';
    if (nereus_machine_has_several_hosts(machine) && node < machine->node_count)
        snprintf(host, size, "%.*s", (int)strcspn(machine->nodes[node].name, "/"),
                 machine->nodes[node].name);
}

int64_t nereus_node_of_rank(const nereus_job *job, int64_t rank)
{
    const int64_t node = nereus_jobstate_node_of(&job->state, rank);
    return node >= 0 && node < job->machine.node_count
               ? node
               : nereus_machine_node_of(&job->machine, rank);
}
