/*
 * contention: iterations of each stage, short and long ones, first by themselves and then beside --threads threads of a kind
 * (--company), which are dealt out over the processes. A row for each stage and length.
 *
 * An iteration's time is the mean of the slowest process: beside threads, cores are dealt out in time slices that are longer than a short
 * iteration, and what an application loses is their sum. Processes are at most as many as the cores, so that an iteration by
 * itself is one on a core of its own.
 */
#include "company.h"
#include "loops.h"
#include "task.h"

#include <math.h>

enum { ALONE_MIN = 4, BESIDE_MIN = 3 };
static const double lengths_s[] = {1e-3, 1e-2};
static const double alone_s = 0.04, beside_s = 0.12;

/* Mean over so many iterations, of the slowest process; the same in all. */
static double mean_s(const struct loop *loop, long units, int iterations)
{
    MPI_Barrier(MPI_COMM_WORLD);
    const double start_s = loop_now_s();
    for (int i = 0; i < iterations; i++)
        loop_iterate(loop, MPI_COMM_WORLD, units);
    double own_s = (loop_now_s() - start_s) / iterations, most_s;
    MPI_Allreduce(&own_s, &most_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most_s;
}

/* As many as fit into the time, by one that is tried. */
static double mean_within_s(const struct loop *loop, long units, double seconds, int least, int *iterations)
{
    const double one_s = mean_s(loop, units, 1);
    *iterations = (int)fmax(least, seconds / one_s);
    return mean_s(loop, units, *iterations);
}

static int measure(const struct nereus_task_run *run, enum nereus_stage stage, double length_s)
{
    const struct loop *loop = loop_find(nereus_stage_name(stage));
    const long units = loop_units(loop, MPI_COMM_WORLD, length_s);
    int iterations;
    const double by_itself_s = mean_within_s(loop, units, alone_s, ALONE_MIN, &iterations);
    struct company *company = company_start(MPI_COMM_WORLD, run->company, run->threads);
    if (company == NULL)
        return 1;
    const double time_s = mean_within_s(loop, units, beside_s, BESIDE_MIN, &iterations);
    company_end(company);
    return nereus_task_write_contention(run, stage, by_itself_s, time_s, iterations);
}

static int run_task(struct nereus_task_run *run)
{
    int level, failed = 0;
    MPI_Query_thread(&level);
    if (level < MPI_THREAD_MULTIPLE) {
        fprintf(stderr, "nereus-calibrate: contention: this MPI does not offer MPI_THREAD_MULTIPLE\n");
        return 1;
    }
    for (int stage = 0; stage < NEREUS_STAGE_COUNT; stage++)
        for (size_t i = 0; i < sizeof lengths_s / sizeof lengths_s[0] && !failed; i++)
            failed = measure(run, (enum nereus_stage)stage, lengths_s[i]);
    return failed;
}

const struct nereus_task nereus_task_contention = {
    .name = "contention",
    .help = "iterations beside --threads threads that do what --company says",
    .threads = true,
    .run = run_task,
};
