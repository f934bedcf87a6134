/**
 * @file jacobi.c
 * nereus-jacobi: Jacobi's iteration on a dense system of equations, by rows, malleable.
 *
 * One iteration gathers the unknowns and adds up one number over all processes. Compiled without
 * NEREUS_MALLEABLE it is the program before malleability, nereus-jacobi-plain: the lines between
 * #ifdef NEREUS_MALLEABLE and #else (or #endif) were added for malleability, those behind #else
 * were replaced. docs/results/apps.md counts them.
 */
#include <argp.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>

#include "dense.h"
#include "model/util/standard_output.h"
#include "solver.h"
#ifdef NEREUS_MALLEABLE
#include "malleable.h"
#include "nereus/nereus.h"
#endif

const char *argp_program_version = "nereus-jacobi " NEREUS_VERSION;

struct options {
    struct solver_options solver;
    int64_t unknowns;
#ifdef NEREUS_MALLEABLE
    struct malleable malleable;
#endif
};

struct jacobi {
    const struct options *options;
    int64_t unknowns, iteration;
    double norm_b; /* norm of the right-hand side */
    double *history;
    struct solver_layout layout;
    double *a; /* the rows of this process, contiguous, and its parts of the vectors: */
    double *b, *x;
    double *r; /* residual; temporary */
#ifdef NEREUS_MALLEABLE
    nereus_job *job;
    int a_id, b_id, x_id;
#endif
};

/* ---- options --------------------------------------------------------------------------------- */

static const char doc[] =
    "Solve a dense system of equations by Jacobi's iteration."
    "\vThe right-hand side is chosen so that every unknown is 1. The residual of an iteration is "
    "that of the values with which it began. The seconds printed are those of the loop, by the "
    "clock and of a core, in the process that prints them, and from the iteration on with which it "
    "has begun: after a baseline reconfiguration all processes are new, so start and end of the "
    "job are not in them, nor what was before. Example:\n\n"
    "    NEREUS_SCHEDULE=4@20,2@60 nereus-mpiexec -n 2 nereus-jacobi --print";

static const struct argp_option option_list[] = {
    {"unknowns", 'n', "N", 0, "N equations with N unknowns (500)", 0}, {0}};

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
    case 'n':
        options->unknowns = solver_number(state, "--unknowns", argument, 1);
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

/* ---- data ---------------------------------------------------------------------------- */

/* Allocate what depends on communicator and rows. */
static void allocate_layout(struct jacobi *s, MPI_Comm comm, int64_t first, int64_t rows)
{
    solver_lay_out(&s->layout, comm, s->unknowns, first, rows);
    free(s->r);
    s->r = solver_memory(rows, sizeof *s->r);
}

#ifdef NEREUS_MALLEABLE
static void must_succeed(const struct jacobi *s, enum nereus_status status)
{
    if (status != NEREUS_OK)
        solver_abort(nereus_last_error(s->job));
}

/* Register the data to keep across changes of size. In a joining process it arrives with the
 * registration. */
static void register_all(struct jacobi *s)
{
    nereus_job *job = s->job;
    const int64_t n = s->unknowns;
    int id;
    must_succeed(s, nereus_register_matrix(job, "a", MPI_DOUBLE, n, n, NEREUS_BY_ROWS,
                                           NEREUS_BY_LENGTH, NEREUS_CONSTANT, &s->a_id));
    must_succeed(s, nereus_register_array(job, "b", MPI_DOUBLE, n, NEREUS_CONSTANT, &s->b_id));
    must_succeed(s, nereus_register_array(job, "x", MPI_DOUBLE, n, NEREUS_VARIABLE, &s->x_id));
    must_succeed(s, nereus_register_replicated(job, "norm_b", MPI_DOUBLE, 1, NEREUS_CONSTANT,
                                               &s->norm_b, &id));
    must_succeed(s, nereus_register_replicated(job, "iteration", MPI_INT64_T, 1, NEREUS_VARIABLE,
                                               &s->iteration, &id));
    must_succeed(s, nereus_register_replicated(job, "history", MPI_DOUBLE,
                                               s->options->solver.iterations + 1, NEREUS_VARIABLE,
                                               s->history, &id));
}

/* Get the local parts: after registration, and after each change of size. */
static void get_parts(struct jacobi *s)
{
    int64_t first, rows;
    must_succeed(s, nereus_local(s->job, s->a_id, (void **)&s->a, &first, &rows));
    must_succeed(s, nereus_local(s->job, s->b_id, (void **)&s->b, NULL, NULL));
    must_succeed(s, nereus_local(s->job, s->x_id, (void **)&s->x, NULL, NULL));
    allocate_layout(s, nereus_comm(s->job), first, rows);
}

