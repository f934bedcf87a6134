/**
 * @file bench_job.c
 * One reconfiguration with Nereus, as small as can be:
 *
 *   bench-job METHOD NT BYTES [METHOD NT]      under nereus-mpiexec -n NS; its times are in the
 *                                              trace (NEREUS_TRACE)
 *
 * Prints "still SECONDS": how long the application stood still for it, that is, the time inside
 * nereus_point until the change is complete, of the process with the longest.
 *
 * The second METHOD and NT come first: they bring the job to the size, and to the worlds, that the
 * measured change begins with. An asynchronous change takes as many iterations as it takes.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "nereus/nereus.h"

enum { FIRST_POINT = 2, SECOND_POINT = 6, LAST = 4 };
static const double work_s = 1e-3; /* an iteration, beside what all of them wait for each other */

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Keeps its core for so long. */
static void work(double deadline_s)
{
    while (now_s() < deadline_s)
        ;
}

static void fill(const nereus_job *job, int id)
{
    int64_t count;
    void *part;
    nereus_local(job, id, &part, NULL, &count);
    if (count > 0)
        memset(part, 1, (size_t)count);
}

static void say_still(const nereus_job *job, double still_s)
{
    double longest_s;
    MPI_Reduce(&still_s, &longest_s, 1, MPI_DOUBLE, MPI_MAX, 0, nereus_comm(job));
    if (nereus_rank(job) == 0)
        printf("still %.9f\n", longest_s);
}

int main(int argc, char **argv)
{
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    struct nereus_resize resize[2];
    enum nereus_action action = NEREUS_CONTINUE;
    int64_t iteration = 0;
    bool complete = false;
    double still_s = 0;
    int id, iteration_id;
    nereus_job *job;
    if (argc < 4) {
        fprintf(stderr, "bench-job: METHOD NT BYTES [METHOD NT]\n");
        return EXIT_FAILURE;
    }
    resize[0] =
        (struct nereus_resize){FIRST_POINT, atoll(argv[argc > 5 ? 5 : 2]), argv[argc > 5 ? 4 : 1]};
    resize[1] = (struct nereus_resize){SECOND_POINT, atoll(argv[2]), argv[1]};
    options.schedule = resize;
    options.schedule_count = argc > 5 ? 2 : 1;
    const int64_t last = LAST + resize[options.schedule_count - 1].point;
    if (nereus_init(&argc, &argv, &options, &job) != NEREUS_OK)
        return EXIT_FAILURE;
    nereus_register_array(job, "bytes", MPI_BYTE, atoll(argv[3]), NEREUS_VARIABLE, &id);
    nereus_register_replicated(job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE, &iteration,
                               &iteration_id);
    if (!nereus_is_joined(job))
        fill(job, id);
    while (action != NEREUS_LEAVE &&
           (iteration < last || nereus_last_outcome(job, NULL) == NEREUS_OUTCOME_PENDING)) {
        work(now_s() + work_s);
        MPI_Barrier(nereus_comm(job)); /* all arrive at the point together */
        iteration++;
        const double arrival_s = now_s();
        if (nereus_point(job, &action) != NEREUS_OK)
            return EXIT_FAILURE;
        /* Later points only write the trace. A process that has joined came after all of them. */
        if (!nereus_is_joined(job) && !complete)
            still_s += now_s() - arrival_s;
        complete = complete || action == NEREUS_RESIZED;
    }
    if (action != NEREUS_LEAVE)
        say_still(job, still_s);
    return nereus_finalize(&job) == NEREUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
