/**
 * @file point_cost.c
 * What a malleability point without a request costs: alone, and beside iterations of 10 us, 1 ms
 * and 100 ms. Under nereus-mpiexec -n 2. Loops with and without points alternate within one run;
 * medians.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "nereus/nereus.h"

enum { ROUNDS = 21 };

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Work of a fixed number of steps, so that with and without points the same is done. */
static double work(long steps)
{
    double x = 1;
    for (long i = 0; i < steps; i++)
        x = x * 0.999999 + 1e-7;
    return x;
}

static double loop_s(nereus_job *job, long steps, int iterations, int with_points,
                     volatile double *sink)
{
    enum nereus_action action;
    const double start_s = now_s();
    for (int i = 0; i < iterations; i++) {
        *sink += work(steps);
        if (with_points)
            nereus_point(job, &action);
    }
    return (now_s() - start_s) / iterations;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, ROUNDS, sizeof *values, compare);
    return values[ROUNDS / 2];
}

int main(int argc, char **argv)
{
    static const double iteration_s[] = {0, 10e-6, 1e-3, 100e-3};
    static const int iterations[] = {200000, 20000, 300, 3};
    volatile double sink = 0;
    nereus_job *job;
    if (nereus_init(&argc, &argv, NULL, &job) != NEREUS_OK)
        return EXIT_FAILURE;
    const double start_s = now_s();
    sink += work(20000000);
    const double step_s = (now_s() - start_s) / 20000000;
    if (nereus_rank(job) == 0)
        printf("%14s %14s %14s %12s\n", "iteration_s", "without_s", "with_s", "point_s");
    for (int i = 0; i < 4; i++) {
        double with[ROUNDS], without[ROUNDS], difference[ROUNDS];
        const long steps = (long)(iteration_s[i] / step_s);
        for (int r = 0; r < ROUNDS; r++) {
            without[r] = loop_s(job, steps, iterations[i], 0, &sink);
            with[r] = loop_s(job, steps, iterations[i], 1, &sink);
            difference[r] = with[r] - without[r];
        }
        if (nereus_rank(job) == 0)
            printf("%14.3g %14.6g %14.6g %12.3g\n", iteration_s[i], median(without), median(with),
                   median(difference));
    }
    return nereus_finalize(&job) == NEREUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
