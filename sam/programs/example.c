/** @file example.c  See example.h. */
#include "example.h"

#include <stdio.h>
#include <stdlib.h>

void example_check(const nereus_job *job, enum nereus_status status)
{
    if (status == NEREUS_OK)
        return;
    fprintf(stderr, "%s\n", nereus_last_error(job));
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

void example_print(const nereus_job *job, uint64_t answer)
{
    if (nereus_rank(job) == 0)
        printf("answer %016llx, processes %d, changes of size %d\n", (unsigned long long)answer,
               nereus_size(job), (int)nereus_reconfigurations(job));
}
