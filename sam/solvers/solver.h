/**
 * @file solver.h
 * Holds what the iterative solvers (cg.c, jacobi.c) share: options, vectors in parts, results. It
 * does not depend on malleability: the layout is made again for a new communicator and new rows.
 */
#pragma once

#include <argp.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/** Options of every solver, for a program's own argp as a child. */
struct solver_options {
    int64_t iterations; /**< largest number of iterations */
    double tolerance;   /**< largest residual, relative to the right-hand side; 0: carry out all
                           iterations */
    bool print;         /**< print the residual of each iteration */
    double pause_s;     /**< sleep after each iteration */
};
#define SOLVER_OPTIONS_INIT                                                                        \
    {                                                                                              \
        .iterations = 1000, .tolerance = 1e-10                                                     \
    }
/** The parser of these options. */
extern const struct argp solver_argp;

/**
 * For parsers of options: a whole number between least and INT_MAX, as vectors are gathered with
 * int counts; else argp_error.
 */
int64_t solver_number(const struct argp_state *state, const char *option, const char *text,
                      int64_t min);

/** How vectors are distributed: this process has rows first to first + rows - 1 of all unknowns. */
struct solver_layout {
    MPI_Comm comm;
    int rank, size;
    int64_t unknowns, first, rows;
    int *counts, *firsts; /**< rows of every process */
    double *whole;        /**< room for a vector of all processes */
    MPI_Datatype pair;    /**< for solver_dot */
    MPI_Op add_pairs;
};

/** Local: find the rows of this process in equal blocks; the first blocks have one row more. */
void solver_block(MPI_Comm comm, int64_t unknowns, int64_t *first, int64_t *rows);
/** Collective. An earlier layout in *layout is freed; the first time it is all 0. */
void solver_lay_out(struct solver_layout *layout, MPI_Comm comm, int64_t unknowns, int64_t first,
                    int64_t rows);
/** Free the layout, before MPI is finalised. */
void solver_layout_fini(struct solver_layout *layout);
/** Collective: gather the parts of all processes in layout->whole. */
void solver_gather(const struct solver_layout *layout, const double *part);
/**
 * Collective: the dot product of two vectors, summed with twice the digits of a double. The result
 * then does not depend on the distribution (except with a probability of about 1e-9): conjugate
 * gradient amplifies differences in the last digit.
 */
double solver_dot(const struct solver_layout *layout, const double *a, const double *b);

/** Allocate zeroed memory; without memory the program ends with a message. */
void *solver_memory(int64_t count, size_t bytes);
/** Local: prints "program: sentence" and ends the whole job with status 1. */
void solver_abort(const char *sentence) __attribute__((noreturn));
/** Collective: did any process fail? The first one that did prints its message. */
bool solver_any_failed(MPI_Comm comm, const char *sentence);

/** Is this iteration, with this residual, the last? The same in all processes. */
bool solver_is_finished(const struct solver_options *options, int64_t iteration, double residual);
/** Local: sleeps if --pause says so. */
void solver_pause(const struct solver_options *options);
/** Wall-clock and CPU seconds of this process, and the iteration from which they count. */
struct solver_time {
    double clock_s, cpu_s;
    int64_t iteration;
};
/** Local: read both clocks; the time since a start. */
struct solver_time solver_now(int64_t iteration);
struct solver_time solver_since(const struct solver_time *start);

/** Results of a solver, as rank 0 prints them. */
struct solver_results {
    const double *history; /**< residuals of iterations 0 to `iterations` */
    int64_t iterations;
    double error;             /**< largest error of the solution */
    int64_t reconfigurations; /**< -1: not malleable */
    struct solver_time time;
};

/** Rank 0 prints the results.
 * @return the exit status: 1 if the tolerance was not reached */
int solver_report(const struct solver_options *options, const struct solver_layout *layout,
                  const struct solver_results *results);
