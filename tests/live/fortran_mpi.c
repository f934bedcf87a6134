/** @file fortran_mpi.c  MPI calls for the Fortran program: the MPI may have no bindings for Fortran. */
#include <mpi.h>

int fortran_test_sum(MPI_Fint comm, int own);

int fortran_test_sum(MPI_Fint comm, int own)
{
    int sum;
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_Comm_f2c(comm));
    return sum;
}
