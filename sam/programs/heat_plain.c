/*
 * Heat in a plate, explicit in time, by blocks of rows: an ordinary MPI program with two arrays
 * that change places after each step. Arguments: rows, columns, steps.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "digest.h"

struct plate {
    MPI_Comm comm;
    int64_t rows, columns, steps, step;
    int64_t first, count;  /* rows of this process */
    double *u, *next;      /* their values, now and after this step */
    double *above, *below; /* the rows before and after them, of other processes */
};

/* Prints why and ends the job. */
static void abort_job(const char *sentence)
{
    fprintf(stderr, "heat: %s\n", sentence);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

static double *allocate_row(int64_t count)
{
    double *memory = calloc((size_t)count + 1, sizeof *memory);
    if (memory == NULL)
        abort_job("no memory");
    return memory;
}

static void distribute_rows(struct plate *p)
{
    int rank, size;
    MPI_Comm_rank(p->comm, &rank);
    MPI_Comm_size(p->comm, &size);
    if (p->rows < size)
        abort_job("fewer rows than processes");
    p->first = rank * p->rows / size;
    p->count = (rank + 1) * p->rows / size - p->first;
    p->u = allocate_row(p->count * p->columns);
    p->next = allocate_row(p->count * p->columns);
}

/* Cold, with a warm edge and a hot spot. */
static void fill_plate(const struct plate *p)
{
    for (int64_t i = 0; i < p->count; i++)
        for (int64_t j = 0; j < p->columns; j++) {
            const int64_t row = p->first + i;
            const bool hot = row > p->rows / 3 && row < p->rows / 2 && j > p->columns / 2;
            p->u[i * p->columns + j] = row == 0 ? 1 + 0.01 * (double)j : hot ? 10 : 0;
        }
}

/* The rank that owns a row; MPI_PROC_NULL beyond the plate. */
static int find_owner(const struct plate *p, int64_t row)
{
    int rank;
    MPI_Comm_rank(p->comm, &rank);
    if (row < 0 || row >= p->rows)
        return MPI_PROC_NULL;
    return row < p->first ? rank - 1 : rank + 1;
}

static void exchange_edges(const struct plate *p)
{
    enum { UP, DOWN };
    const int n = (int)p->columns;
    const int up = find_owner(p, p->first - 1), down = find_owner(p, p->first + p->count);
    const int64_t last = (p->count - 1) * p->columns;
    MPI_Sendrecv(p->u, n, MPI_DOUBLE, up, UP, p->below, n, MPI_DOUBLE, down, UP, p->comm,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(p->u + last, n, MPI_DOUBLE, down, DOWN, p->above, n, MPI_DOUBLE, up, DOWN, p->comm,
                 MPI_STATUS_IGNORE);
}

/* Edges of the plate keep their values. */
static void compute_step(const struct plate *p)
{
    const int64_t n = p->columns;
    for (int64_t i = 0; i < p->count; i++) {
        const double *row = p->u + i * n, *above = i > 0 ? row - n : p->above,
                     *below = i + 1 < p->count ? row + n : p->below;
        const bool edge = p->first + i == 0 || p->first + i == p->rows - 1;
        for (int64_t j = 0; j < n; j++) {
            const bool fixed = edge || j == 0 || j == n - 1;
            p->next[i * n + j] =
                fixed ? row[j]
                      : row[j] + 0.2 * (above[j] + below[j] + row[j - 1] + row[j + 1] - 4 * row[j]);
        }
    }
}

static void swap_plates(struct plate *p)
{
    double *u = p->u;
    p->u = p->next;
    p->next = u;
}

static void print_result(const struct plate *p)
{
    int rank, size;
    MPI_Comm_rank(p->comm, &rank);
    MPI_Comm_size(p->comm, &size);
    const uint64_t answer = digest(p->u, p->first * p->columns, p->count * p->columns, p->comm);
    if (rank == 0)
        printf("answer %016llx, processes %d\n", (unsigned long long)answer, size);
}

int main(int argc, char **argv)
{
    struct plate p = {.rows = argc > 1 ? atoll(argv[1]) : 200,
                      .columns = argc > 2 ? atoll(argv[2]) : 300,
                      .steps = argc > 3 ? atoll(argv[3]) : 100};
    MPI_Init(&argc, &argv);
    p.comm = MPI_COMM_WORLD;
    if (p.rows < 1 || p.columns < 1 || p.columns > 1000000 || p.steps < 0)
        abort_job("the arguments are numbers of rows, columns and steps");
    p.above = allocate_row(p.columns);
    p.below = allocate_row(p.columns);
    distribute_rows(&p);
    fill_plate(&p);
    for (; p.step < p.steps; p.step++) {
        exchange_edges(&p);
        compute_step(&p);
        swap_plates(&p);
    }
    print_result(&p);
    free(p.u);
    free(p.next);
    free(p.above);
    free(p.below);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
