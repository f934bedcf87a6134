/**
 * @file huge_pages.c
 * Do the parts that a change of size has made have the advice to use huge pages?
 * METHOD MIB EXPECTED (0 or 1), under nereus-mpiexec -n 1: from 1 to 2 processes, each of which
 * looks at its own part. The file of NEREUS_PROFILE is removed after nereus_init, which has read
 * it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "huge_advice.h"
#include "nereus/nereus.h"

enum { FIRST_POINT = 2, LAST = 4 };

static int check(const nereus_job *job, int id, bool expected)
{
    void *part;
    int64_t count;
    if (nereus_local(job, id, &part, NULL, &count) != NEREUS_OK || count == 0)
        return 1;
    const bool advised = has_huge_advice((char *)part + count / 2);
    if (advised != expected)
        fprintf(stderr, "huge_pages: rank %d: %s\n", nereus_rank(job),
                advised ? "advised" : "not advised");
    return advised != expected;
}

int main(int argc, char **argv)
{
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    enum nereus_action action = NEREUS_CONTINUE;
    int64_t iteration = 0;
    int id, iteration_id;
    nereus_job *job;
    if (argc < 4)
        return EXIT_FAILURE;
    struct nereus_resize resize = {FIRST_POINT, 2, argv[1]};
    options.schedule = &resize;
    options.schedule_count = 1;
    if (nereus_init(&argc, &argv, &options, &job) != NEREUS_OK)
        return EXIT_FAILURE;
    if (!nereus_is_joined(job))
        remove(getenv("NEREUS_PROFILE"));
    nereus_register_array(job, "bytes", MPI_BYTE, atoll(argv[2]) << 20, NEREUS_VARIABLE, &id);
    nereus_register_replicated(job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE, &iteration,
                               &iteration_id);
    while (action != NEREUS_LEAVE && iteration < LAST) {
        iteration++;
        if (nereus_point(job, &action) != NEREUS_OK)
            return EXIT_FAILURE;
    }
    int failed = 0;
    if (action != NEREUS_LEAVE) {
        failed = nereus_size(job) != 2 || check(job, id, atoi(argv[3]) != 0);
        MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, nereus_comm(job));
    }
    return nereus_finalize(&job) == NEREUS_OK && failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
