/**
 * @file weak_handles.h
 * Declares handles weak, for libraries that are loaded before a program, which may be one without
 * MPI (a shell, the launcher's wrapper). Predefined handles of Open MPI are variables. They are
 * declared weak, because a program with a missing variable would not start.
 */
#pragma once

#include <mpi.h>

#ifdef OPEN_MPI
#pragma weak ompi_mpi_comm_null
#pragma weak ompi_mpi_comm_world
#pragma weak ompi_mpi_datatype_null
#pragma weak ompi_mpi_file_null
#pragma weak ompi_mpi_int
#pragma weak ompi_mpi_op_min
#pragma weak ompi_mpi_win_null
#pragma weak ompi_request_null
#endif
