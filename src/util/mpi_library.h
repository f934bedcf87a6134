/* What libraries of MPI do differently, by the text of MPI_Get_library_version. */
#ifndef NEREUS_UTIL_MPI_LIBRARY_H
#define NEREUS_UTIL_MPI_LIBRARY_H

#include <mpi.h>
#include <stdbool.h>

/* The number that stands for a predefined type in every process of a job, and the type of that
 * number. Local. */
int nereus_mpi_number_of_type(MPI_Datatype type);
MPI_Datatype nereus_mpi_type_of_number(int number);

/* Ends an inter-communicator whose processes stay connected through others; collective over it,
 * after a barrier. Sets it to MPI_COMM_NULL. Returns MPI's code. Thread safety: as
 * MPI_Comm_disconnect. */
int nereus_mpi_end_edge(MPI_Comm *comm);

/* Why one-sided calls between worlds cannot be relied on; NULL: they can. Local. */
const char *nereus_mpi_refuses_rma(void);

/* Can MPI_Finalize wait forever in a process that was connected to others? Local. */
bool nereus_mpi_finalize_hangs(void);

#endif
