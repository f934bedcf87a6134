/*
 * contention: iterations of each stage, short and long ones, first by themselves and then beside --threads threads of a kind
 * (--company), which are dealt out over the processes. A row for each stage and length.
 *
 * An iteration's time is the mean of the slowest process: beside threads, cores are dealt out in time slices that are longer than a short
 * iteration, and what an application loses is their sum. Processes are at most as many as the cores, so that an iteration by
 * itself is one on a core of its own.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_setaffinity */
#endif
#include "company.h"
#include "loops.h"
#include "task.h"

#include <limits.h>
#include <math.h>
#include <sched.h>

enum { ALONE_MIN = 4, BESIDE_MIN = 3, STARTS_MAX = 3 };
static const double lengths_s[] = {1e-3, 1e-2};
static const double alone_s = 0.04, beside_s = 0.12, starts_s = 0.25;

/*
 * Mean over so many iterations, or over those until the company's part is over everywhere. An iteration ends as that of an
 * application does whose processes need each other: with a sum over all of them.
 */
static double mean_s(const struct loop *loop, long units, const struct company *company, int *iterations)
{
    int over = 0, done = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start_s = loop_now_s();
    for (; done < *iterations && !over; done++) {
        const int over_here = company != NULL && company_is_over(company);
        loop_iterate(loop, MPI_COMM_WORLD, units);
        MPI_Allreduce(&over_here, &over, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    }
    double own_s = (loop_now_s() - start_s) / done, most_s;
    *iterations = done;
    MPI_Allreduce(&own_s, &most_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most_s;
}

/* As many as fit into the time, by one that is tried. */
static double mean_within_s(const struct loop *loop, long units, const struct company *company,
                            double seconds, int least, int *iterations)
{
    int tried = 1;
    const double one_s = mean_s(loop, units, company, &tried);
    *iterations = (int)fmax(least, seconds / one_s);
    return mean_s(loop, units, company, iterations);
}

/* Processes start several times, unless that takes long, since a start is over after a few long iterations: the mean over the iterations
 * of all. */
static int beside_starts(const struct nereus_task_run *run, const struct loop *loop, long units,
                         double *time_s, int *iterations)
{
    double sum_s = 0;
    *iterations = 0;
    for (int i = 0; i < STARTS_MAX && sum_s < starts_s; i++) {
        struct company *company = company_start(run);
        int until_over = INT_MAX;
        if (company == NULL)
            return 1;
        const double one_s = mean_s(loop, units, company, &until_over);
        if (company_end(company) != 0)
            return 1;
        sum_s += until_over * one_s; /* the same in all processes */
        *iterations += until_over;
    }
    *time_s = sum_s / *iterations;
    return 0;
}

static int measure(const struct nereus_task_run *run, enum nereus_stage stage, double length_s)
{
    const struct loop *loop = loop_find(nereus_stage_name(stage));
    const long units = loop_units(loop, MPI_COMM_WORLD, length_s);
    int iterations;
    const double by_itself_s = mean_within_s(loop, units, NULL, alone_s, ALONE_MIN, &iterations);
    double time_s = 0;
    if (run->company == NEREUS_COMPANY_STARTING)
        return beside_starts(run, loop, units, &time_s, &iterations) ||
               nereus_task_write_contention(run, stage, by_itself_s, time_s, iterations);
    struct company *company = company_start(run);
    if (company == NULL)
        return 1;
    time_s = mean_within_s(loop, units, company, beside_s, BESIDE_MIN, &iterations);
    return company_end(company) || nereus_task_write_contention(run, stage, by_itself_s, time_s, iterations);
}

/* With all its threads, as the runtime binds where each process has a core: what waits beside the application shares that one. */
static void bind_to_core(int rank)
{
    cpu_set_t all, one;
    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return;
    for (size_t cpu = 0, skipped = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &all) && skipped++ == (size_t)rank)
            CPU_SET(cpu, &one);
    if (CPU_COUNT(&one) == 1)
        sched_setaffinity(0, sizeof one, &one);
}

static int run_task(struct nereus_task_run *run)
{
    int level, failed = 0;
    if (run->parent != MPI_COMM_NULL) {
        nereus_task_part(&run->parent);
        return 0;
    }
    bind_to_core(run->rank);
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
