/** @file example.c  See example.h. */
#include "example.h"

#include <stdio.h>
#include <stdlib.h>

struct nereus_options example_options(int64_t steps, const char *method)
{
    static struct nereus_resize schedule[3];
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    schedule[0] = (struct nereus_resize){.point = steps / 4, .nt = 4};
    schedule[1] = (struct nereus_resize){.point = steps / 2, .nt = 1};
    schedule[2] = (struct nereus_resize){.point = 3 * steps / 4, .nt = 3};
    options.schedule = schedule;
    options.schedule_count = steps < 4 ? 0 : 3;
    options.method = method;
    return options;
}

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
