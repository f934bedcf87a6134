/**
 * @file port.h
 * Opens MPI ports, each with a listening socket: a client sends a token there and receives
 * permission to connect.
 *
 * MPI_Comm_connect and MPI_Comm_accept need the socket for three reasons. First, MPICH 5.0.2
 * crashes if a connection arrives while the process that opened the port handles another one: a
 * client must not connect before the server is ready to accept. Second, an accept has no time
 * limit, and a connect has none over libfabric's tcp. Third, a process that waits in MPI spins; a
 * process that waits at a socket sleeps.
 */
#pragma once

#include <mpi.h>

#include "src/util/wait.h"

/** An open port, at rank 0 of the group that accepts. */
struct nereus_port {
    /* text for clients: address of the socket, and MPI's port name; owned. NULL: not open */
    char *text;
    char *name; /* MPI's port name; owned. May be longer than MPI_MAX_PORT_NAME */
    int listener;
};
#define NEREUS_PORT_NONE                                                                           \
    {                                                                                              \
        .text = NULL, .name = NULL, .listener = -1                                                 \
    }

/** Open a port and its socket. Local. */
enum nereus_status nereus_port_open(struct nereus_port *port, struct nereus_error *err);
/** Close both. No effect if the port is not open. */
void nereus_port_close(struct nereus_port *port);

/** Wait at rank 0's socket for one client, at most limit_s, and accept it; the port cannot be used
 * again. Collective over comm. */
enum nereus_status nereus_port_accept(MPI_Comm comm, const struct nereus_port *port, double limit_s,
                                      MPI_Comm *inter, struct nereus_error *err);
/** Connect to rank 0's text. NEREUS_ERR_SPAWN on every process if the other side has ended, or does
 * not answer within limit_s: no MPI call was made then. detector: rank 0 stops waiting after a
 * loss; NULL: no process is watched. Collective over comm. */
enum nereus_status nereus_port_connect(MPI_Comm comm, const char *text, double limit_s,
                                       const struct nereus_detector *detector, MPI_Comm *inter,
                                       struct nereus_error *err);
