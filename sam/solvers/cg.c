/**
 * @file cg.c
 * nereus-cg: conjugate gradient on a sparse matrix, by rows, malleable.
 *
 * One iteration gathers a vector and adds up two numbers over all processes (Martín-Álvarez et al.
 * (2023), section 4.2). Compiled without NEREUS_MALLEABLE it is the program before malleability,
 * nereus-cg-plain: the lines between #ifdef NEREUS_MALLEABLE and #else (or #endif) were added for
 * malleability, those behind #else were replaced. docs/results/apps.md counts them.
 */
#include <argp.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "matrix_market.h"
#include "model/util/standard_output.h"
#include "solver.h"
#include "sparse.h"
#ifdef NEREUS_MALLEABLE
#include "malleable.h"
#include "nereus/nereus.h"
#endif

const char *argp_program_version = "nereus-cg " NEREUS_VERSION;

struct options {
    struct solver_options solver;
    int64_t grid[3];
    bool has_grid;      /* --grid was given */
    const char *matrix; /* a file; NULL: the stencil */
    int64_t repeat[2];  /* number of multiplications in an iteration: rank 0, others */
#ifdef NEREUS_MALLEABLE
    struct malleable malleable;
#endif
};

struct cg {
    const struct options *options;
    int64_t unknowns, iteration;
    double rr;     /* square of the present residual */
    double norm_b; /* norm of the right-hand side */
    double *history;
    struct solver_layout layout;
    struct sparse a; /* the rows of this process, and its parts of the vectors: */
    double *b, *x, *r, *p;
    double *product; /* product of the matrix and p; temporary */
#ifdef NEREUS_MALLEABLE
    nereus_job *job;
    int a_id, b_id, x_id, r_id, p_id;
#endif
};

/* ---- options --------------------------------------------------------------------------------- */

static const char doc[] =
    "Solve a sparse system of equations by conjugate gradient."
    "\vThe right-hand side is chosen so that every unknown is 1. The seconds printed are those of "
    "the loop, by the clock and of a core, in the process that prints them, and from the iteration "
    "on with which it has begun: after a baseline reconfiguration all processes are new, so start "
    "and end of the job are not in them, nor what was before. Example:\n\n"
    "    NEREUS_SCHEDULE=4@10,2@20 nereus-mpiexec -n 2 nereus-cg --grid 20,20,20";

static const struct argp_option option_list[] = {
    {"grid", 'g', "NX,NY,NZ", 0,
     "The matrix of a 27-point stencil on a grid of that size (16,16,16)", 0},
    {"matrix", 'f', "FILE", 0,
     "A Matrix Market file: coordinate, real, symmetric and positive definite", 0},
    {"repeat", 'R', "FIRST,OTHERS", 0,
     "Multiply the matrix so many times in an iteration, in rank 0 and in the others: stands for a "
     "slower node, to try out load balance (1,1)",
     0},
    {0}};

static void read_grid(const struct argp_state *state, const char *text, int64_t grid[3])
{
    char more;
    if (sscanf(text, "%9" SCNd64 ",%9" SCNd64 ",%9" SCNd64 "%c", &grid[0], &grid[1], &grid[2],
               &more) != 3 ||
        grid[0] < 1 || grid[1] < 1 || grid[2] < 1)
        argp_error(state, "--grid takes three sizes from 1 on, as in 20,20,20, not '%s'", text);
    if (grid[0] * grid[1] > INT_MAX || grid[0] * grid[1] * grid[2] > INT_MAX)
        argp_error(state, "--grid %s has more than %d points", text, INT_MAX);
}

