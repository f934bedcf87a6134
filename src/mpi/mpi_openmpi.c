/** @file mpi_openmpi.c  Open MPI (5.0.11). */
#include "mpi_library.h"

/* MPI_Comm_idup calls collectives over the communicator from the progress loop: at other moments in
 * other processes, so that they meet the caller's collectives in another order, and messages of one
 * are received by the other. Returns a request that is complete. */
static int duplicate(MPI_Comm comm, MPI_Comm *copy, MPI_Request *request)
{
    const int code = MPI_Comm_dup(comm, copy);
    return code == MPI_SUCCESS ? MPI_Ibarrier(MPI_COMM_SELF, request) : code;
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
    .no_launch = "MPI_Comm_accept and MPI_Comm_connect between the jobs of two launchers hang",
    .recovery = &nereus_mpi_ulfm,
};
