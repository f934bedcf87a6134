/**
 * @file mpi_ulfm.c
 * Uses User Level Failure Mitigation (ULFM) of Open MPI 5.0.11, in jobs that its launcher starts
 * with
 * --with-ft ulfm.
 *
 * MPI_Finalize may not return in a job that has lost a process (docs/methods.md). Without any
 * finalisation the launcher treats each process as crashed. Therefore only PMIx is finalised, the
 * library by which Open MPI communicates with its launcher.
 */
#include <dlfcn.h>
#include <stddef.h>

#include "mpi_library.h"

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#ifdef OMPI_HAVE_MPI_EXT_FTMPI
static bool is_loss(int code)
{
    int class = MPI_SUCCESS;
    PMPI_Error_class(code, &class);
    return class == MPIX_ERR_PROC_FAILED || class == MPIX_ERR_PROC_FAILED_PENDING ||
           class == MPIX_ERR_REVOKED;
}

static bool has_lost(MPI_Comm comm)
{
    MPI_Group lost;
    int processes = 0, here, revoked = 0;
    /* Open MPI detects losses only while it makes progress. */
    if (MPI_Iprobe(MPI_ANY_SOURCE, 0, comm, &here, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        return true;
    if (MPIX_Comm_is_revoked(comm, &revoked) == MPI_SUCCESS && revoked)
        return true;
    if (MPIX_Comm_get_failed(comm, &lost) != MPI_SUCCESS)
        return true;
    MPI_Group_size(lost, &processes);
    MPI_Group_free(&lost);
    return processes > 0;
}

static int revoke(MPI_Comm comm)
{
    return MPIX_Comm_revoke(comm);
}

static int shrink(MPI_Comm comm, MPI_Comm *rest)
{
    return MPIX_Comm_shrink(comm, rest);
}

static void leave_launcher(void)
{
    int (*finalize)(const void *info, size_t count);
    *(void **)&finalize = dlsym(RTLD_DEFAULT, "PMIx_Finalize");
    if (finalize != NULL)
        finalize(NULL, 0);
}

const struct nereus_mpi_recovery nereus_mpi_ulfm = {
    .is_loss = is_loss,
    .has_lost = has_lost,
    .revoke = revoke,
    .shrink = shrink,
    .leave = leave_launcher,
};
#else
/* Built with another MPI, for which the row of Open MPI is not used. */
const struct nereus_mpi_recovery nereus_mpi_ulfm = {.is_loss = NULL};
#endif
