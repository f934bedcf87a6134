/*
 * Waves in a domain, explicit in time, on a process grid of three dimensions: an ordinary MPI
 * program with halos of one point. The walls reflect; the last dimension is periodic. Arguments:
 * points in each dimension, and steps.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "digest.h"

enum { BELOW, ABOVE };

/* Values of the points that this process has, with a halo of one point around them. */
struct field {
    int64_t first[3], count[3]; /* own points of the domain */
    int64_t stride[3];          /* in memory */
    double *values;             /* at the first own point */
};

struct wave {
    MPI_Comm comm; /* Cartesian */
    int64_t n[3], steps, step;
    struct field u, previous;            /* in this step, and in the one before it */
    int neighbours[3][2];                /* ranks */
    MPI_Datatype edge[3][2], halo[3][2]; /* own points at each side, and those beyond them */
};

/* Prints why and ends the job. */
static void abort_job(const char *sentence)
{
    fprintf(stderr, "wave: %s\n", sentence);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

/* ---- the process grid ------------------------------------------------------------------------ */

static void make_process_grid(struct wave *w)
{
    int size, processes[3] = {0};
    const int periodic[3] = {0, 0, 1};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 3, processes);
    MPI_Cart_create(MPI_COMM_WORLD, 3, processes, periodic, 1, &w->comm);
    for (int d = 0; d < 3; d++) {
        if (w->n[d] < processes[d])
            abort_job("fewer points than processes");
        MPI_Cart_shift(w->comm, d, 1, &w->neighbours[d][BELOW], &w->neighbours[d][ABOVE]);
    }
}

/* Values in memory before those of the first own point. */
static int64_t get_origin(const struct field *f)
{
    return f->stride[0] + f->stride[1] + f->stride[2];
}

static struct field make_field(const struct wave *w)
{
    int processes[3], periodic[3], coordinates[3];
    struct field f = {.stride[2] = 1};
    MPI_Cart_get(w->comm, 3, processes, periodic, coordinates);
    for (int d = 0; d < 3; d++) {
        f.first[d] = coordinates[d] * w->n[d] / processes[d];
        f.count[d] = (coordinates[d] + 1) * w->n[d] / processes[d] - f.first[d];
    }
    f.stride[1] = f.count[2] + 2;
    f.stride[0] = (f.count[1] + 2) * f.stride[1];
    f.values = calloc((size_t)((f.count[0] + 2) * f.stride[0]), sizeof *f.values);
    if (f.values == NULL)
        abort_job("no memory");
    f.values += get_origin(&f);
    return f;
}

/* A layer of points across a dimension, without the edges of the halo. */
static MPI_Datatype make_layer_type(const struct field *f, int dimension, int64_t start)
{
    int whole[3], part[3], starts[3];
    MPI_Datatype type;
    for (int d = 0; d < 3; d++) {
        whole[d] = (int)f->count[d] + 2;
        part[d] = d == dimension ? 1 : (int)f->count[d];
        starts[d] = d == dimension ? (int)start : 1;
    }
    MPI_Type_create_subarray(3, whole, part, starts, MPI_ORDER_C, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
}

static void make_layers(struct wave *w)
{
    for (int d = 0; d < 3; d++) {
        w->halo[d][BELOW] = make_layer_type(&w->u, d, 0);
        w->edge[d][BELOW] = make_layer_type(&w->u, d, 1);
        w->edge[d][ABOVE] = make_layer_type(&w->u, d, w->u.count[d]);
        w->halo[d][ABOVE] = make_layer_type(&w->u, d, w->u.count[d] + 1);
    }
}

static void exchange_halo(struct wave *w)
{
    double *memory = w->u.values - get_origin(&w->u);
    for (int d = 0; d < 3; d++)
        for (int side = BELOW; side <= ABOVE; side++)
            MPI_Sendrecv(memory, 1, w->edge[d][side], w->neighbours[d][side], side, memory, 1,
                         w->halo[d][1 - side], w->neighbours[d][1 - side], side, w->comm,
                         MPI_STATUS_IGNORE);
}

/* ---- the computation ------------------------------------------------------------------------- */

/* The own points of a line in the last dimension. */
static double *get_line(const struct field *f, int64_t i, int64_t j)
{
    return f->values + i * f->stride[0] + j * f->stride[1];
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

static void swap_values(struct wave *w)
{
    const struct field u = w->u;
    w->u = w->previous;
    w->previous = u;
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
    MPI_Allreduce(&own_digest, &total_digest, 1, MPI_UINT64_T, MPI_SUM, w->comm);
    return total_digest;
}

static void print_result(const struct wave *w)
{
    const uint64_t answer = digest_domain(w);
    int size, rank;
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
    free(w->u.values - get_origin(&w->u));
    free(w->previous.values - get_origin(&w->previous));
    MPI_Comm_free(&w->comm);
}

int main(int argc, char **argv)
{
    struct wave w = {.n = {60, 50, 40}, .steps = argc > 4 ? atoll(argv[4]) : 100};
    for (int d = 0; d < 3 && d + 1 < argc; d++)
        w.n[d] = atoll(argv[d + 1]);
    MPI_Init(&argc, &argv);
    if (w.n[0] < 1 || w.n[1] < 1 || w.n[2] < 1 || w.steps < 0)
        abort_job("the arguments are points in three dimensions, and steps");
    make_process_grid(&w);
    w.u = make_field(&w);
    w.previous = make_field(&w);
    make_layers(&w);
    fill_domain(&w);
    while (w.step < w.steps) {
        exchange_halo(&w);
        compute_step(&w);
        swap_values(&w);
        w.step++;
    }
    print_result(&w);
    free_all(&w);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
