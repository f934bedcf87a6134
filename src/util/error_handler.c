/** @file error_handler.c  Notes losses, and wakes the processes that wait for a lost one. */
#include "error_handler.h"

#include "error.h"
#include "loss.h"
#include "src/mpi/mpi_library.h"

/* MPI calls this function in the process whose call fails. */
static void handle_error(MPI_Comm *comm, int *code, ...)
{
    struct nereus_error err;
    if (nereus_mpi()->recovery->is_loss(*code)) {
        nereus_loss_set(true);
        nereus_mpi()->recovery->revoke(*comm);
        return;
    }
    nereus_mpi_failed(*code, "a call of MPI", &err);
    nereus_abort_job(&err);
}

enum nereus_status nereus_error_handler_install(struct nereus_error *err)
{
    MPI_Errhandler previous, handler;
    if (!nereus_job_survives_loss())
        return NEREUS_OK;
    NEREUS_MPI(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &previous), err);
    const bool is_default = previous == MPI_ERRORS_ARE_FATAL;
    NEREUS_MPI(MPI_Errhandler_free(&previous), err);
    if (!is_default)
        return NEREUS_OK;
    NEREUS_MPI(MPI_Comm_create_errhandler(handle_error, &handler), err);
    NEREUS_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler), err);
    NEREUS_MPI(MPI_Errhandler_free(&handler), err);
    return NEREUS_OK;
}
