/* MPICH (5.0.2) gives back what a connection holds when it is disconnected. */
#include "mpi_library.h"

const struct nereus_mpi_operations nereus_mpi_mpich = {
    .name = "MPICH",
    .version = "MPICH",
    .end_edge = MPI_Comm_disconnect,
    .end_merged = MPI_Comm_disconnect,
    .begin_duplicate = MPI_Comm_idup,
    .hosts_key = "hosts",
};
