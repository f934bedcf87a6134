/**
 * @file mpi_intel.c
 * Intel MPI (2021.18), made from MPICH. Its disconnect crashes in the progress loop while the
 * processes are connected by another communicator, too; a free leaves the connection to that one,
 * and MPI_Finalize waits for it.
 */
#include "mpi_library.h"

const struct nereus_mpi_operations nereus_mpi_intel = {
    .name = "Intel MPI",
    .version = "Intel(R) MPI",
    .end_edge = MPI_Comm_free,
    .end_merged = MPI_Comm_disconnect,
    .begin_duplicate = MPI_Comm_idup,
    .communicators_at_once = 8,
    .port_size_key = "port_name_size",
    .hosts_key = "hosts",
    .spawns_by_host = true, /* "A:2" is taken as a name; "A,B" fills the cores of A first */
    .no_rma =
        "Intel MPI (2021.18) loses MPI_Rget between processes that were spawned one after the other",
    .proxy_a_world = true,
    .finalize_hangs = true,
};
