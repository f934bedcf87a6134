/**
 * @file solver.c
 * Implements what the solvers share: options, failures, sums, vectors in parts, results.
 */
#include "solver.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "model/util/c_locale.h"
#include "model/util/text.h"

/* ---- options --------------------------------------------------------------------------------- */

static const struct argp_option option_list[] = {
    {"iterations", 'i', "N", 0, "At most N iterations (1000)", 0},
    {"tolerance", 't', "T", 0,
     "End when the residual is T times the right-hand side or less (1e-10); 0: carry out all "
     "iterations",
     0},
    {"print", 'p', NULL, 0, "Print the residual of each iteration, to its last digit", 0},
    {"pause", 's', "SECONDS", 0, "Sleep so long after each iteration", 0},
    {0}};

int64_t solver_number(const struct argp_state *state, const char *option, const char *text,
                      int64_t min)
{
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value < min || value > INT_MAX)
        argp_error(state, "%s takes a whole number from %lld to %d, not '%s'", option,
                   (long long)min, INT_MAX, text);
    return value;
}

/* A number from 0 to below 1. */
static double read_fraction(const struct argp_state *state, const char *option, const char *text)
{
    char *end;
    const double value = nereus_strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= 0 && value < 1))
        argp_error(state, "%s takes a number from 0 to below 1, not '%s'", option, text);
    return value;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct solver_options *options = state->input;
    switch (key) {
    case 'i':
        options->iterations = solver_number(state, "--iterations", argument, 0);
        break;
    case 't':
        options->tolerance = read_fraction(state, "--tolerance", argument);
        break;
    case 'p':
        options->print = true;
        break;
    case 's':
        options->pause_s = read_fraction(state, "--pause", argument);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp solver_argp = {option_list, parse_option, NULL, NULL, NULL, NULL, NULL};

/* ---- failures -------------------------------------------------------------------------------- */

void solver_abort(const char *sentence)
{
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, sentence);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    exit(EXIT_FAILURE); /* not reached, but MPI_Abort is not declared noreturn */
}

void *solver_memory(int64_t count, size_t bytes)
{
    void *memory = calloc((size_t)count + 1, bytes);
    if (memory == NULL) {
        char sentence[100];
        snprintf(sentence, sizeof sentence, "no memory for %lld elements of %zu bytes",
                 (long long)count, bytes);
        solver_abort(sentence);
    }
    return memory;
}

bool solver_any_failed(MPI_Comm comm, const char *sentence)
{
    /* The failed process of lowest rank prints. */
    int rank, speaker;
    MPI_Comm_rank(comm, &rank);
    const int own_rank = sentence != NULL ? rank : INT_MAX;
    MPI_Allreduce(&own_rank, &speaker, 1, MPI_INT, MPI_MIN, comm);
    if (speaker == rank)
        fprintf(stderr, "%s: %s\n", program_invocation_short_name, sentence);
    return speaker != INT_MAX;
}

/* ---- sums with twice the digits -------------------------------------------------------------- */

/* A number with twice the digits: high + low, where low is the rounding error of high. */
struct pair {
    double high, low;
};

/* Knuth's sum without a loss (The Art of Computer Programming, volume 2, section 4.2.2, theorem
 * B). */
static struct pair add_exactly(struct pair sum, double x)
{
    const double high = sum.high + x, part = high - sum.high;
    return (struct pair){high, sum.low + ((sum.high - (high - part)) + (x - part))};
}

/* Return the upper half of the digits (Veltkamp; T. J. Dekker, Numerische Mathematik 18, 1971). */
static double get_upper_half(double x)
{
    const double large = 134217729 * x; /* 2^27 + 1 */
    return large - (large - x);
}

/* sum + a * b: the rounding error of a product is a double (Dekker). */
static struct pair add_product(struct pair sum, double a, double b)
{
    const double product = a * b, a_high = get_upper_half(a), b_high = get_upper_half(b);
    const double a_low = a - a_high, b_low = b - b_high;
    const double rest =
        a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
    sum = add_exactly(sum, product);
    sum.low += rest;
    return sum;
}

static void add_pairs(void *in, void *in_out, int *count, MPI_Datatype *type)
{
    const struct pair *more = in;
    struct pair *sums = in_out;
    (void)type;
    for (int i = 0; i < *count; i++) {
        sums[i] = add_exactly(sums[i], more[i].high);
        sums[i].low += more[i].low;
    }
}

/* ---- vectors in parts ------------------------------------------------------------------------ */

void solver_block(MPI_Comm comm, int64_t unknowns, int64_t *first, int64_t *rows)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const int64_t min = unknowns / size, more = unknowns % size;
    *rows = min + (rank < more);
    *first = rank * min + (rank < more ? rank : more);
}

