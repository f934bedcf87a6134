/**
 * @file port.c
 * Opens, accepts and connects ports. A socket beside each port tells the client when to connect.
 */
#include "port.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "connection.h"
#include "src/mpi/mpi_library.h"
#include "src/util/clock.h"
#include "src/util/error.h"
#include "src/util/fault.h"

enum { PORT_NAME_BYTES = 4096 };
/* Time limit for a connection to send the token, as it occupies the socket. */
static const double token_limit_s = 1;
/* Interval at which a waiting process checks whether the connection can still succeed. */
static const double check_every_s = 0.02;

/* ---- opening --------------------------------------------------------------------------------- */

static enum nereus_status open_mpi_port(struct nereus_port *port, struct nereus_error *err)
{
    const char *size_key = nereus_mpi()->port_size_key;
    MPI_Info info;
    char size[16];
    port->name = calloc(1, PORT_NAME_BYTES);
    NEREUS_TRY_MEMORY(port->name, err, "for the name of a port");
    snprintf(size, sizeof size, "%d", (int)PORT_NAME_BYTES);
    NEREUS_MPI(MPI_Info_create(&info), err);
    if (size_key != NULL)
        MPI_Info_set(info, size_key, size);
    const int code = MPI_Open_port(info, port->name);
    MPI_Info_free(&info);
    return code == MPI_SUCCESS ? NEREUS_OK : nereus_mpi_failed(code, "MPI_Open_port", err);
}

static enum nereus_status open_listener(struct nereus_port *port, struct nereus_error *err)
{
    struct nereus_connection_address address;
    port->listener = nereus_connection_listen(&address);
    if (port->listener < 0)
        return nereus_fail(err, NEREUS_ERR_IO, "a socket for a port could not be opened: %s",
                           strerror(errno));
    const size_t size = strlen(port->name) + sizeof address + 32;
    port->text = malloc(size);
    NEREUS_TRY_MEMORY(port->text, err, "for the name of a port");
    snprintf(port->text, size, "%s:%d:%s:%s", address.host, address.port, address.token,
             port->name);
    return NEREUS_OK;
}

enum nereus_status nereus_port_open(struct nereus_port *port, struct nereus_error *err)
{
    *port = (struct nereus_port)NEREUS_PORT_NONE;
    enum nereus_status status = open_mpi_port(port, err);
    if (status == NEREUS_OK)
        status = open_listener(port, err);
    if (status != NEREUS_OK)
        nereus_port_close(port);
    return status;
}

void nereus_port_close(struct nereus_port *port)
{
    if (port->name != NULL && port->name[0] != '\0')
        MPI_Close_port(port->name);
    free(port->name);
    if (port->text != NULL || port->listener > 0)
        close(port->listener);
    free(port->text);
    *port = (struct nereus_port)NEREUS_PORT_NONE;
}

/* ---- accepting ----------------------------------------------------------------------------- */

/* Read the token that the connection sends first: is it the right one? */
static bool receives_token(int fd, const char *token)
{
    struct nereus_connection connection;
    nereus_connection_init(&connection, fd, NEREUS_CONNECTION_TOKEN_MAX + 1);
    const char *shown = nereus_connection_wait_line(&connection, token_limit_s);
    const bool expected = shown != NULL && strcmp(shown, token) == 0;
    free(connection.text); /* the socket stays open */
    return expected;
}

/* @return the connection; -1: no client before the time limit */
static int accept_connection(const struct nereus_port *port, double limit_s)
{
    struct nereus_connection_address address;
    const double deadline_s = nereus_skewed_monotonic_s() + limit_s;
    if (!nereus_connection_parse_address(port->text, &address, NULL))
        return -1;
    for (double left_s = limit_s; left_s > 0; left_s = deadline_s - nereus_skewed_monotonic_s()) {
        struct pollfd listener = {port->listener, POLLIN, 0};
        if (poll(&listener, 1, (int)(left_s * 1e3) + 1) <= 0)
            continue;
        const int connection = accept4(port->listener, NULL, NULL, SOCK_CLOEXEC);
        if (connection >= 0 && receives_token(connection, address.token))
            return connection;
        if (connection >= 0)
            close(connection);
    }
    return -1;
}

/* Broadcast rank 0's result. */
static enum nereus_status broadcast_result(MPI_Comm comm, const struct nereus_error *own_error,
                                           struct nereus_error *err)
{
    struct nereus_error shared = *own_error;
    NEREUS_TRY(nereus_broadcast(&shared, sizeof shared, 0, comm, NEREUS_WAIT_AWAKE, err));
    if (shared.status != NEREUS_OK)
        *err = shared;
    return shared.status;
}

