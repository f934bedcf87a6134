/**
 * @file start_slowly.c
 * A malleable program that starts slowly: BEFORE seconds pass before MPI_Init and BETWEEN seconds
 * from there to nereus_init. Then it is resized to SIZE by METHOD (start_slowly BEFORE BETWEEN
 * [SIZE METHOD]).
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "nereus/nereus.h"

enum { POINTS = 6 };

static void sleep_s(const char *seconds)
{
    usleep((useconds_t)(1e6 * atof(seconds)));
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "Usage: start_slowly BEFORE BETWEEN [SIZE METHOD]\n");
        return 2;
    }
    const struct nereus_resize schedule[] = {
        {.point = 2, .nt = argc > 3 ? atoi(argv[3]) : 1, .method = argc > 4 ? argv[4] : NULL}};
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    enum nereus_action action = NEREUS_CONTINUE;
    int64_t point = 0;
    int level, id;
    nereus_job *job;
    options.schedule = schedule;
    options.schedule_count = argc > 3;
    sleep_s(argv[1]);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    sleep_s(argv[2]);
    if (nereus_init(&argc, &argv, &options, &job) != NEREUS_OK ||
        nereus_register_replicated(job, "point", MPI_INT64_T, 1, NEREUS_VARIABLE, &point, &id) !=
            NEREUS_OK)
        return EXIT_FAILURE;
    for (; point < POINTS && action != NEREUS_LEAVE; point++)
        if (nereus_point(job, &action) != NEREUS_OK)
            return EXIT_FAILURE;
    if (nereus_finalize(&job) != NEREUS_OK)
        return EXIT_FAILURE;
    MPI_Finalize();
    return EXIT_SUCCESS;
}
