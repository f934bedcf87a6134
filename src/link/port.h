/*
 * MPI ports, each with a listening socket: who wants to connect shows a token there and is told
 * when to connect.
 *
 * MPI_Comm_connect and MPI_Comm_accept need that for three reasons. MPICH 5.0.2 crashes when a
 * connection comes while the process that opened the port is still in another one, so one must not
 * connect before the other side is about to accept. An accept has no time limit, and a connect has
 * none over libfabric's tcp. And a process that waits in MPI spins, but one that waits at a socket
 * sleeps. Private to src/.
 */
#ifndef NEREUS_PORT_H
#define NEREUS_PORT_H

#include <mpi.h>
#include <stdbool.h>

#include "nereus/status.h"
#include "src/util/wait.h"

struct nereus_port {
    /* To be sent to others: address of the socket, and MPI's port name; owned. NULL: not open */
    char *text;
    char *name; /* MPI's name; owned. May be longer than MPI_MAX_PORT_NAME */
    int listener;
};
#define NEREUS_PORT_NONE                                                                           \
    {                                                                                              \
        .text = NULL, .name = NULL, .listener = -1                                                 \
    }

enum nereus_status nereus_port_open(struct nereus_port *port, struct nereus_error *err);
void nereus_port_close(struct nereus_port *port);

/* Collective over comm; the port of rank 0 counts. Waits for one connection at the socket, at most
 * limit_s, and accepts its connection. After that nobody may connect to the port again. */
enum nereus_status nereus_port_accept(MPI_Comm comm, const struct nereus_port *port, double limit_s,
                                      MPI_Comm *inter, struct nereus_error *err);
/* Collective over comm; the text of rank 0 counts. NEREUS_ERR_SPAWN on every process where the
 * other side has ended, or does not answer within limit_s: nothing has happened then. detector:
 * rank 0 waits only until it sees a loss; NULL: no process is watched. */
enum nereus_status nereus_port_connect(MPI_Comm comm, const char *text, double limit_s,
                                       const struct nereus_detector *detector, MPI_Comm *inter,
                                       struct nereus_error *err);

#endif
