/**
 * @file compute.c
 * Computes pi by Monte Carlo (the processor alone) and a dense product in column-major order
 * (memory as well).
 */
#include "compute.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/clock.h"

enum nereus_status sam_work_init(struct sam_work *work, enum sam_stage_type type,
                                 int64_t granularity, int seed, struct nereus_error *err)
{
    *work = (struct sam_work){.type = type, .granularity = granularity};
    work->seed[0] = (unsigned short)(0x330e + seed);
    work->seed[1] = (unsigned short)seed;
    work->seed[2] = (unsigned short)(seed >> 16);
    if (type != SAM_MATRIX)
        return NEREUS_OK;
    size_t elements = (size_t)granularity * (size_t)granularity;
    work->matrices = calloc(3 * elements, sizeof *work->matrices);
    if (!work->matrices) {
        return nereus_fail(
            err, NEREUS_ERR_MEMORY,
            "no memory for three matrices of %lld rows: choose a smaller Granularity",
            (long long)granularity);
    }
    for (size_t i = 0; i < 2 * elements; i++)
        work->matrices[i] = 1.0 / (double)(i % 7 + 2);
    return NEREUS_OK;
}

void sam_work_fini(struct sam_work *work)
{
    free(work->matrices);
    *work = (struct sam_work){.type = SAM_PI};
}

static void draw_points(struct sam_work *work)
{
    int64_t inside = 0;
    for (int64_t i = 0; i < work->granularity; i++) {
        double x = erand48(work->seed), y = erand48(work->seed);
        inside += x * x + y * y <= 1.0;
    }
    work->inside += inside;
    work->points += work->granularity;
}

static void multiply_matrices(struct sam_work *work)
{
    const size_t n = (size_t)work->granularity;
    const double *a = work->matrices, *b = a + n * n;
    double *c = work->matrices + 2 * n * n;
    memset(c, 0, n * n * sizeof *c);
    for (size_t column = 0; column < n; column++) {
        for (size_t k = 0; k < n; k++) {
            const double factor = b[column * n + k];
            for (size_t row = 0; row < n; row++)
                c[column * n + row] += a[k * n + row] * factor;
        }
    }
}

void sam_work_execute(struct sam_work *work, int64_t operations)
{
    for (int64_t i = 0; i < operations; i++)
        if (work->type == SAM_PI)
            draw_points(work);
        else
            multiply_matrices(work);
}

double sam_work_value(const struct sam_work *work)
{
    if (work->type == SAM_PI)
        return work->points ? 4.0 * (double)work->inside / (double)work->points : 0.0;
    const size_t elements = (size_t)work->granularity * (size_t)work->granularity;
    double sum = 0;
    for (size_t i = 0; i < elements; i++)
        sum += work->matrices[2 * elements + i];
    return sum;
}

static double measure_batch_s(struct sam_work *work, int64_t operations)
{
    const double start_s = nereus_monotonic_s();
    sam_work_execute(work, operations);
    return nereus_monotonic_s() - start_s;
}

double sam_work_measure(struct sam_work *work)
{
    /* Short batches: most are not preempted. The minimum would be biased by variations of the
     * core's clock, the median by preemption where processes are more than cores. */
    enum { BATCHES = 50 };
    double took_s[BATCHES];
    const double batch_s = 0.3e-3, patience_s = 0.2;
    int64_t operations = 1;
    double spent_s = measure_batch_s(work, operations), batch_took_s = spent_s;
    while (batch_took_s < batch_s) {
        operations *= 2;
        batch_took_s = measure_batch_s(work, operations);
        spent_s += batch_took_s;
    }
    int batches = 0;
    took_s[batches++] = batch_took_s;
    while (batches < BATCHES && spent_s < patience_s) {
        took_s[batches] = measure_batch_s(work, operations);
        spent_s += took_s[batches++];
    }
    gsl_sort(took_s, 1, (size_t)batches);
    return gsl_stats_quantile_from_sorted_data(took_s, 1, (size_t)batches, 0.25) /
           (double)operations;
}

void sam_work_execute_and_update(struct sam_work *work, int64_t operations, double *t_op_s)
{
    const double min_s = 30e-6, memory_s = 10e-3;
    if ((double)operations * *t_op_s < min_s) {
        sam_work_execute(work, operations);
        return;
    }
    const double start_s = nereus_read_clock_s(CLOCK_THREAD_CPUTIME_ID);
    sam_work_execute(work, operations);
    const double took_s = nereus_read_clock_s(CLOCK_THREAD_CPUTIME_ID) - start_s,
                 share = took_s / (took_s + memory_s);
    *t_op_s += share * (took_s / (double)operations - *t_op_s);
}