static void read_repeat(const struct argp_state *state, const char *text, int64_t repeat[2])
{
    char more;
    if (sscanf(text, "%9" SCNd64 ",%9" SCNd64 "%c", &repeat[0], &repeat[1], &more) != 2 ||
        repeat[0] < 1 || repeat[1] < 1)
        argp_error(state, "--repeat takes two numbers from 1 on, as in 3,1, not '%s'", text);
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->solver;
#ifdef NEREUS_MALLEABLE
        state->child_inputs[1] = &options->malleable;
#endif
        break;
    case 'g':
        read_grid(state, argument, options->grid);
        options->has_grid = true;
        break;
    case 'f':
        options->matrix = argument;
        break;
    case 'R':
        read_repeat(state, argument, options->repeat);
        break;
    case ARGP_KEY_END:
        if (options->has_grid && options->matrix != NULL)
            argp_error(state, "--grid and --matrix are two matrices: leave one out");
        break;
    case ARGP_KEY_ARG:
        argp_error(state, "unexpected argument '%s'; --help lists the options", argument);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static void read_options(struct options *options, int argc, char **argv)
{
    static const struct argp_child children[] = {{&solver_argp, 0, NULL, 0},
#ifdef NEREUS_MALLEABLE
                                                 {&malleable_argp, 0, NULL, 0},
#endif
                                                 {0}};
    static const struct argp argp = {option_list, parse_option, NULL, doc, children, NULL, NULL};
    argp_parse(&argp, argc, argv, 0, NULL, options);
}

/* ---- the matrix ------------------------------------------------------------------------------ */

/* The shape of the matrix.
 * @param[out] shape  all 0 for the stencil */
static enum nereus_status scan_matrix(const struct options *options, struct matrix_market *shape,
                                      struct nereus_error *err)
{
    *shape = (struct matrix_market){.rows = options->grid[0] * options->grid[1] * options->grid[2]};
    if (options->matrix == NULL)
        return NEREUS_OK;
    const enum nereus_status status = matrix_market_scan(options->matrix, shape, err);
    if (status == NEREUS_OK && shape->rows > INT_MAX) {
        matrix_market_free(shape);
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%.200s has more than %d rows",
                           options->matrix, INT_MAX);
    }
    return status;
}

static enum nereus_status make_rows(const struct options *options,
                                    const struct matrix_market *shape, int64_t first, int64_t rows,
                                    struct sparse *part, struct nereus_error *err)
{
    return options->matrix == NULL
               ? sparse_stencil(options->grid, first, rows, part, err)
               : matrix_market_rows(options->matrix, shape, first, rows, part, err);
}

/* ---- data ---------------------------------------------------------------------------- */

/* Allocate what depends on communicator and rows. */
static void allocate_layout(struct cg *cg, MPI_Comm comm)
{
    solver_lay_out(&cg->layout, comm, cg->unknowns, cg->a.first, cg->a.rows);
    free(cg->product);
    cg->product = solver_memory(cg->a.rows, sizeof *cg->product);
}

#ifdef NEREUS_MALLEABLE
static void must_succeed(const struct cg *cg, enum nereus_status status)
{
    if (status != NEREUS_OK)
        solver_abort(nereus_last_error(cg->job));
}

/* Register the data to keep across changes of size. In a joining process it arrives with the
 * registration. */
static void register_all(struct cg *cg, const struct sparse *part)
{
    nereus_job *job = cg->job;
    int id;
    must_succeed(cg, nereus_register_replicated(job, "unknowns", MPI_INT64_T, 1, NEREUS_CONSTANT,
                                                &cg->unknowns, &id));
    const int64_t n = cg->unknowns;
    must_succeed(cg, nereus_register_csr(job, "a", MPI_DOUBLE, n, n, NEREUS_BY_LENGTH, part->starts,
                                         part->columns, part->values, NEREUS_CONSTANT, &cg->a_id));
    must_succeed(cg, nereus_weigh_by_nonzeros(job, cg->a_id));
    must_succeed(cg, nereus_register_array(job, "b", MPI_DOUBLE, n, NEREUS_CONSTANT, &cg->b_id));
    must_succeed(cg, nereus_register_array(job, "x", MPI_DOUBLE, n, NEREUS_VARIABLE, &cg->x_id));
    must_succeed(cg, nereus_register_array(job, "r", MPI_DOUBLE, n, NEREUS_VARIABLE, &cg->r_id));
    must_succeed(cg, nereus_register_array(job, "p", MPI_DOUBLE, n, NEREUS_VARIABLE, &cg->p_id));
    must_succeed(cg, nereus_register_replicated(job, "norm_b", MPI_DOUBLE, 1, NEREUS_CONSTANT,
                                                &cg->norm_b, &id));
    must_succeed(
        cg, nereus_register_replicated(job, "rr", MPI_DOUBLE, 1, NEREUS_VARIABLE, &cg->rr, &id));
    must_succeed(cg, nereus_register_replicated(job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE,
                                                &cg->iteration, &id));
    must_succeed(cg, nereus_register_replicated(job, "history", MPI_DOUBLE,
                                                cg->options->solver.iterations + 1, NEREUS_VARIABLE,
                                                cg->history, &id));
}

