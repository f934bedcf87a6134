/*
 * Heat in a plate, explicit in time, by ranges of rows: heat_plain.c made malleable. Its two arrays
 * belong to the library, so nereus_swap lets them change places. Arguments: rows, columns, steps.
 *
 *     NEREUS_SCHEDULE=4@25,1@50,3@75 nereus-mpiexec -n 2 nereus-heat 200 300 100
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

struct plate {
    nereus_job *job;
    int u_id, next_id;
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

static void register_all(struct plate *p)
{
    int id;
    example_check(p->job, nereus_register_matrix(p->job, "u", MPI_DOUBLE, p->rows, p->columns,
                                                 NEREUS_BY_ROWS, NEREUS_BY_LENGTH, NEREUS_VARIABLE,
                                                 &p->u_id));
    example_check(p->job, nereus_register_matrix(p->job, "next", MPI_DOUBLE, p->rows, p->columns,
                                                 NEREUS_BY_ROWS, NEREUS_BY_LENGTH, NEREUS_VARIABLE,
                                                 &p->next_id));
    example_check(p->job, nereus_register_replicated(p->job, "step", MPI_INT64_T, 1,
                                                     NEREUS_VARIABLE, &p->step, &id));
}

/* Pointers change with each swap, and with each point that resizes. */
static void get_parts(struct plate *p)
{
    example_check(p->job, nereus_local(p->job, p->u_id, (void **)&p->u, &p->first, &p->count));
    example_check(p->job, nereus_local(p->job, p->next_id, (void **)&p->next, NULL, NULL));
}

/* Initial values: cold, with a warm edge and a hot spot. */
static void fill_plate(const struct plate *p)
{
    for (int64_t i = 0; i < p->count; i++)
        for (int64_t j = 0; j < p->columns; j++) {
            const int64_t row = p->first + i;
            const bool hot = row > p->rows / 3 && row < p->rows / 2 && j > p->columns / 2;
            p->u[i * p->columns + j] = row == 0 ? 1 + 0.01 * (double)j : hot ? 10 : 0;
        }
}

/* The rank that owns a row; MPI_PROC_NULL beyond the plate. Ranges need not be in rank order. */
static int find_owner(const struct plate *p, int64_t row)
{
    int rank;
    if (row < 0 || row >= p->rows)
        return MPI_PROC_NULL;
    example_check(p->job, nereus_owner_of(p->job, p->u_id, row, &rank));
    return rank;
}

static void exchange_edges(const struct plate *p)
{
    enum { UP, DOWN };
    if (p->count == 0)
        return;
    const int n = (int)p->columns;
    const MPI_Comm comm = nereus_comm(p->job);
    const int up = find_owner(p, p->first - 1), down = find_owner(p, p->first + p->count);
    const int64_t last = (p->count - 1) * p->columns;
    MPI_Sendrecv(p->u, n, MPI_DOUBLE, up, UP, p->below, n, MPI_DOUBLE, down, UP, comm,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(p->u + last, n, MPI_DOUBLE, down, DOWN, p->above, n, MPI_DOUBLE, up, DOWN, comm,
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

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        puts("Usage: nereus-heat [ROWS [COLUMNS [STEPS]]]  (200 300 100)");
        return EXIT_SUCCESS;
    }
    struct plate p = {.rows = argc > 1 ? atoll(argv[1]) : 200,
                      .columns = argc > 2 ? atoll(argv[2]) : 300,
                      .steps = argc > 3 ? atoll(argv[3]) : 100};
    if (nereus_init(&argc, &argv, NULL, &p.job) != NEREUS_OK)
        return EXIT_FAILURE;
    if (p.rows < 1 || p.columns < 1 || p.columns > 1000000 || p.steps < 0)
        abort_job("the arguments are numbers of rows, columns and steps");
    p.above = allocate_row(p.columns);
    p.below = allocate_row(p.columns);
    register_all(&p);
    get_parts(&p);
    if (!nereus_is_received(p.job, p.u_id))
        fill_plate(&p);
    enum nereus_action action = NEREUS_CONTINUE;
    while (p.step < p.steps && action != NEREUS_LEAVE) {
        exchange_edges(&p);
        compute_step(&p);
        example_check(p.job, nereus_swap(p.job, p.u_id, p.next_id));
        p.step++;
        example_check(p.job, nereus_point(p.job, &action));
        if (action != NEREUS_LEAVE)
            get_parts(&p);
    }
    if (action != NEREUS_LEAVE)
        example_print(p.job,
                      digest(p.u, p.first * p.columns, p.count * p.columns, nereus_comm(p.job)));
    free(p.above);
    free(p.below);
    return nereus_finalize(&p.job) == NEREUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