void solver_lay_out(struct solver_layout *layout, MPI_Comm comm, int64_t unknowns, int64_t first,
                    int64_t rows)
{
    solver_layout_fini(layout);
    *layout =
        (struct solver_layout){.comm = comm, .unknowns = unknowns, .first = first, .rows = rows};
    MPI_Comm_rank(comm, &layout->rank);
    MPI_Comm_size(comm, &layout->size);
    layout->counts = solver_memory(layout->size, sizeof *layout->counts);
    layout->firsts = solver_memory(layout->size, sizeof *layout->firsts);
    layout->whole = solver_memory(unknowns, sizeof *layout->whole);
    layout->counts[layout->rank] = (int)rows;
    layout->firsts[layout->rank] = (int)first;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, layout->counts, 1, MPI_INT, comm);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, layout->firsts, 1, MPI_INT, comm);
    MPI_Type_contiguous(2, MPI_DOUBLE, &layout->pair);
    MPI_Type_commit(&layout->pair);
    MPI_Op_create(add_pairs, 1, &layout->add_pairs);
}

void solver_layout_fini(struct solver_layout *layout)
{
    free(layout->counts);
    free(layout->firsts);
    if (layout->whole != NULL) {
        MPI_Type_free(&layout->pair);
        MPI_Op_free(&layout->add_pairs);
    }
    free(layout->whole);
    *layout = (struct solver_layout){.comm = MPI_COMM_NULL};
}

void solver_gather(const struct solver_layout *layout, const double *part)
{
    MPI_Allgatherv(part, (int)layout->rows, MPI_DOUBLE, layout->whole, layout->counts,
                   layout->firsts, MPI_DOUBLE, layout->comm);
}

double solver_dot(const struct solver_layout *layout, const double *a, const double *b)
{
    struct pair own_pair = {0, 0}, total_pair;
    for (int64_t i = 0; i < layout->rows; i++)
        own_pair = add_product(own_pair, a[i], b[i]);
    MPI_Allreduce(&own_pair, &total_pair, 1, layout->pair, layout->add_pairs, layout->comm);
    return total_pair.high + total_pair.low;
}

/* ---- time ------------------------------------------------------------------------------------ */

struct solver_time solver_now(int64_t iteration)
{
    return (struct solver_time){
        .clock_s = MPI_Wtime(), .cpu_s = (double)clock() / CLOCKS_PER_SEC, .iteration = iteration};
}

struct solver_time solver_since(const struct solver_time *start)
{
    const struct solver_time now = solver_now(start->iteration);
    return (struct solver_time){.clock_s = now.clock_s - start->clock_s,
                                .cpu_s = now.cpu_s - start->cpu_s,
                                .iteration = start->iteration};
}

/* ---- results --------------------------------------------------------------------------------- */

bool solver_is_finished(const struct solver_options *options, int64_t iteration, double residual)
{
    return iteration >= options->iterations ||
           (options->tolerance > 0 && residual <= options->tolerance);
}

void solver_pause(const struct solver_options *options)
{
    if (options->pause_s > 0)
        usleep((useconds_t)(options->pause_s * 1e6));
}

static void print_results(const struct solver_options *options, const struct solver_layout *layout,
                          const struct solver_results *results)
{
    const int64_t iterations = results->iterations;
    for (int64_t i = 0; options->print && i <= iterations; i++)
        printf("residual %lld %.17g\n", (long long)i, results->history[i]);
    printf("%lld iteration%s, residual %.3g, largest error %.3g, %d process%s, ",
           (long long)iterations, nereus_plural_s(iterations), results->history[iterations],
           results->error, layout->size, nereus_plural_es(layout->size));
    if (results->reconfigurations >= 0)
        printf("%lld reconfiguration%s, ", (long long)results->reconfigurations,
               nereus_plural_s(results->reconfigurations));
    printf("from iteration %lld on %.6f s, %.6f s CPU\n", (long long)results->time.iteration,
           results->time.clock_s, results->time.cpu_s);
    fflush(stdout);
}

int solver_report(const struct solver_options *options, const struct solver_layout *layout,
                  const struct solver_results *results)
{
    const double residual = results->history[results->iterations];
    const bool reached = options->tolerance <= 0 || residual <= options->tolerance;
    if (layout->rank == 0)
        print_results(options, layout, results);
    if (layout->rank == 0 && !reached)
        fprintf(stderr, "%s: the residual is %.3g after %lld iteration%s; %.3g was wanted\n",
                program_invocation_short_name, residual, (long long)results->iterations,
                nereus_plural_s(results->iterations), options->tolerance);
    return reached ? EXIT_SUCCESS : EXIT_FAILURE;
}
