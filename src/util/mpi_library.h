/* What libraries of MPI do differently, by the text of MPI_Get_library_version. */
#ifndef NEREUS_UTIL_MPI_LIBRARY_H
#define NEREUS_UTIL_MPI_LIBRARY_H

#include <mpi.h>

/* Ends an inter-communicator whose processes stay connected through others; collective over it,
 * after a barrier. Sets it to MPI_COMM_NULL. Returns MPI's code. Thread safety: as
 * MPI_Comm_disconnect. */
int nereus_mpi_end_edge(MPI_Comm *comm);

#endif
