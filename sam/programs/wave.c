/*
 * Waves in a room, explicit in time, on a process grid of three dimensions: wave_plain.c
 * made malleable. The library chooses the process grid at each size, and owns the values with their
 * halos. Arguments: points in each dimension, steps and, if it is not to be chosen, a method. It
 * continues with 4 processes after a quarter of the steps, with 1 after a half and with 3 after
 * three quarters.
 */
#include <mpi.h>
#include <nereus.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "digest.h"

struct wave {
    nereus_job *job;
    int u_id, before_id;
    int64_t n[3], steps, step;
    int64_t first[3], count[3], stride[3]; /* points of this process, and their place in memory */
    double *u, *before; /* values at the first of them, in this step and in the one before it */
};

/* Prints why and ends the job. */
static void give_up(const char *sentence)
{
    fprintf(stderr, "wave: %s\n", sentence);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

/* ---- the data, which the library owns -------------------------------------------------------- */

static void must_succeed(const struct wave *w, enum nereus_status status)
{
    if (status != NEREUS_OK)
        give_up(nereus_last_error(w->job));
}

static void register_all(struct wave *w)
{
    const struct nereus_grid room = {.dimensions = 3,
                                     .n = {w->n[0], w->n[1], w->n[2]},
                                     .halo = {1, 1, 1},
                                     .periodic = {0, 0, 1}};
    nereus_job *job = w->job;
    const enum nereus_data_kind kind = NEREUS_VARIABLE;
    int grid, id;
    must_succeed(w, nereus_register_grid(job, "room", &room, &grid));
    must_succeed(w, nereus_register_field(job, "u", MPI_DOUBLE, grid, kind, &w->u_id));
    must_succeed(w, nereus_register_field(job, "before", MPI_DOUBLE, grid, kind, &w->before_id));
    must_succeed(w, nereus_register_replicated(job, "step", MPI_INT64_T, 1, kind, &w->step, &id));
}

/* Pointers change with each swap, and with each point that resizes. */
static void take_parts(struct wave *w)
{
    struct nereus_box u, before;
    must_succeed(w, nereus_local_box(w->job, w->u_id, &u));
    must_succeed(w, nereus_local_box(w->job, w->before_id, &before));
    w->u = u.values;
    w->before = before.values;
    for (int d = 0; d < 3; d++) {
        w->first[d] = u.first[d];
        w->count[d] = u.count[d];
        w->stride[d] = u.stride[d];
    }
}

/* ---- the computation ------------------------------------------------------------------------- */

/* The points of a line in the last dimension, in u or before. */
static double *line(const struct wave *w, double *values, int64_t i, int64_t j)
{
    return values + i * w->stride[0] + j * w->stride[1];
}

/* At rest, with a raised block that is not in the middle. */
static void fill_room(const struct wave *w)
{
    for (int64_t i = 0; i < w->count[0]; i++)
        for (int64_t j = 0; j < w->count[1]; j++)
            for (int64_t k = 0; k < w->count[2]; k++) {
                const int64_t x = w->first[0] + i, y = w->first[1] + j, z = w->first[2] + k;
                const double height = 3 * x < w->n[0] && 2 * y > w->n[1] && 4 * z < w->n[2]
                                          ? 1 + 0.01 * (double)(x + 2 * y + 3 * z)
                                          : 0;
                line(w, w->u, i, j)[k] = line(w, w->before, i, j)[k] = height;
            }
}

/* The values after this step replace those before it. */
static void compute_step(const struct wave *w)
{
    const int64_t a = w->stride[0], b = w->stride[1];
    for (int64_t i = 0; i < w->count[0]; i++)
        for (int64_t j = 0; j < w->count[1]; j++) {
            const double *u = line(w, w->u, i, j);
            double *next = line(w, w->before, i, j);
            for (int64_t k = 0; k < w->count[2]; k++)
                next[k] = 2 * u[k] - next[k] +
                          0.3 * (u[k - a] + u[k + a] + u[k - b] + u[k + b] + u[k - 1] + u[k + 1] -
                                 6 * u[k]);
        }
}

static void swap_values(struct wave *w)
{
    must_succeed(w, nereus_swap(w->job, w->u_id, w->before_id));
    take_parts(w);
}

static void print_result(const struct wave *w)
{
    uint64_t mine = 0, answer;
    for (int64_t i = 0; i < w->count[0]; i++)
        for (int64_t j = 0; j < w->count[1]; j++) {
            const int64_t row = (w->first[0] + i) * w->n[1] + w->first[1] + j;
            mine += digest_part(line(w, w->u, i, j), row * w->n[2] + w->first[2], w->count[2]);
        }
    MPI_Allreduce(&mine, &answer, 1, MPI_UINT64_T, MPI_SUM, nereus_comm(w->job));
    if (nereus_rank(w->job) == 0)
        printf("answer %016llx, processes %d, changes of size %d\n", (unsigned long long)answer,
               nereus_size(w->job), (int)nereus_reconfigurations(w->job));
}

int main(int argc, char **argv)
{
    struct wave w = {.n = {60, 50, 40}, .steps = argc > 4 ? atoll(argv[4]) : 100};
    for (int d = 0; d < 3 && d + 1 < argc; d++)
        w.n[d] = atoll(argv[d + 1]);
    const struct nereus_resize schedule[] = {{.point = w.steps / 4, .nt = 4},
                                             {.point = w.steps / 2, .nt = 1},
                                             {.point = 3 * w.steps / 4, .nt = 3}};
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    options.schedule = schedule;
    options.schedule_count = w.steps < 4 ? 0 : 3;
    options.method = argc > 5 ? argv[5] : NULL;
    if (nereus_init(&argc, &argv, &options, &w.job) != NEREUS_OK)
        return EXIT_FAILURE;
    if (w.n[0] < 1 || w.n[1] < 1 || w.n[2] < 1 || w.steps < 0)
        give_up("the arguments are points in three dimensions, and steps");
    register_all(&w);
    take_parts(&w);
    if (!nereus_is_received(w.job, w.u_id))
        fill_room(&w);
    enum nereus_action action = NEREUS_CONTINUE;
    while (w.step < w.steps && action != NEREUS_LEAVE) {
        must_succeed(&w, nereus_grid_exchange(w.job, w.u_id));
        compute_step(&w);
        swap_values(&w);
        w.step++;
        must_succeed(&w, nereus_point(w.job, &action));
        if (action == NEREUS_RESIZED)
            take_parts(&w);
    }
    if (action != NEREUS_LEAVE)
        print_result(&w);
    return nereus_finalize(&w.job) == NEREUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