/* Is the peer still connected? */
static bool is_connected(int connection)
{
    char byte;
    return recv(connection, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 0;
}

enum nereus_status nereus_port_accept(MPI_Comm comm, const struct nereus_port *port, double limit_s,
                                      MPI_Comm *inter, struct nereus_error *err)
{
    struct nereus_error own_error = {0};
    int rank, connection = -1;
    NEREUS_MPI(MPI_Comm_rank(comm, &rank), err);
    if (rank == 0 && (connection = accept_connection(port, limit_s)) < 0)
        nereus_fail(&own_error, NEREUS_ERR_SPAWN, "nobody connected to a port within %.0f s",
                    limit_s);
    else if (rank == 0 && !is_connected(connection))
        nereus_fail(&own_error, NEREUS_ERR_SPAWN, "who was to connect to a port has gone");
    if (broadcast_result(comm, &own_error, err) != NEREUS_OK) {
        if (connection >= 0)
            close(connection);
        return err->status;
    }
    if (connection >= 0) {
        nereus_connection_send_line(connection, "now");
        close(connection);
    }
    nereus_fault_die(NEREUS_FAULT_ACCEPT, rank);
    NEREUS_MPI(MPI_Comm_accept(rank == 0 ? port->name : "", MPI_INFO_NULL, 0, comm, inter), err);
    return NEREUS_OK;
}

/* ---- connecting ----------------------------------------------------------------------------- */

/* Wait in intervals: if another group has died, the group at this socket may wait for it
 * forever. */
static const char *wait_for_permission(struct nereus_connection *connection, double deadline_s,
                                       const struct nereus_detector *detector)
{
    const char *word = NULL;
    for (double left_s = deadline_s - nereus_skewed_monotonic_s();
         word == NULL && !connection->ended && left_s > 0;
         left_s = deadline_s - nereus_skewed_monotonic_s()) {
        word = nereus_connection_wait_line(connection,
                                           left_s < check_every_s ? left_s : check_every_s);
        if (detector != NULL && detector->sees_loss(detector->context))
            return NULL;
    }
    return word;
}

/* Send the token, and wait for permission to connect.
 * @param[out] name  MPI's port name, within text */
static enum nereus_status request_permission(const char *text, double limit_s,
                                             const struct nereus_detector *detector,
                                             const char **name, struct nereus_error *err)
{
    struct nereus_connection_address address;
    struct nereus_connection connection;
    const double deadline_s = nereus_skewed_monotonic_s() + limit_s;
    if (text == NULL || !nereus_connection_parse_address(text, &address, name) || *name == NULL)
        return nereus_fail(err, NEREUS_ERR_STATE, "the name of a port is not one");
    nereus_connection_init(&connection,
                           nereus_connection_connect(address.host, address.port, limit_s), 64);
    const char *word = NULL;
    if (connection.fd >= 0 && nereus_connection_send_line(connection.fd, "%s", address.token))
        word = wait_for_permission(&connection, deadline_s, detector);
    const bool may = word != NULL && strcmp(word, "now") == 0,
               ended = connection.ended || connection.fd < 0;
    nereus_connection_fini(&connection);
    if (may)
        return NEREUS_OK;
    return nereus_fail(err, NEREUS_ERR_SPAWN,
                       ended ? "the processes on %s that were to be connected have gone"
                             : "the processes on %s that were to be connected do not answer",
                       address.host);
}

enum nereus_status nereus_port_connect(MPI_Comm comm, const char *text, double limit_s,
                                       const struct nereus_detector *detector, MPI_Comm *inter,
                                       struct nereus_error *err)
{
    struct nereus_error own_error = {0};
    const char *name = "";
    char limit[32];
    MPI_Info info;
    int rank;
    NEREUS_MPI(MPI_Comm_rank(comm, &rank), err);
    if (rank == 0)
        request_permission(text, limit_s, detector, &name, &own_error);
    NEREUS_TRY(broadcast_result(comm, &own_error, err));
    snprintf(limit, sizeof limit, "%d",
             limit_s < 1 ? 1 : (int)(limit_s + 0.999)); /* whole seconds; 0: none */
    NEREUS_MPI(MPI_Info_create(&info), err);
    MPI_Info_set(info, "timeout", limit);
    const int code = MPI_Comm_connect(name, info, 0, comm, inter);
    MPI_Info_free(&info);
    return code == MPI_SUCCESS ? NEREUS_OK : nereus_mpi_failed(code, "MPI_Comm_connect", err);
}
