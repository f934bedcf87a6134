/* nereus-guard-join (guard/guard_join.c) takes the place of a program that could not be started. */
#include "job_lifetime.h"
#include "src/core/join.h"
#include "src/util/error.h"

/* Tell the others why, and end. @return the exit status */
int nereus_join_in_place(const char *reason);

int nereus_join_in_place(const char *reason)
{
    struct nereus_error failure = {0}, err = {0};
    MPI_Comm parent;
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
        return 1;
    MPI_Comm_get_parent(&parent);
    nereus_job *job = nereus_job_new(&err);
    if (parent == MPI_COMM_NULL || job == NULL) { /* not spawned: nobody to tell but the user */
        nereus_say("%s", reason);
        MPI_Finalize();
        return 1;
    }
    nereus_fail(&failure, NEREUS_ERR_SPAWN, "%s", reason);
    if (nereus_join(job, parent, &failure, &err) == NEREUS_OK)
        /* Cannot happen: an agreement comes before every commit */
        nereus_say("%s; and nobody noticed", reason);
    nereus_job_free(job);
    MPI_Finalize();
    return 0;
}
