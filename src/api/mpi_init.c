/* MPI_Init as the application may call it before nereus_init, MPI_Finalize and MPI_Abort: through
 * MPI's profiling interface the guard is told all the same, and a job that is still open is not
 * forgotten. */
#include <mpi.h>

#include "life.h"
#include "src/start/bind.h"
#include "src/util/environment.h"
#include "src/util/guard_link.h"

static void before_mpi(void)
{
    nereus_set_mpi_environment();
    nereus_bind_look(true);
    nereus_tell_guard(GUARD_REACHED_MPI);
    nereus_thread_calls_mpi();
}

int MPI_Init(int *argc, char ***argv)
{
    before_mpi();
    return PMPI_Init(argc, argv);
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    before_mpi();
    return PMPI_Init_thread(argc, argv, required, provided);
}

int MPI_Finalize(void)
{
    nereus_job_forbids_finalize();
    nereus_tell_guard(GUARD_ENDS_MPI);
    const int code = PMPI_Finalize();
    nereus_tell_guard(GUARD_HAS_NO_MPI);
    return code;
}

/* The launcher ends the job, with this status. */
int MPI_Abort(MPI_Comm comm, int status)
{
    nereus_tell_guard(GUARD_GIVES_UP);
    return PMPI_Abort(comm, status);
}
