/*
 * Ports, each with a door: a socket at which who wants to connect shows a token and is told when to.
 *
 * MPI_Comm_connect and _accept need it for three reasons. MPICH 5.0.2 crashes when a connection comes while the process that
 * opened the port is still in another one, so one must not connect before the other side is about to accept. An accept
 * has no time limit, and a connect has none over libfabric's tcp. And who waits in MPI spins, but who waits at a
 * door sleeps. Private to src/.
 */
#ifndef NEREUS_PORT_H
#define NEREUS_PORT_H

#include <mpi.h>
#include <stdbool.h>

#include "nereus/status.h"
#include "src/util/wait.h"

struct nereus_port {
    char *
        text; /* what others are told: where the door is, and MPI's name of the port; owned. NULL: not open */
    char *name; /* MPI's name; owned. May be longer than MPI_MAX_PORT_NAME */
    int door;
};
#define NEREUS_PORT_NONE                                                                                     \
    {                                                                                                        \
        .text = NULL, .name = NULL, .door = -1                                                               \
    }

enum nereus_status nereus_port_open(struct nereus_port *port, struct nereus_error *err);
void nereus_port_close(struct nereus_port *port);

/*
 * Collective over comm; the port of rank 0 counts. Waits for one visitor at the door, at most limit_s, and accepts its
 * connection. Then nobody may connect to it again.
 */
enum nereus_status nereus_port_accept(MPI_Comm comm, const struct nereus_port *port, double limit_s,
                                      MPI_Comm *inter, struct nereus_error *err);
/* Collective over comm; the text of rank 0 counts. NEREUS_ERR_SPAWN on every process where the other side is gone, or does not
 * answer within limit_s: nothing has happened then. watched: rank 0 waits at the door only until new processes of this move are known
 * to be lost; NULL: nobody knows. */
enum nereus_status nereus_port_connect(MPI_Comm comm, const char *text, double limit_s,
                                       const struct nereus_detector *detector, MPI_Comm *inter,
                                       struct nereus_error *err);

#endif
