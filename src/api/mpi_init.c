/* MPI_Init as the application may call it before nereus_init: through MPI's profiling interface the
 * guard is told all the same. */
#include <mpi.h>

#include "src/start/bind.h"
#include "src/util/environment.h"
#include "src/util/guard_link.h"

static void before_mpi(void)
{
    nereus_set_mpi_environment();
    nereus_bind_look(true);
    nereus_tell_guard(GUARD_REACHED_MPI);
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
