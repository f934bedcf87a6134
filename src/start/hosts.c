/** @file hosts.c  Finds the host and node of a process. Main thread only. */
#include "hosts.h"

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bind_choice.h"
#include "model/layout/host_list.h"

/* ---- by the layout --------------------------------------------------------------------------- */

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

/* ---- of this process ------------------------------------------------------------------------- */

/* Does this address belong to this host? A socket can be bound only to an own address. */
static bool is_own_address(const struct addrinfo *address)
{
    const int fd = socket(address->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const bool is_own = fd >= 0 && bind(fd, address->ai_addr, address->ai_addrlen) == 0;
    if (fd >= 0)
        close(fd);
    return is_own;
}

static bool resolves_to_this_host(const char *name)
{
    struct addrinfo *addresses = NULL, hints = {.ai_socktype = SOCK_DGRAM};
    bool is_own = false;
    if (getaddrinfo(name, NULL, &hints, &addresses) != 0)
        return false;
    for (const struct addrinfo *a = addresses; a != NULL && !is_own; a = a->ai_next)
        is_own = is_own_address(a);
    freeaddrinfo(addresses);
    return is_own;
}

bool nereus_is_this_host(const char *node_name)
{
    static char checked_host[NEREUS_NODE_NAME_MAX]; /* the latest name, and the answer */
    static bool checked_is_here;
    char host[NEREUS_NODE_NAME_MAX];
    snprintf(host, sizeof host, "%.*s", nereus_bind_host_length(node_name), node_name);
    if (strcmp(host, checked_host) != 0) {
        checked_is_here = nereus_host_name_is_own(host) || resolves_to_this_host(host);
        strcpy(checked_host, host);
    }
    return checked_is_here;
}

bool nereus_is_on_node(const nereus_job *job)
{
    return nereus_is_this_host(job->machine.nodes[nereus_node_of_rank(job, job->rank)].name);
}
