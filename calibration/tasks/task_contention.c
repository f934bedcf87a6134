/**
 * @file task_contention.c
 * contention: iterations of each stage, short and long ones, first alone and then with --threads
 * background threads of a kind (--background), distributed over the processes. A row for each stage
 * and length.
 *
 * An iteration's time is the mean of the slowest process: time slices are longer than a short
 * iteration, and an application loses their sum. More processes than cores are refused: an iteration
 * alone has a core of its own.
 */
#include <math.h>

#include "background.h"
#include "loops.h"
#include "model/util/arith.h"
#include "model/util/clock.h"
#include "overlapped.h"
#include "task.h"

enum { ALONE_MIN = 4, WITH_THREADS_MIN = 3, STARTS_MAX = 3 };
static const double lengths_s[] = {1e-3, 1e-2};
static const double alone_s = 0.04, with_threads_s = 0.12, starts_s = 0.25;

/* An iteration ends with an MPI_Allreduce, as in a coupled application; it also agrees on the
 * end of a start. */
static double run_iteration(const struct nereus_loop *loop, long units,
                            const struct nereus_background_threads *background)
{
    nereus_loop_iterate(loop, MPI_COMM_WORLD, units);
    const double own_s = background != NULL ? nereus_background_end_s(background) : INFINITY;
    double operation_end_s;
    MPI_Allreduce(&own_s, &operation_end_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return operation_end_s;
}

/* Mean over the iterations, in the slowest process. */
static double measure_mean_s(const struct nereus_loop *loop, long units, int iterations)
{
    MPI_Barrier(MPI_COMM_WORLD);
    const double start_s = nereus_monotonic_s();
    for (int i = 0; i < iterations; i++)
        run_iteration(loop, units, NULL);
    double own_s = (nereus_monotonic_s() - start_s) / iterations, max_s;
    MPI_Allreduce(&own_s, &max_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return max_s;
}

/* Mean over as many iterations as fit into the time, by the time of one. */
static double measure_mean_within_s(const struct nereus_loop *loop, long units, double seconds,
                                    int min, int *iterations)
{
    *iterations = (int)fmax(min, seconds / measure_mean_s(loop, units, 1));
    return measure_mean_s(loop, units, *iterations);
}

/* One start: add its time and the iterations in it, as rank 0 measured them. */
static void iterate_until_over(const struct nereus_loop *loop, long units,
                               const struct nereus_background_threads *background,
                               double by_itself_s, double sum[2])
{
    MPI_Barrier(MPI_COMM_WORLD);
    struct nereus_overlapped_ends ends = {.first_s = nereus_monotonic_s()};
    double operation_end_s = INFINITY;
    while (isinf(operation_end_s)) {
        operation_end_s = run_iteration(loop, units, background);
        nereus_overlapped_add_end(&ends, nereus_monotonic_s());
    }
    const struct nereus_overlapped_span done =
        nereus_overlapped_span_of(&ends, operation_end_s, by_itself_s);
    double one[2] = {done.time_s, done.iterations};
    MPI_Bcast(one, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    sum[0] += one[0];
    sum[1] += one[1];
}

/* Repeat the start, as it lasts only a few long iterations: the time of all starts over the
 * iterations in them. */
static bool measure_starts(const struct nereus_task_run *run, const struct nereus_loop *loop,
                           long units, double by_itself_s, double *time_s, int *iterations)
{
    double sum[2] = {0, 0};
    for (int i = 0; i < STARTS_MAX && sum[0] < starts_s; i++) {
        struct nereus_background_threads *background = nereus_background_start(run);
        iterate_until_over(loop, units, background, by_itself_s, sum);
        if (!nereus_background_end(background))
            return false;
    }
    *iterations = (int)sum[1];
    *time_s = sum[0] / sum[1];
    return true;
}

static bool measure_stage(const struct nereus_task_run *run, enum nereus_stage stage,
                          double length_s)
{
    const struct nereus_loop *loop = nereus_loop_find(nereus_stage_name(stage));
    const long units = nereus_loop_count_units(loop, MPI_COMM_WORLD, length_s);
    int iterations;
    const double by_itself_s = measure_mean_within_s(loop, units, alone_s, ALONE_MIN, &iterations);
    double time_s = 0;
    if (run->background == NEREUS_BACKGROUND_STARTING)
        return measure_starts(run, loop, units, by_itself_s, &time_s, &iterations) &&
               nereus_task_write_contention(run, stage, by_itself_s, time_s, iterations);
    struct nereus_background_threads *background = nereus_background_start(run);
    time_s = measure_mean_within_s(loop, units, with_threads_s, WITH_THREADS_MIN, &iterations);
    return nereus_background_end(background) &&
           nereus_task_write_contention(run, stage, by_itself_s, time_s, iterations);
}

static bool run_task(struct nereus_task_run *run)
{
    int level;
    bool measured = true;
    if (run->parent != MPI_COMM_NULL) {
        if (run->background == NEREUS_BACKGROUND_COMMUNICATING)
            nereus_background_partner(run);
        nereus_task_disconnect(&run->parent);
        return true;
    }
    if (run->size > run->cores_per_node * run->nodes) {
        if (run->rank == 0)
            fprintf(stderr,
                    "nereus-calibrate: contention needs a core for each of %d processes, not %lld "
                    "(--cores, --nodes)\n",
                    run->size, (long long)(run->cores_per_node * run->nodes));
        MPI_Barrier(MPI_COMM_WORLD); /* before another process aborts */
        return false;
    }
    nereus_task_bind(run);
    MPI_Query_thread(&level);
    if (level < MPI_THREAD_MULTIPLE) {
        fprintf(stderr,
                "nereus-calibrate: contention: this MPI does not offer MPI_THREAD_MULTIPLE\n");
        return false;
    }
    for (int stage = 0; stage < NEREUS_STAGE_COUNT; stage++)
        for (size_t i = 0; i < NEREUS_COUNT_OF(lengths_s) && measured; i++)
            measured = measure_stage(run, (enum nereus_stage)stage, lengths_s[i]);
    return measured;
}

const struct nereus_task nereus_task_contention = {
    .name = "contention",
    .help = "iterations with --threads background threads of the kind --background",
    .threads = true,
    .run = run_task,
};
