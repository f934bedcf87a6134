/** @file loss.c  Notes MPI's errors that mean a lost process. */
#include "loss.h"

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
