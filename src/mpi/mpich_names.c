/**
 * @file mpich_names.c
 * Defines three names. Built as libmpich.so.12 for an MPICH 5 from PyPI: the Fortran bindings of
 * Debian's MPICH 4.0 need a library of that name. It links libmpi.so.12, which has the same ABI
 * (MPICH ABI initiative) except three names, which MPI 4.1 has changed (remove instead of delete).
 * These three are defined here.
 */
#include <mpi.h>

int PMPIX_Delete_error_class(int error_class);
int PMPIX_Delete_error_code(int error_code);
int PMPIX_Delete_error_string(int error_code);

int PMPIX_Delete_error_class(int error_class)
{
    return PMPI_Remove_error_class(error_class);
}

int PMPIX_Delete_error_code(int error_code)
{
    return PMPI_Remove_error_code(error_code);
}

int PMPIX_Delete_error_string(int error_code)
{
    return PMPI_Remove_error_string(error_code);
}
