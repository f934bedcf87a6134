/*
 * Zombies sleep in poll() on a listening socket and are called by a connection that shows their
 * token.
 *
 * A signal (spawning-methods, 3.2.2) reaches only processes of the same node, and a loop of
 * sleeping and testing uses CPU for ever; a socket does neither. A call is all or none: every
 * zombie acknowledges before any of them is told to go.
 */
#include "zombie.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* A visitor without the token may occupy the socket no longer than the first; the root has more
 * time. */
enum { HEADER_LIMIT_S = 1, CALL_LIMIT_S = 10 };
static const uint32_t magic = 0x4e5a4231; /* "NZB1" */

struct call_header {
    uint32_t magic;
    uint32_t call;
    unsigned char token[ZOMBIE_TOKEN_BYTES];
    int64_t count;
};

static enum nereus_status socket_failed(const char *what, struct nereus_error *err)
{
    return nereus_fail(err, NEREUS_ERR_IO, "%s for a process that is to sleep failed: %s", what,
                       strerror(errno));
}

static void limit_waiting(int fd)
{
    const struct timeval limit = {CALL_LIMIT_S, 0};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

static bool write_all(int fd, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes > 0) {
        const ssize_t n = send(fd, at, bytes, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        bytes -= (size_t)n;
    }
    return true;
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* All of it within limit_s in all (negative: however long it takes), or false. */
static bool read_all(int fd, void *data, size_t bytes, double limit_s)
{
    const double until_s = now_s() + limit_s;
    char *at = data;
    while (bytes > 0) {
        struct pollfd line = {fd, POLLIN, 0};
        const double left_s = until_s - now_s();
        const int ready = poll(&line, 1, limit_s < 0 ? -1 : left_s > 0 ? (int)(left_s * 1e3) + 1 : 0);
        if (ready < 0 && errno == EINTR)
            continue;
        const ssize_t n = ready > 0 ? recv(fd, at, bytes, 0) : 0;
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        bytes -= (size_t)n;
    }
    return true;
}

enum nereus_status zombie_endpoint_open(int64_t pool_rank, struct zombie_endpoint *endpoint,
                                        struct nereus_error *err)
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
    socklen_t length = sizeof any;
    memset(endpoint, 0, sizeof *endpoint);
    endpoint->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (endpoint->socket < 0)
        return socket_failed("opening a socket", err);
    if (bind(endpoint->socket, (struct sockaddr *)&any, sizeof any) != 0 ||
        listen(endpoint->socket, 4) != 0 ||
        getsockname(endpoint->socket, (struct sockaddr *)&any, &length) != 0 ||
        gethostname(endpoint->address.host, ZOMBIE_HOST_MAX - 1) != 0 ||
        getrandom(endpoint->address.token, ZOMBIE_TOKEN_BYTES, 0) != ZOMBIE_TOKEN_BYTES) {
        const enum nereus_status status = socket_failed("setting up a socket", err);
        zombie_endpoint_close(endpoint);
        return status;
    }
    endpoint->address.pool_rank = pool_rank;
    endpoint->address.pid = getpid();
    endpoint->address.port = ntohs(any.sin_port);
    return NEREUS_OK;
}

void zombie_endpoint_close(struct zombie_endpoint *endpoint)
{
    if (endpoint->socket >= 0)
        close(endpoint->socket);
    endpoint->socket = -1;
}

/* One visitor: is it the root, and what does it call for? false: somebody else, or a call that was
 * taken back. */
static bool receive_call(int fd, const struct zombie_address *me, enum zombie_call *call,
                         int64_t **pool_ranks, int64_t *count)
{
    struct call_header header;
    int64_t *ranks = NULL;
    char go = 0;
    limit_waiting(fd);
    if (!read_all(fd, &header, sizeof header, HEADER_LIMIT_S) || header.magic != magic || header.count < 0 ||
        memcmp(header.token, me->token, ZOMBIE_TOKEN_BYTES) != 0 || header.call < ZOMBIE_WAKE ||
        header.call > ZOMBIE_ROUSE)
        return false;
    ranks = malloc(((size_t)header.count + 1) * sizeof *ranks);
    if (ranks == NULL || !read_all(fd, ranks, (size_t)header.count * sizeof *ranks, CALL_LIMIT_S) ||
        !write_all(fd, "A", 1) || !read_all(fd, &go, 1, -1) || go != 'G') {
        free(ranks);
        return false;
    }
    *call = (enum zombie_call)header.call;
    *pool_ranks = ranks;
    *count = header.count;
    return true;
}

enum nereus_status zombie_sleep(struct zombie_endpoint *endpoint, enum zombie_call *call,
                                int64_t **pool_ranks, int64_t *count, struct nereus_error *err)
{
    for (;;) {
        struct pollfd listener = {endpoint->socket, POLLIN, 0};
        if (poll(&listener, 1, -1) < 0) {
            if (errno == EINTR)
                continue;
            return socket_failed("sleeping", err);
        }
        const int visitor = accept4(endpoint->socket, NULL, NULL, SOCK_CLOEXEC);
        if (visitor < 0) { /* closed before it was accepted; or no descriptor left: do not spin */
            usleep(10000);
            continue;
        }
        const bool called = receive_call(visitor, &endpoint->address, call, pool_ranks, count);
        close(visitor);
        if (called)
            return NEREUS_OK;
    }
}

/* Loopback reaches one's own host whatever its name resolves to. */
static bool resolve(const struct zombie_address *address, struct sockaddr_in *where)
{
    char here[ZOMBIE_HOST_MAX] = "";
    gethostname(here, sizeof here - 1);
    memset(where, 0, sizeof *where);
    where->sin_family = AF_INET;
    where->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (strcmp(here, address->host) != 0) {
        const struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
        struct addrinfo *found = NULL;
        if (getaddrinfo(address->host, NULL, &hints, &found) != 0)
            return false;
        memcpy(where, found->ai_addr, sizeof *where);
        freeaddrinfo(found);
    }
    where->sin_port = htons((uint16_t)address->port);
    return true;
}

/* Connect and call. @return the open connection, -1 on failure */
static int call_one(const struct zombie_address *address, enum zombie_call call, const int64_t *pool_ranks,
                    int64_t count)
{
    struct sockaddr_in where;
    struct call_header header = {magic, (uint32_t)call, {0}, count};
    memcpy(header.token, address->token, ZOMBIE_TOKEN_BYTES);
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    limit_waiting(fd);
    if (resolve(address, &where) && connect(fd, (struct sockaddr *)&where, sizeof where) == 0 &&
        write_all(fd, &header, sizeof header) &&
        write_all(fd, pool_ranks, (size_t)count * sizeof *pool_ranks))
        return fd;
    close(fd);
    return -1;
}

/* All are called before any answer is waited for. A zombie that has answered waits for the final
 * word without limit. */
static enum nereus_status wait_for_answers(const struct zombie_address *addresses, const int *fds,
                                           int64_t wake, struct nereus_error *err)
{
    for (int64_t i = 0; i < wake; i++) {
        char answer = 0;
        if (fds[i] < 0 || !read_all(fds[i], &answer, 1, CALL_LIMIT_S) || answer != 'A')
            return nereus_fail(err, NEREUS_ERR_IO, "the sleeping process %lld on %s does not answer",
                               (long long)addresses[i].pid, addresses[i].host);
    }
    return NEREUS_OK;
}

/* Call the last `wake` zombies, all or none. */
static enum nereus_status call_all(const struct zombies *zombies, int64_t wake, enum zombie_call call,
                                   const int64_t *pool_ranks, int64_t count, struct nereus_error *err)
{
    const struct zombie_address *addresses = zombies->addresses + (zombies->count - wake);
    int *fds = malloc(((size_t)wake + 1) * sizeof *fds);
    if (fds == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to wake %lld processes", (long long)wake);
    for (int64_t i = 0; i < wake; i++)
        fds[i] = call_one(&addresses[i], call, pool_ranks, count);
    enum nereus_status status = wait_for_answers(addresses, fds, wake, err);
    for (int64_t i = 0; i < wake; i++) {
        if (fds[i] < 0)
            continue;
        if (!write_all(fds[i], status == NEREUS_OK ? "G" : "C", 1) && status == NEREUS_OK)
            status = nereus_fail(err, NEREUS_ERR_IO, "a sleeping process went away while it was woken");
        close(fds[i]);
    }
    free(fds);
    return status;
}

enum nereus_status zombies_wake(const struct zombies *zombies, int64_t wake, const int64_t *pool_ranks,
                                int64_t count, struct nereus_error *err)
{
    return call_all(zombies, wake, ZOMBIE_WAKE, pool_ranks, count, err);
}

enum nereus_status zombies_rouse(const struct zombies *zombies, const int64_t *list, int64_t count,
                                 struct nereus_error *err)
{
    return call_all(zombies, zombies->count, ZOMBIE_ROUSE, list, count, err);
}

enum nereus_status zombies_end(const struct zombies *zombies, struct nereus_error *err)
{
    return call_all(zombies, zombies->count, ZOMBIE_END, NULL, 0, err);
}

enum nereus_status zombies_reserve(struct zombies *zombies, int64_t more, struct nereus_error *err)
{
    struct zombie_address *all =
        realloc(zombies->addresses, (size_t)(zombies->count + more + 1) * sizeof *all);
    if (all == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to remember %lld zombies", (long long)more);
    zombies->addresses = all;
    return NEREUS_OK;
}

void zombies_append(struct zombies *zombies, const struct zombie_address *address)
{
    zombies->addresses[zombies->count++] = *address;
}

void zombies_fini(struct zombies *zombies)
{
    free(zombies->addresses);
    zombies->addresses = NULL;
    zombies->count = 0;
}
