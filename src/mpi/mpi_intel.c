/**
 * @file mpi_intel.c
 * Describes Intel MPI (2021.18), derived from MPICH. MPI_Comm_disconnect crashes in its progress
 * loop if the processes are also connected by another communicator. MPI_Comm_free keeps the
 * connection for the other communicator, and MPI_Finalize waits for it.
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
    .spawns_by_host = true, /* "A:2" is read as a host name; "A,B" fills the cores of A first */
    .no_rma =
        "Intel MPI (2021.18) loses MPI_Rget between processes that were spawned one after the other",
    .proxy_a_world = true,
    .finalize_hangs = true,
};
