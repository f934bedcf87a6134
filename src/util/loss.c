/** @file loss.c  Notes MPI's errors that mean a lost process, and wakes those that wait for it. */
#include "loss.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "guard_events.h"
#include "src/mpi/mpi_library.h"

static volatile bool is_noted;

bool nereus_job_survives_loss(void)
{
    const char *action = getenv("NEREUS_ON_FAILURE");
    return action != NULL && strcmp(action, "continue") == 0 &&
           getenv(NEREUS_LAUNCHER_NAME) != NULL && nereus_mpi()->recovery != NULL &&
           nereus_mpi()->recovery->is_loss != NULL; /* NULL: this Open MPI was built without ULFM */
}

void nereus_loss_note(int code)
{
    if (nereus_job_survives_loss() && nereus_mpi()->recovery->is_loss(code))
        is_noted = true;
}

bool nereus_loss_is_noted(void)
{
    return is_noted;
}

void nereus_loss_set(bool noted)
{
    is_noted = noted;
}

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
    MPI_Errhandler now, ours;
    if (!nereus_job_survives_loss())
        return NEREUS_OK;
    NEREUS_MPI(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &now), err);
    const bool is_default = now == MPI_ERRORS_ARE_FATAL;
    NEREUS_MPI(MPI_Errhandler_free(&now), err);
    if (!is_default)
        return NEREUS_OK;
    NEREUS_MPI(MPI_Comm_create_errhandler(handle_error, &ours), err);
    NEREUS_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, ours), err);
    NEREUS_MPI(MPI_Errhandler_free(&ours), err);
    return NEREUS_OK;
}
