/*
 * Waves in a domain, explicit in time, on a process grid of three dimensions: wave_plain.c
 * made malleable. The library chooses the process grid at each size, and owns the values with their
 * halos. Arguments: points in each dimension, and steps.
 *
 *     NEREUS_SCHEDULE=4@25,1@50,3@75 nereus-mpiexec -n 2 nereus-wave 60 50 40 100
 */
#include <mpi.h>
#include <nereus.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "example.h"

struct wave {
    nereus_job *job;
    int u_id, previous_id;
    int64_t n[3], steps, step;
    struct nereus_box u, previous; /* in this step, and in the one before it */
};

/* Prints why and ends the job. */
static void abort_job(const char *sentence)
{
    fprintf(stderr, "wave: %s\n", sentence);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

/* ---- the data, which the library owns -------------------------------------------------------- */

static void register_all(struct wave *w)
{
    struct nereus_grid domain = {.dimensions = 3, .halo = {1, 1, 1}, .periodic = {0, 0, 1}};
    const enum nereus_data_kind kind = NEREUS_VARIABLE;
    nereus_job *job = w->job;
    int grid, id;
    memcpy(domain.n, w->n, sizeof w->n);
    example_check(job, nereus_register_grid(job, "domain", &domain, &grid));
    example_check(job, nereus_register_field(job, "u", MPI_DOUBLE, grid, kind, &w->u_id));
    example_check(job,
                  nereus_register_field(job, "previous", MPI_DOUBLE, grid, kind, &w->previous_id));
    example_check(job,
                  nereus_register_replicated(job, "step", MPI_INT64_T, 1, kind, &w->step, &id));
}

/* Boxes change with each swap, and with each point that resizes. */
static void get_boxes(struct wave *w)
{
    example_check(w->job, nereus_local_box(w->job, w->u_id, &w->u));
    example_check(w->job, nereus_local_box(w->job, w->previous_id, &w->previous));
}

/* ---- the computation ------------------------------------------------------------------------- */

/* The own points of a line in the last dimension. */
static double *get_line(const struct nereus_box *f, int64_t i, int64_t j)
{
    return (double *)f->values + i * f->stride[0] + j * f->stride[1];
}

/* At rest, with a raised block that is not in the middle. */
static void fill_domain(struct wave *w)
{
    for (int64_t i = 0; i < w->u.count[0]; i++)
        for (int64_t j = 0; j < w->u.count[1]; j++)
            for (int64_t k = 0; k < w->u.count[2]; k++) {
                const int64_t x = w->u.first[0] + i, y = w->u.first[1] + j, z = w->u.first[2] + k;
                const bool raised = 3 * x < w->n[0] && 2 * y > w->n[1] && 4 * z < w->n[2];
                get_line(&w->u, i, j)[k] = raised ? 1 + 0.01 * (double)(x + 2 * y + 3 * z) : 0;
                get_line(&w->previous, i, j)[k] = get_line(&w->u, i, j)[k];
            }
}

/* The values after this step replace those before it. */
static void compute_step(struct wave *w)
{
    const int64_t a = w->u.stride[0], b = w->u.stride[1];
    for (int64_t i = 0; i < w->u.count[0]; i++)
        for (int64_t j = 0; j < w->u.count[1]; j++) {
            const double *u = get_line(&w->u, i, j);
            double *next = get_line(&w->previous, i, j);
            for (int64_t k = 0; k < w->u.count[2]; k++)
                next[k] = 2 * u[k] - next[k] +
                          0.3 * (u[k - a] + u[k + a] + u[k - b] + u[k + b] + u[k - 1] + u[k + 1] -
                                 6 * u[k]);
        }
}

static uint64_t digest_domain(const struct wave *w)
{
    uint64_t own_digest = 0, total_digest;
    for (int64_t i = 0; i < w->u.count[0]; i++)
        for (int64_t j = 0; j < w->u.count[1]; j++) {
            const int64_t row = (w->u.first[0] + i) * w->n[1] + w->u.first[1] + j;
            own_digest +=
                digest_part(get_line(&w->u, i, j), row * w->n[2] + w->u.first[2], w->u.count[2]);
        }
    MPI_Allreduce(&own_digest, &total_digest, 1, MPI_UINT64_T, MPI_SUM, nereus_comm(w->job));
    return total_digest;
}

int main(int argc, char **argv)
{
    struct wave w = {.n = {60, 50, 40}, .steps = argc > 4 ? atoll(argv[4]) : 100};
    for (int d = 0; d < 3 && d + 1 < argc; d++)
        w.n[d] = atoll(argv[d + 1]);
    if (nereus_init(&argc, &argv, NULL, &w.job) != NEREUS_OK)
        return EXIT_FAILURE;
    if (w.n[0] < 1 || w.n[1] < 1 || w.n[2] < 1 || w.steps < 0)
        abort_job("the arguments are points in three dimensions, and steps");
    register_all(&w);
    get_boxes(&w);
    if (!nereus_is_received(w.job, w.u_id))
        fill_domain(&w);
    enum nereus_action action = NEREUS_CONTINUE;
    while (w.step < w.steps && action != NEREUS_LEAVE) {
        example_check(w.job, nereus_grid_exchange(w.job, w.u_id));
        compute_step(&w);
        example_check(w.job, nereus_swap(w.job, w.u_id, w.previous_id));
        w.step++;
        example_check(w.job, nereus_point(w.job, &action));
        if (action != NEREUS_LEAVE)
            get_boxes(&w);
    }
    if (action != NEREUS_LEAVE)
        example_print(w.job, digest_domain(&w));
    return nereus_finalize(&w.job) == NEREUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
