/**
 * @file join_in_place.c
 * Called by nereus-guard-join (guard/guard_join.c), which joins instead of a program that could not
 * be started.
 */
#include "job_lifetime.h"
#include "src/core/join.h"

/* Make the reconfiguration fail with this reason.
 * @return the exit status */
int nereus_join_in_place(const char *reason);

int nereus_join_in_place(const char *reason)
{
    struct nereus_error failure = {0}, err = {0};
    MPI_Comm parent;
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
        return 1;
    MPI_Comm_get_parent(&parent);
    nereus_job *job = nereus_job_new(&err);
    /* not spawned: print the reason, as there is no job to tell it */
    if (parent == MPI_COMM_NULL || job == NULL) {
        nereus_log("%s", reason);
        MPI_Finalize();
        return 1;
    }
    nereus_fail(&failure, NEREUS_ERR_SPAWN, "%s", reason);
    if (nereus_join(job, parent, &failure, &err) == NEREUS_OK)
        /* Unreachable: an agreement precedes every commit */
        nereus_log("%s; and nobody noticed", reason);
    nereus_job_free(job);
    MPI_Finalize();
    return 0;
}
