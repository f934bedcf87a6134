/**
 * @file mpi_module.c
 * A module of an interpreter that has loaded MPI for itself alone, as mpi4py is one.
 */
#include <mpi.h>
#include <stddef.h>

void start(void);

void start(void)
{
    MPI_Init(NULL, NULL);
    MPI_Finalize();
}
