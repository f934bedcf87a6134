/**
 * @file zombie.c
 * Lets zombies sleep and calls them: they sleep in poll() on a listening socket and are called by a
 * connection that shows their token.
 *
 * A signal (Martín-Álvarez et al. (2024a), section 3.2.2) reaches only processes of the same node,
 * and a loop of sleeping and testing uses CPU forever; a socket does neither. All called zombies
 * wake, or none: every zombie acknowledges the call before the root sends GO to any of them.
 *
 *   root: TOKEN CALL COUNT NUMBER...                          zombie: A    root: G (go), or C
 *                                                                           (cancel)
 */
#include "zombie.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

/* Time limits: for a connection to send the token, as it occupies the socket; for the root's
 * messages. */
static const double token_limit_s = 1, call_limit_s = 10;
enum { CALL_BYTES_MAX = 64 << 20 };

enum nereus_status nereus_zombie_endpoint_open(int64_t pool_rank, struct zombie_endpoint *endpoint,
                                               struct nereus_error *err)
{
    *endpoint = (struct zombie_endpoint){.address = {.pool_rank = pool_rank, .pid = getpid()}};
    endpoint->socket = nereus_connection_listen(&endpoint->address.listener);
    if (endpoint->socket < 0)
        return nereus_fail(err, NEREUS_ERR_IO, "a socket for a process that is to sleep failed: %s",
                           strerror(errno));
    return NEREUS_OK;
}

void nereus_zombie_endpoint_close(struct zombie_endpoint *endpoint)
{
    if (endpoint->socket >= 0)
        close(endpoint->socket);
    endpoint->socket = -1;
}

/* Read a call from a connection.
 * @return false: a wrong token, or a cancelled call */
static bool receive_call(struct nereus_connection *connection, const struct zombie_address *me,
                         enum zombie_call *call, int64_t **pool_ranks, int64_t *count)
{
    char *text = nereus_connection_wait_line(connection, token_limit_s);
    const char *token = text == NULL ? NULL : nereus_word_next(&text),
               *kind = token == NULL ? NULL : nereus_word_next(&text),
               *number = kind == NULL ? NULL : nereus_word_next(&text);
    int64_t kind_number;
    if (token == NULL || strcmp(token, me->listener.token) != 0 ||
        !nereus_word_integer(kind, &kind_number) || !nereus_word_integer(number, count))
        return false;
    *call = (enum zombie_call)kind_number;
    if (*count < 0 || *count > CALL_BYTES_MAX / (int64_t)sizeof **pool_ranks)
        return false;
    int64_t *ranks = malloc(((size_t)*count + 1) * sizeof *ranks);
    const char *go = NULL;
    if (ranks != NULL &&
        nereus_connection_read(connection, ranks, (size_t)*count * sizeof *ranks, call_limit_s) &&
        nereus_connection_send_line(connection->fd, "A"))
        go = nereus_connection_wait_line(connection, -1);
    if (go != NULL && strcmp(go, "G") == 0) {
        *pool_ranks = ranks;
        return true;
    }
    free(ranks);
    return false;
}

enum nereus_status nereus_zombie_sleep(struct zombie_endpoint *endpoint, enum zombie_call *call,
                                       int64_t **pool_ranks, int64_t *count,
                                       struct nereus_error *err)
{
    for (;;) {
        struct pollfd listener = {endpoint->socket, POLLIN, 0};
        struct nereus_connection connection;
        if (poll(&listener, 1, -1) < 0 && errno != EINTR)
            return nereus_fail(err, NEREUS_ERR_IO, "a sleeping process cannot wait: %s",
                               strerror(errno));
        const int fd = accept4(endpoint->socket, NULL, NULL, SOCK_CLOEXEC);
        /* The client has closed it, or no descriptor is left: do not spin. */
        if (fd < 0) {
            usleep(10000);
            continue;
        }
        nereus_connection_init(&connection, fd, CALL_BYTES_MAX);
        const bool called = receive_call(&connection, &endpoint->address, call, pool_ranks, count);
        nereus_connection_fini(&connection);
        if (called)
            return NEREUS_OK;
    }
}

/* Connect and send the call. On failure the line has no socket. */
static void send_call(const struct zombie_address *address, enum zombie_call call,
                      const int64_t *pool_ranks, int64_t count,
                      struct nereus_connection *connection)
{
    const int fd =
        nereus_connection_connect(address->listener.host, address->listener.port, call_limit_s);
    nereus_connection_init(connection, fd, 64);
    if (!nereus_connection_send_line(fd, "%s %d %lld", address->listener.token, (int)call,
                                     (long long)count) ||
        !nereus_connection_send(fd, pool_ranks, (size_t)count * sizeof *pool_ranks, call_limit_s))
        nereus_connection_fini(connection);
}

/* Wait for the answers after all zombies were called. A zombie that has answered waits without
 * limit for GO or CANCEL. */
static enum nereus_status wait_for_answers(const struct zombie_address *addresses,
                                           struct nereus_connection *connections, int64_t wake,
                                           struct nereus_error *err)
{
    for (int64_t i = 0; i < wake; i++) {
        const char *answer = nereus_connection_wait_line(&connections[i], call_limit_s);
        if (answer == NULL || strcmp(answer, "A") != 0)
            return nereus_fail(err, NEREUS_ERR_IO,
                               "the sleeping process %lld on %s does not answer",
                               (long long)addresses[i].pid, addresses[i].listener.host);
    }
    return NEREUS_OK;
}

enum nereus_status nereus_zombies_call(const struct zombies *zombies, int64_t called,
                                       enum zombie_call call, const int64_t *list, int64_t count,
                                       struct nereus_error *err)
{
    const struct zombie_address *addresses = zombies->addresses + (zombies->count - called);
    struct nereus_connection *connections = malloc(((size_t)called + 1) * sizeof *connections);
    NEREUS_TRY_MEMORY(connections, err, "to wake %lld processes", (long long)called);
    for (int64_t i = 0; i < called; i++)
        send_call(&addresses[i], call, list, count, &connections[i]);
    enum nereus_status status = wait_for_answers(addresses, connections, called, err);
    for (int64_t i = 0; i < called; i++) {
        if (connections[i].fd >= 0 &&
            !nereus_connection_send_line(connections[i].fd, status == NEREUS_OK ? "G" : "C") &&
            status == NEREUS_OK)
            status = nereus_fail(err, NEREUS_ERR_IO, "a sleeping process ended while it was woken");
        nereus_connection_fini(&connections[i]);
    }
    free(connections);
    return status;
}

enum nereus_status nereus_zombies_reserve(struct zombies *zombies, int64_t more,
                                          struct nereus_error *err)
{
    struct zombie_address *all_addresses =
        nereus_grow_by(zombies->addresses, zombies->count, more, sizeof *all_addresses);
    NEREUS_TRY_MEMORY(all_addresses, err, "to remember %lld zombies", (long long)more);
    zombies->addresses = all_addresses;
    return NEREUS_OK;
}

void nereus_zombies_append(struct zombies *zombies, const struct zombie_address *address)
{
    zombies->addresses[zombies->count++] = *address;
}

void nereus_zombies_fini(struct zombies *zombies)
{
    free(zombies->addresses);
    zombies->addresses = NULL;
    zombies->count = 0;
}
