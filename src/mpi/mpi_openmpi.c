/** @file mpi_openmpi.c  Describes Open MPI (5.0.11). */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "mpi_library.h"

/* Duplicate by the blocking MPI_Comm_dup, and return a completed request. MPI_Comm_idup calls
 * collectives over the communicator from the progress loop, at different times in different
 * processes: the order relative to the caller's collectives differs, and one receives the messages
 * of the other. */
static int duplicate(MPI_Comm comm, MPI_Comm *copy, MPI_Request *request)
{
    const int code = MPI_Comm_dup(comm, copy);
    return code == MPI_SUCCESS ? MPI_Ibarrier(MPI_COMM_SELF, request) : code;
}

/* Is the PMIx server of this process the launcher itself ("prterun-HOST-1@0.0;tcp4://..."), not its
 * daemon on another host? */
static bool is_on_launcher_host(void)
{
    const char *server = getenv("PMIX_SERVER_URI4");
    return server == NULL || strstr(server, "@0.0;") != NULL;
}

/* On several hosts the processes abort, as they do not get each other's addresses. On another host
 * than mpiexec's the spawn hangs in PMIx_Lookup (5 of 6 jobs). */
static const char *get_start_refusal(bool several_hosts)
{
    return several_hosts || !is_on_launcher_host()
               ? "with Open MPI a spawn works on the host of mpiexec alone"
               : NULL;
}

/* A disconnect of a merged communicator hangs; a disconnect of the inter-communicator ends the
 * connection of both. */
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
    .start_refusal = get_start_refusal,
    .no_launch = "MPI_Comm_accept and MPI_Comm_connect between the jobs of two launchers hang",
    .recovery = &nereus_mpi_ulfm,
};