/* Get the local parts: after registration, and after each change of size. */
static void get_parts(struct cg *cg)
{
    struct nereus_sparse a;
    must_succeed(cg, nereus_local_sparse(cg->job, cg->a_id, &a));
    cg->a = (struct sparse){a.first, a.count, a.pointers, a.indices, a.values};
    must_succeed(cg, nereus_local(cg->job, cg->b_id, (void **)&cg->b, NULL, NULL));
    must_succeed(cg, nereus_local(cg->job, cg->x_id, (void **)&cg->x, NULL, NULL));
    must_succeed(cg, nereus_local(cg->job, cg->r_id, (void **)&cg->r, NULL, NULL));
    must_succeed(cg, nereus_local(cg->job, cg->p_id, (void **)&cg->p, NULL, NULL));
    allocate_layout(cg, nereus_comm(cg->job));
}

/* @return false: this process is no longer needed */
static bool pass_point(struct cg *cg)
{
    enum nereus_action action;
    must_succeed(cg, malleable_state_power(&cg->options->malleable, cg->job));
    must_succeed(cg, nereus_point(cg->job, &action));
    if (action == NEREUS_RESIZED)
        get_parts(cg);
    return action != NEREUS_LEAVE;
}
#else
static void allocate_vectors(struct cg *cg)
{
    cg->b = solver_memory(cg->a.rows, sizeof *cg->b);
    cg->x = solver_memory(cg->a.rows, sizeof *cg->x);
    cg->r = solver_memory(cg->a.rows, sizeof *cg->r);
    cg->p = solver_memory(cg->a.rows, sizeof *cg->p);
    allocate_layout(cg, MPI_COMM_WORLD);
}
#endif

/* ---- the method ------------------------------------------------------------------------------ */

/* The solution is all 1: the right-hand side is the row sums; x starts at 0. */
static void set_start_vectors(struct cg *cg)
{
    for (int64_t i = 0; i < cg->unknowns; i++)
        cg->layout.whole[i] = 1;
    sparse_multiply(&cg->a, cg->layout.whole, cg->b);
    for (int64_t i = 0; i < cg->layout.rows; i++)
        cg->r[i] = cg->p[i] = cg->b[i];
    cg->rr = solver_dot(&cg->layout, cg->r, cg->r);
    cg->norm_b = sqrt(cg->rr);
    cg->history[0] = 1;
}

/* @return false: the matrix is not positive definite */
static bool iterate_once(struct cg *cg)
{
    const int64_t rows = cg->layout.rows;
    solver_gather(&cg->layout, cg->p);
    for (int64_t i = 0; i < cg->options->repeat[cg->layout.rank > 0]; i++)
        sparse_multiply(&cg->a, cg->layout.whole, cg->product);
    const double curvature = solver_dot(&cg->layout, cg->p, cg->product);
    if (!(curvature > 0) && cg->rr > 0)
        return false;
    const double alpha = cg->rr > 0 ? cg->rr / curvature : 0;
    for (int64_t i = 0; i < rows; i++) {
        cg->x[i] += alpha * cg->p[i];
        cg->r[i] -= alpha * cg->product[i];
    }
    const double old_rr = cg->rr;
    cg->rr = solver_dot(&cg->layout, cg->r, cg->r);
    const double beta = old_rr > 0 ? cg->rr / old_rr : 0;
    for (int64_t i = 0; i < rows; i++)
        cg->p[i] = cg->r[i] + beta * cg->p[i];
    cg->iteration++;
    cg->history[cg->iteration] = cg->norm_b > 0 ? sqrt(cg->rr) / cg->norm_b : 0;
    return true;
}

enum end { END_SOLVED, END_INDEFINITE, END_LEFT };

static enum end iterate_to_end(struct cg *cg)
{
    while (!solver_is_finished(&cg->options->solver, cg->iteration, cg->history[cg->iteration])) {
        if (!iterate_once(cg))
            return END_INDEFINITE;
#ifdef NEREUS_MALLEABLE
        if (!pass_point(cg))
            return END_LEFT;
#endif
        solver_pause(&cg->options->solver);
    }
#ifdef NEREUS_MALLEABLE
    while (malleable_pause_if_pending(&cg->options->malleable, cg->job))
        if (!pass_point(cg))
            return END_LEFT;
#endif
    return END_SOLVED;
}