/* @return false: this process is no longer needed */
static bool pass_point(struct jacobi *s)
{
    enum nereus_action action;
    must_succeed(s, malleable_state_power(&s->options->malleable, s->job));
    must_succeed(s, nereus_point(s->job, &action));
    if (action == NEREUS_RESIZED)
        get_parts(s);
    return action != NEREUS_LEAVE;
}
#else
static void allocate_vectors(struct jacobi *s)
{
    int64_t first, rows;
    solver_block(MPI_COMM_WORLD, s->unknowns, &first, &rows);
    s->a = solver_memory(rows * s->unknowns, sizeof *s->a);
    s->b = solver_memory(rows, sizeof *s->b);
    s->x = solver_memory(rows, sizeof *s->x);
    allocate_layout(s, MPI_COMM_WORLD, first, rows);
}
#endif

/* ---- the method ------------------------------------------------------------------------------ */

/* The solution is all 1: the right-hand side is the row sums; x starts at 0. */
static void set_start_vectors(struct jacobi *s)
{
    const int64_t n = s->unknowns;
    for (int64_t j = 0; j < n; j++)
        s->layout.whole[j] = 1;
    for (int64_t i = 0; i < s->layout.rows; i++) {
        dense_fill_row(n, s->layout.first + i, &s->a[i * n]);
        s->b[i] = dense_multiply_row(n, &s->a[i * n], s->layout.whole);
    }
    s->norm_b = sqrt(solver_dot(&s->layout, s->b, s->b));
    s->history[0] = 1;
}

static void iterate_once(struct jacobi *s)
{
    const int64_t n = s->unknowns;
    solver_gather(&s->layout, s->x);
    for (int64_t i = 0; i < s->layout.rows; i++) {
        s->r[i] = s->b[i] - dense_multiply_row(n, &s->a[i * n], s->layout.whole);
        s->x[i] += s->r[i] / s->a[i * n + s->layout.first + i];
    }
    s->iteration++;
    s->history[s->iteration] = sqrt(solver_dot(&s->layout, s->r, s->r)) / s->norm_b;
}

/* @return false: this process is no longer needed */
static bool iterate_to_end(struct jacobi *s)
{
    while (!solver_is_finished(&s->options->solver, s->iteration, s->history[s->iteration])) {
        iterate_once(s);
#ifdef NEREUS_MALLEABLE
        if (!pass_point(s))
            return false;
#endif
        solver_pause(&s->options->solver);
    }
#ifdef NEREUS_MALLEABLE
    while (malleable_pause_if_pending(&s->options->malleable, s->job))
        if (!pass_point(s))
            return false;
#endif
    return true;
}

/* ---- start and end --------------------------------------------------------------------------- */

static double find_largest_error(const struct jacobi *s)
{
    double own_max = 0, largest_error;
    for (int64_t i = 0; i < s->layout.rows; i++)
        own_max = fmax(own_max, fabs(s->x[i] - 1));
    MPI_Allreduce(&own_max, &largest_error, 1, MPI_DOUBLE, MPI_MAX, s->layout.comm);
    return largest_error;
}

static int solve(struct jacobi *s)
{
    const struct solver_time start = solver_now(s->iteration);
    if (!iterate_to_end(s))
        return EXIT_SUCCESS;
    const struct solver_time time = solver_since(&start);
    int64_t reconfigurations = -1;
#ifdef NEREUS_MALLEABLE
    reconfigurations = nereus_reconfigurations(s->job);
#endif
    return solver_report(&s->options->solver, &s->layout,
                         &(struct solver_results){s->history, s->iteration, find_largest_error(s),
                                                  reconfigurations, time});
}

static void free_vectors(struct jacobi *s)
{
#ifndef NEREUS_MALLEABLE
    free(s->a);
    free(s->b);
    free(s->x);
#endif
    free(s->r);
    solver_layout_fini(&s->layout);
}

int main(int argc, char **argv)
{
    static struct options options = {.solver = SOLVER_OPTIONS_INIT, .unknowns = 500};
    struct jacobi s = {.options = &options};
    nereus_output_begin(NULL);
    read_options(&options, argc, argv);
    s.unknowns = options.unknowns;
#ifdef NEREUS_MALLEABLE
    struct nereus_options job_options = NEREUS_OPTIONS_INIT;
    job_options.iterations = options.malleable.tell_end ? options.solver.iterations : 0;
    if (nereus_init(&argc, &argv, &job_options, &s.job) != NEREUS_OK)
        return EXIT_FAILURE;
    s.history = solver_memory(options.solver.iterations + 1, sizeof *s.history);
    register_all(&s);
    get_parts(&s);
    if (!nereus_is_joined(s.job))
        set_start_vectors(&s);
#else
    MPI_Init(&argc, &argv);
    s.history = solver_memory(options.solver.iterations + 1, sizeof *s.history);
    allocate_vectors(&s);
    set_start_vectors(&s);
#endif
    int status = solve(&s);
    free_vectors(&s);
#ifdef NEREUS_MALLEABLE
    if (nereus_finalize(&s.job) != NEREUS_OK)
        status = EXIT_FAILURE;
#else
    MPI_Finalize();
#endif
    free(s.history);
    return status;
}
