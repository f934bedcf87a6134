/** @file mpi_openmpi.c  Open MPI (5.0.11). */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "mpi_library.h"

/* MPI_Comm_idup calls collectives over the communicator from the progress loop: at other moments in
 * other processes, so that they meet the caller's collectives in another order, and messages of one
 * are received by the other. Returns a request that is complete. */
static int duplicate(MPI_Comm comm, MPI_Comm *copy, MPI_Request *request)
{
    const int code = MPI_Comm_dup(comm, copy);
    return code == MPI_SUCCESS ? MPI_Ibarrier(MPI_COMM_SELF, request) : code;
}

/* The server of this process is the launcher itself ("prterun-HOST-1@0.0;tcp4://..."), and not its
 * daemon on another host. */
static bool is_beside_launcher(void)
{
    const char *server = getenv("PMIX_SERVER_URI4");
    return server == NULL || strstr(server, "@0.0;") != NULL;
}

/* Between hosts processes abort, as they do not learn each other's addresses; on another host than
 * mpiexec's the spawn hangs in PMIx_Lookup (5 of 6 jobs). */
static const char *cannot_start(bool several_hosts)
{
    return several_hosts || !is_beside_launcher()
               ? "with Open MPI a spawn works on the host of mpiexec alone"
               : NULL;
}

/* A disconnect of a merged communicator hangs; that of the inter-communicator ends the connection
 * of both. */
const struct nereus_mpi_operations nereus_mpi_openmpi = {
    .name = "Open MPI",
    .version = "Open MPI",
    .end_edge = MPI_Comm_free,
    .end_merged = MPI_Comm_free,
    .begin_duplicate = duplicate,
    .hosts_key = "host",
    .no_bridge =
        "processes that spawn and connect have not made known to each other take themselves "
        "to be on different hosts, and collectives and windows hang",
    .cannot_start = cannot_start,
    .no_launch = "MPI_Comm_accept and MPI_Comm_connect between the jobs of two launchers hang",
    .recovery = &nereus_mpi_ulfm,
};
