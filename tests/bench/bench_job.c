/*
 * One reconfiguration with Nereus, as small as can be:
 *
 *   bench-job METHOD NT BYTES      under nereus-mpiexec -n NS; its times are in the trace (NEREUS_TRACE)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nereus.h"

int main(int argc, char **argv)
{
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    struct nereus_resize resize = {2, argc > 2 ? atoll(argv[2]) : 1, argc > 1 ? argv[1] : NULL};
    enum nereus_action action = NEREUS_CONTINUE;
    int64_t iteration = 0, count;
    int id;
    void *part;
    nereus_job *job;
    options.schedule = &resize;
    options.schedule_count = 1;
    if (argc < 4 || nereus_init(&argc, &argv, &options, &job) != NEREUS_OK)
        return EXIT_FAILURE;
    nereus_register_array(job, "bytes", MPI_BYTE, atoll(argv[3]), NEREUS_VARIABLE, &id);
    nereus_register_replicated(job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE, &iteration, &id);
    nereus_local(job, 0, &part, NULL, &count);
    if (!nereus_is_joined(job) && count > 0)
        memset(part, 1, (size_t)count);
    while (iteration < 4 && action != NEREUS_LEAVE) {
        MPI_Barrier(nereus_comm(job)); /* an iteration: all arrive at the point together */
        iteration++;
        if (nereus_point(job, &action) != NEREUS_OK)
            return EXIT_FAILURE;
    }
    return nereus_finalize(&job) == NEREUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
