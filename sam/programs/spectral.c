/*
 * Heat in a periodic plate by FFTW, whose MPI part has a communicator, plans and memory of its own:
 * they are freed in options.before, and made again when the point has returned NEREUS_RESIZED, or
 * by a process that has joined. Arguments: rows, columns, steps.
 *
 * Rows are transformed one by one, columns after a transposition by FFTW: that gives the same bits
 * on any number of processes, which FFTW's plan for two dimensions does not.
 */
#include <fftw3-mpi.h>
#include <math.h>
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
    int u_id;
    int64_t rows, columns, steps, step;
    int64_t first, count; /* rows of this process */
    fftw_complex *u;
    /* Of FFTW, for the present size: */
    fftw_complex *work;                   /* rows of the plate, then rows of the transposed one */
    ptrdiff_t first_column, column_count; /* of this process, when transposed */
    fftw_plan transpose, transpose_back;
    /* of one row, one column: [0] forward, [1] backward */
    fftw_plan of_row[2], of_column[2];
};

/* Prints why and ends the job. */
static void abort_job(const char *sentence)
{
    fprintf(stderr, "spectral: %s\n", sentence);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

static void get_part(struct plate *p)
{
    void *u;
    example_check(p->job, nereus_local(p->job, p->u_id, &u, &p->first, &p->count));
    p->u = u;
}

/* Collective over the job. FFTW has blocks of rows, all but the last equally long. */
static void make_plans(struct plate *p)
{
    const ptrdiff_t n[2] = {p->rows, p->columns}, block = FFTW_MPI_DEFAULT_BLOCK;
    const MPI_Comm comm = nereus_comm(p->job);
    ptrdiff_t count, first;
    const ptrdiff_t doubles = fftw_mpi_local_size_many_transposed(
        2, n, 2, block, block, comm, &count, &first, &p->column_count, &p->first_column);
    if (count != p->count || (count > 0 && first != p->first))
        abort_job(
            "FFTW has other rows here: all numbers of processes must divide that of the rows");
    p->work = fftw_alloc_complex((size_t)doubles);
    if (p->work == NULL)
        abort_job("no memory");
    double *values = p->work[0];
    p->transpose = fftw_mpi_plan_many_transpose(n[0], n[1], 2, block, block, values, values, comm,
                                                FFTW_ESTIMATE);
    p->transpose_back = fftw_mpi_plan_many_transpose(n[1], n[0], 2, block, block, values, values,
                                                     comm, FFTW_ESTIMATE);
    if (p->transpose == NULL || p->transpose_back == NULL)
        abort_job("FFTW cannot plan the transposition");
}

/* nereus_options.before: communicator and data are still the old ones. */
static void free_plans(nereus_job *job, void *user)
{
    struct plate *p = user;
    (void)job;
    fftw_destroy_plan(p->transpose);
    fftw_destroy_plan(p->transpose_back);
    fftw_free(p->work);
}

/* Plans without communicator live as long as the process. */
static void plan_lines(struct plate *p)
{
    const int sign[2] = {FFTW_FORWARD, FFTW_BACKWARD};
    const unsigned flags = FFTW_ESTIMATE | FFTW_UNALIGNED;
    for (int i = 0; i < 2; i++) {
        p->of_row[i] = fftw_plan_dft_1d((int)p->columns, NULL, NULL, sign[i], flags);
        p->of_column[i] = fftw_plan_dft_1d((int)p->rows, NULL, NULL, sign[i], flags);
    }
}

static void transform_lines(fftw_plan plan, fftw_complex *lines, int64_t count, int64_t length)
{
    for (int64_t i = 0; i < count; i++)
        fftw_execute_dft(plan, lines + i * length, lines + i * length);
}

static void fill_plate(const struct plate *p)
{
    for (int64_t i = 0; i < p->count; i++)
        for (int64_t j = 0; j < p->columns; j++) {
            const int64_t row = p->first + i;
            const bool hot = row > p->rows / 3 && row < p->rows / 2 && j > p->columns / 2;
            p->u[i * p->columns + j][0] = hot ? 10 : 0.01 * (double)((7 * row + 3 * j) % 13);
            p->u[i * p->columns + j][1] = 0;
        }
}

/* Square of the frequency of line k of n. */
static double compute_square_frequency(int64_t k, int64_t n)
{
    const double frequency = 2 * acos(-1) * (double)(k > n / 2 ? k - n : k) / (double)n;
    return frequency * frequency;
}

/* Each frequency decays by itself. FFTW does not divide by the number of values. */
static void apply_decay(const struct plate *p)
{
    for (int64_t i = 0; i < p->column_count; i++)
        for (int64_t j = 0; j < p->rows; j++) {
            const double k2 = compute_square_frequency(p->first_column + i, p->columns) +
                              compute_square_frequency(j, p->rows);
            const double factor = exp(-0.1 * k2) / (double)(p->rows * p->columns);
            p->work[i * p->rows + j][0] *= factor;
            p->work[i * p->rows + j][1] *= factor;
        }
}

static void compute_step(const struct plate *p)
{
    const size_t bytes = (size_t)(p->count * p->columns) * sizeof *p->u;
    if (bytes > 0)
        memcpy(p->work, p->u, bytes);
    transform_lines(p->of_row[0], p->work, p->count, p->columns);
    fftw_execute(p->transpose);
    transform_lines(p->of_column[0], p->work, p->column_count, p->rows);
    apply_decay(p);
    transform_lines(p->of_column[1], p->work, p->column_count, p->rows);
    fftw_execute(p->transpose_back);
    transform_lines(p->of_row[1], p->work, p->count, p->columns);
    if (bytes > 0)
        memcpy(p->u, p->work, bytes);
}

/* @return false: this process is no longer needed, and has freed its plans */
static bool iterate(struct plate *p)
{
    enum nereus_action action = NEREUS_CONTINUE;
    while (p->step < p->steps && action != NEREUS_LEAVE) {
        compute_step(p);
        p->step++;
        example_check(p->job, nereus_point(p->job, &action));
        if (action == NEREUS_RESIZED) {
            get_part(p);
            make_plans(p);
        }
    }
    return action != NEREUS_LEAVE;
}

static void print_result(const struct plate *p)
{
    const int64_t width = 2 * p->columns;
    example_print(p->job,
                  digest((double *)p->u, p->first * width, p->count * width, nereus_comm(p->job)));
}

static void register_all(struct plate *p)
{
    int id;
    example_check(p->job, nereus_register_matrix(p->job, "u", MPI_DOUBLE, p->rows, 2 * p->columns,
                                                 NEREUS_BY_ROWS, NEREUS_BY_LENGTH, NEREUS_VARIABLE,
                                                 &p->u_id));
    example_check(p->job, nereus_register_replicated(p->job, "step", MPI_INT64_T, 1,
                                                     NEREUS_VARIABLE, &p->step, &id));
}

int main(int argc, char **argv)
{
    struct plate p = {.rows = argc > 1 ? atoll(argv[1]) : 120,
                      .columns = argc > 2 ? atoll(argv[2]) : 77,
                      .steps = argc > 3 ? atoll(argv[3]) : 40};
    struct nereus_options options = NEREUS_OPTIONS_INIT;
    options.before = free_plans;
    options.user = &p;
    if (nereus_init(&argc, &argv, &options, &p.job) != NEREUS_OK)
        return EXIT_FAILURE;
    if (p.rows < 1 || p.columns < 1 || p.rows > 1000000 || p.columns > 1000000 || p.steps < 0)
        abort_job("the arguments are numbers of rows, columns and steps");
    fftw_mpi_init();
    plan_lines(&p);
    register_all(&p);
    get_part(&p);
    make_plans(&p);
    if (!nereus_is_received(p.job, p.u_id))
        fill_plate(&p);
    if (iterate(&p)) {
        print_result(&p);
        free_plans(p.job, &p);
    }
    for (int i = 0; i < 2; i++) {
        fftw_destroy_plan(p.of_row[i]);
        fftw_destroy_plan(p.of_column[i]);
    }
    return nereus_finalize(&p.job) == NEREUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
