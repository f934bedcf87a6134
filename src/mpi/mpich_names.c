/**
 * @file mpich_names.c
 * Becomes libmpich.so.12 beside an MPICH 5 from PyPI: the library that the Fortran bindings of
 * Debian's MPICH 4.0 ask for. It brings libmpi.so.12, which has the same ABI (the MPICH ABI
 * initiative's) but for three names, which MPI 4.1 has changed (remove instead of delete): these
 * are here.
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