/* ---- start and end --------------------------------------------------------------------------- */

/* Make matrix and right-hand side.
 * @return false: a process failed and has printed why */
static bool set_up_system(struct cg *cg, MPI_Comm comm)
{
    struct nereus_error err = {NEREUS_OK, ""};
    struct matrix_market shape;
    struct sparse matrix;
    int64_t first, rows;
    enum nereus_status status = scan_matrix(cg->options, &shape, &err);
    if (solver_any_failed(comm, status == NEREUS_OK ? NULL : err.text))
        return false;
    cg->unknowns = shape.rows;
    solver_block(comm, cg->unknowns, &first, &rows);
    status = make_rows(cg->options, &shape, first, rows, &matrix, &err);
    matrix_market_free(&shape);
    if (solver_any_failed(comm, status == NEREUS_OK ? NULL : err.text))
        return false;
#ifdef NEREUS_MALLEABLE
    register_all(cg, &matrix);
    get_parts(cg);
    sparse_free(&matrix);
#else
    cg->a = matrix;
    allocate_vectors(cg);
#endif
    set_start_vectors(cg);
    return true;
}

static double find_largest_error(const struct cg *cg)
{
    double own_max = 0, largest_error;
    for (int64_t i = 0; i < cg->layout.rows; i++)
        own_max = fmax(own_max, fabs(cg->x[i] - 1));
    MPI_Allreduce(&own_max, &largest_error, 1, MPI_DOUBLE, MPI_MAX, cg->layout.comm);
    return largest_error;
}

static int solve(struct cg *cg)
{
    const struct solver_time start = solver_now(cg->iteration);
    const enum end end = iterate_to_end(cg);
    if (end == END_LEFT)
        return EXIT_SUCCESS;
    if (end == END_INDEFINITE) {
        solver_any_failed(cg->layout.comm, "the matrix is not positive definite");
        return EXIT_FAILURE;
    }
    const struct solver_time time = solver_since(&start);
    int64_t reconfigurations = -1;
#ifdef NEREUS_MALLEABLE
    reconfigurations = nereus_reconfigurations(cg->job);
#endif
    return solver_report(&cg->options->solver, &cg->layout,
                         &(struct solver_results){cg->history, cg->iteration,
                                                  find_largest_error(cg), reconfigurations, time});
}

static void free_vectors(struct cg *cg)
{
#ifndef NEREUS_MALLEABLE
    sparse_free(&cg->a);
    free(cg->b);
    free(cg->x);
    free(cg->r);
    free(cg->p);
#endif
    free(cg->product);
    solver_layout_fini(&cg->layout);
}

int main(int argc, char **argv)
{
    static struct options options = {
        .solver = SOLVER_OPTIONS_INIT, .grid = {16, 16, 16}, .repeat = {1, 1}};
    struct cg cg = {.options = &options};
    bool ready;
    nereus_output_begin(NULL);
    read_options(&options, argc, argv);
#ifdef NEREUS_MALLEABLE
    struct nereus_options job_options = NEREUS_OPTIONS_INIT;
    job_options.iterations = options.malleable.tell_end ? options.solver.iterations : 0;
    if (nereus_init(&argc, &argv, &job_options, &cg.job) != NEREUS_OK)
        return EXIT_FAILURE;
    cg.history = solver_memory(options.solver.iterations + 1, sizeof *cg.history);
    ready = nereus_is_joined(cg.job);
    if (ready) {
        register_all(&cg, &cg.a);
        get_parts(&cg);
    } else {
        ready = set_up_system(&cg, nereus_comm(cg.job));
    }
#else
    MPI_Init(&argc, &argv);
    cg.history = solver_memory(options.solver.iterations + 1, sizeof *cg.history);
    ready = set_up_system(&cg, MPI_COMM_WORLD);
#endif
    int status = ready ? solve(&cg) : EXIT_FAILURE;
    free_vectors(&cg);
#ifdef NEREUS_MALLEABLE
    if (nereus_finalize(&cg.job) != NEREUS_OK)
        status = EXIT_FAILURE;
#else
    MPI_Finalize();
#endif
    free(cg.history);
    return status;
}
