/** @file own_host.c  Compares this host with the host names of a layout. Main thread only. */
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bind_choice.h"
#include "hosts.h"
#include "model/layout/host_list.h"

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
