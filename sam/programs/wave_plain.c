/*
 * Waves in a room, explicit in time, on a process grid of three dimensions: an ordinary MPI program
 * with halos of one point. The walls reflect; the last dimension is periodic. Arguments: points in
 * each dimension, and steps.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "digest.h"

enum { BELOW, ABOVE };

struct wave {
    MPI_Comm comm; /* Cartesian */
    int64_t n[3], steps, step;
    int64_t first[3], count[3], stride[3]; /* points of this process, and their place in memory */
    double *u, *before; /* values at the first of them, in this step and in the one before it */
    int beside[3][2];   /* ranks of the neighbours */
    MPI_Datatype edge[3][2], halo[3][2]; /* own points at each side, and those beyond them */
};

/* Prints why and ends the job. */
static void give_up(const char *sentence)
{
    fprintf(stderr, "wave: %s\n", sentence);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

/* ---- the process grid ------------------------------------------------------------------------ */

static void distribute_room(struct wave *w)
{
    int size, rank, processes[3] = {0}, periodic[3] = {0, 0, 1}, at[3];
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 3, processes);
    MPI_Cart_create(MPI_COMM_WORLD, 3, processes, periodic, 1, &w->comm);
    MPI_Comm_rank(w->comm, &rank);
    MPI_Cart_coords(w->comm, rank, 3, at);
    for (int d = 0; d < 3; d++) {
        if (w->n[d] < processes[d])
            give_up("fewer points than processes");
        w->first[d] = at[d] * w->n[d] / processes[d];
        w->count[d] = (at[d] + 1) * w->n[d] / processes[d] - w->first[d];
        MPI_Cart_shift(w->comm, d, 1, &w->beside[d][BELOW], &w->beside[d][ABOVE]);
    }
    w->stride[2] = 1;
    w->stride[1] = w->count[2] + 2;
    w->stride[0] = (w->count[1] + 2) * w->stride[1];
}

/* Own points before the first one in memory: those of the halo. */
static int64_t origin(const struct wave *w)
{
    return w->stride[0] + w->stride[1] + w->stride[2];
}

static double *new_values(const struct wave *w)
{
    double *memory = calloc((size_t)((w->count[0] + 2) * w->stride[0]), sizeof *memory);
    if (memory == NULL)
        give_up("no memory");
    return memory + origin(w);
}

/* A layer of points across a dimension, without the edges of the halo. */
static MPI_Datatype layer(const struct wave *w, int dimension, int64_t start)
{
    int whole[3], part[3], starts[3];
    MPI_Datatype type;
    for (int d = 0; d < 3; d++) {
        whole[d] = (int)w->count[d] + 2;
        part[d] = d == dimension ? 1 : (int)w->count[d];
        starts[d] = d == dimension ? (int)start : 1;
    }
    MPI_Type_create_subarray(3, whole, part, starts, MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
}

static void make_layers(struct wave *w)
{
    for (int d = 0; d < 3; d++) {
        w->halo[d][BELOW] = layer(w, d, 0);
        w->edge[d][BELOW] = layer(w, d, 1);
        w->edge[d][ABOVE] = layer(w, d, w->count[d]);
        w->halo[d][ABOVE] = layer(w, d, w->count[d] + 1);
    }
}

static void exchange_halo(const struct wave *w)
{
    double *memory = w->u - origin(w);
    for (int d = 0; d < 3; d++)
        for (int side = BELOW; side <= ABOVE; side++)
            MPI_Sendrecv(memory, 1, w->edge[d][side], w->beside[d][side], side, memory, 1,
                         w->halo[d][1 - side], w->beside[d][1 - side], side, w->comm,
                         MPI_STATUS_IGNORE);
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
    double *u = w->u;
    w->u = w->before;
    w->before = u;
}

static void print_result(const struct wave *w)
{
    uint64_t mine = 0, answer;
    int size, rank;
    for (int64_t i = 0; i < w->count[0]; i++)
        for (int64_t j = 0; j < w->count[1]; j++) {
            const int64_t row = (w->first[0] + i) * w->n[1] + w->first[1] + j;
            mine += digest_part(line(w, w->u, i, j), row * w->n[2] + w->first[2], w->count[2]);
        }
    MPI_Allreduce(&mine, &answer, 1, MPI_UINT64_T, MPI_SUM, w->comm);
    MPI_Comm_size(w->comm, &size);
    MPI_Comm_rank(w->comm, &rank);
    if (rank == 0)
        printf("answer %016llx, processes %d\n", (unsigned long long)answer, size);
}

static void free_all(struct wave *w)
{
    for (int d = 0; d < 3; d++)
        for (int side = BELOW; side <= ABOVE; side++) {
            MPI_Type_free(&w->edge[d][side]);
            MPI_Type_free(&w->halo[d][side]);
        }
    free(w->u - origin(w));
    free(w->before - origin(w));
    MPI_Comm_free(&w->comm);
}

int main(int argc, char **argv)
{
    struct wave w = {.n = {60, 50, 40}, .steps = argc > 4 ? atoll(argv[4]) : 100};
    for (int d = 0; d < 3 && d + 1 < argc; d++)
        w.n[d] = atoll(argv[d + 1]);
    MPI_Init(&argc, &argv);
    if (w.n[0] < 1 || w.n[1] < 1 || w.n[2] < 1 || w.steps < 0)
        give_up("the arguments are points in three dimensions, and steps");
    distribute_room(&w);
    make_layers(&w);
    w.u = new_values(&w);
    w.before = new_values(&w);
    fill_room(&w);
    for (; w.step < w.steps; w.step++) {
        exchange_halo(&w);
        compute_step(&w);
        swap_values(&w);
    }
    print_result(&w);
    free_all(&w);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
