/** @file fortran_mpi.c  MPI for the Fortran program: the MPI at hand may come without Fortran. */
#include <mpi.h>

int fortran_test_sum(MPI_Fint comm, int own);

int fortran_test_sum(MPI_Fint comm, int own)
{
    int all;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, MPI_Comm_f2c(comm));
    return all;
}
