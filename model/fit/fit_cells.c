/*
 * Step rows gathered into cells, each of which is one observation: its median.
 *
 * Times of a short step are heavy-tailed: mostly tens of microseconds, at times milliseconds, when
 * the scheduler preempts a process. A regression on single rows, relative to each row's own time,
 * gives most weight to the fastest ones. Medians of cells do not depend on the tail; that is kept
 * as quantiles of measured / fitted.
 */
#include "fit_cells.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/plan/strategies/strategy.h"

static const double same_bytes = 0.03;
static const double time_least_s = 1e-9; /* a clock tick: each time must have a logarithm */
/* least relative error of a cell, however often it was measured */
static const double model_floor = 0.1;
/* of a kind all of whose cells have fewer than three rows */
static const double unknown_log_sd = 1;

static bool near(double a, double b)
{
    const double x = isnan(a) ? 0 : a, y = isnan(b) ? 0 : b;
    return fabs(x - y) <= same_bytes * fmax(x, y);
}

/* In `single` the other sources sleep while the root spawns; else all of them poll in
 * MPI_Comm_spawn. */
static bool same_spawn(const struct nereus_sample *a, const struct nereus_sample *b)
{
    return a->step != NEREUS_STEP_SPAWN || nereus_strategy_root_alone(a->method.strategy) ==
                                               nereus_strategy_root_alone(b->method.strategy);
}

static bool same_cell(const struct nereus_sample *a, const struct nereus_sample *b)
{
    return a->step == b->step && a->old_processes == b->old_processes &&
           a->new_processes == b->new_processes && a->ns == b->ns && a->nt == b->nt &&
           a->cores_per_node == b->cores_per_node && a->cores_per_process == b->cores_per_process &&
           a->machine == b->machine && a->method.process == b->method.process && same_spawn(a, b) &&
           a->method.has_data == b->method.has_data && a->method.data == b->method.data &&
           near(a->bytes, b->bytes);
}

static bool usable(const struct nereus_sample *s, bool oversubscribed)
{
    return s->kind == NEREUS_SAMPLE_STEP && s->oversubscribed == oversubscribed &&
           !nereus_fit_by_operation(s);
}

/* Does a row count as one with a start? Kinds without the term `starts` do not tell the two apart:
 * their cells are larger together. */
static bool starts_apart(const struct nereus_fit_rows *rows, size_t row)
{
    const struct nereus_cost_kind *kind = nereus_cost_kind(rows->rows[row]->step);
    bool apart = false;
    for (int i = 0; i < kind->term_count; i++)
        apart = apart || kind->terms[i] == NEREUS_FEATURE_STARTS;
    return !apart || nereus_fit_starts(rows, row);
}

/* Cells without times, and which of them each row belongs to (SIZE_MAX: none). */
static void assign(const struct nereus_fit_rows *rows, bool oversubscribed,
                   struct nereus_fit_cells *c, size_t *cell_of)
{
    for (size_t i = 0; i < rows->count; i++) {
        size_t cell = 0;
        cell_of[i] = SIZE_MAX;
        if (!usable(rows->rows[i], oversubscribed))
            continue;
        const bool starts = starts_apart(rows, i);
        while (cell < c->count && (c->cells[cell].starts != starts ||
                                   !same_cell(&c->cells[cell].sample, rows->rows[i])))
            cell++;
        if (cell == c->count)
            c->cells[c->count++] =
                (struct nereus_fit_cell){.sample = *rows->rows[i], .starts = starts};
        c->cells[cell].count++;
        cell_of[i] = cell;
    }
}

/*
 * Censored times: clocks of several hosts differ by some microseconds, and a trace has 0 for a step
 * that is shorter than that (timeline.c). Dropping these rows would keep only those that the clocks
 * made longer. They are below the shortest non-zero time and count as half of it; the median does
 * not depend on that unless they are the majority. @return false: all times are 0
 */
static bool fill_censored(double *ascending, size_t n)
{
    size_t censored = 0;
    while (censored < n && ascending[censored] <= 0)
        censored++;
    for (size_t i = 0; censored < n && i < censored; i++)
        ascending[i] = 0.5 * ascending[censored];
    for (size_t i = 0; censored < n && i < n; i++)
        ascending[i] = fmax(ascending[i], time_least_s);
    return censored < n;
}

static void fill_times(const struct nereus_fit_rows *rows, const size_t *cell_of,
                       struct nereus_fit_cells *c)
{
    double *next = c->times_s;
    size_t kept = 0;
    for (size_t k = 0; k < c->count; k++) {
        struct nereus_fit_cell *cell = &c->cells[kept];
        double *first = next;
        *cell = c->cells[k];
        for (size_t i = 0; i < rows->count; i++)
            if (cell_of[i] == k)
                *next++ = rows->rows[i]->time_s;
        gsl_sort(first, 1, cell->count);
        if (!fill_censored(first, cell->count))
            continue;
        kept++;
        cell->times_s = first;
        cell->sample.time_s = gsl_stats_median_from_sorted_data(first, 1, cell->count);
    }
    c->count = kept;
}

/* Robust scatter of the logarithms of a cell's times; NAN of fewer than three. */
static double own_log_sd(const struct nereus_fit_cell *cell, double *scratch)
{
    if (cell->count < 3)
        return NAN;
    for (size_t i = 0; i < cell->count; i++)
        scratch[i] = fabs(log(cell->times_s[i] / cell->sample.time_s));
    return 1.4826 * nereus_median(scratch, cell->count);
}

/* Median scatter of the cells of a kind: few rows may agree by chance. */
static double kind_log_sd(const struct nereus_fit_cells *c, enum nereus_step_kind kind,
                          double *scratch)
{
    size_t n = 0;
    for (size_t k = 0; k < c->count; k++)
        if (c->cells[k].sample.step == kind && !isnan(c->cells[k].sigma))
            scratch[n++] = c->cells[k].sigma;
    return n > 0 ? nereus_median(scratch, n) : unknown_log_sd;
}

/* sigma holds the cell's own scatter at first. A median's standard error is 1.2533 that of a
 * mean. */
static void weigh(struct nereus_fit_cells *c, double *scratch)
{
    double log_sd[NEREUS_STEP_KIND_COUNT];
    for (size_t k = 0; k < c->count; k++)
        c->cells[k].sigma = own_log_sd(&c->cells[k], scratch);
    for (int kind = 0; kind < NEREUS_STEP_KIND_COUNT; kind++)
        log_sd[kind] = kind_log_sd(c, (enum nereus_step_kind)kind, scratch);
    for (size_t k = 0; k < c->count; k++) {
        struct nereus_fit_cell *cell = &c->cells[k];
        const double usual = log_sd[cell->sample.step];
        const double own = isnan(cell->sigma) ? usual : fmax(cell->sigma, 0.5 * usual);
        cell->sigma = hypot(1.2533 * own / sqrt((double)cell->count), model_floor);
    }
}

enum nereus_status nereus_fit_cells_make(const struct nereus_fit_rows *rows, bool oversubscribed,
                                         struct nereus_fit_cells *cells, struct nereus_error *err)
{
    struct nereus_fit_cells c = {.count = 0};
    size_t *cell_of = malloc((rows->count + 1) * sizeof *cell_of);
    double *scratch = malloc((rows->count + 1) * sizeof *scratch);
    c.cells = malloc((rows->count + 1) * sizeof *c.cells);
    c.times_s = malloc((rows->count + 1) * sizeof *c.times_s);
    const bool room = cell_of != NULL && scratch != NULL && c.cells != NULL && c.times_s != NULL;
    if (room) {
        assign(rows, oversubscribed, &c, cell_of);
        fill_times(rows, cell_of, &c);
        weigh(&c, scratch);
        *cells = c;
    } else {
        nereus_fit_cells_fini(&c);
    }
    free(cell_of);
    free(scratch);
    return room ? NEREUS_OK : nereus_fit_no_memory(rows, err);
}

void nereus_fit_cells_fini(struct nereus_fit_cells *cells)
{
    free(cells->cells);
    free(cells->times_s);
    memset(cells, 0, sizeof *cells);
}

/* Quantile of values in ascending order; beyond the first and last it is theirs. */
static double quantile(const double *ascending, size_t n, double probability)
{
    /* Weibull's plotting position: the kth of n values is the quantile k / (n + 1). GSL's is (k -
     * 1) / (n - 1), too narrow for few. */
    const double place = probability * (double)(n + 1) - 1;
    if (place <= 0)
        return ascending[0];
    if (place >= (double)(n - 1))
        return ascending[n - 1];
    const size_t below = (size_t)place;
    return ascending[below] + (place - (double)below) * (ascending[below + 1] - ascending[below]);
}

/*
 * Half-width of the interval, in logarithms. Few rows do not determine their 5 % quantile, and
 * Student's factor of one degree of freedom would widen 2 to 8: so a usual half-width (prior)
 * counts as further rows. It depends on the time: a preempted process loses some milliseconds,
 * which is a factor of 100 for a step of microseconds and nothing for one of a second.
 */
static double reach(double own, double degrees_of_freedom, bool is_short)
{
    static const double few = 2, known = 4, of_short = 1.8, of_long = 0.35;
    const double usual = is_short ? of_short : of_long;
    const double pooled =
        (degrees_of_freedom * fabs(own) + few * usual) / (degrees_of_freedom + few);
    return pooled * gsl_cdf_tdist_Pinv(0.95, degrees_of_freedom + known) /
           gsl_cdf_ugaussian_Pinv(0.95);
}

void nereus_fit_factors(double *logs, size_t n, size_t terms, double time_s,
                        struct nereus_linear_model *model)
{
    static const double slice_s = 0.01; /* time slice of a scheduler */
    if (n == 0)
        return;
    gsl_sort(logs, 1, n);
    const double degrees_of_freedom = n > terms + 1 ? (double)(n - terms) : 1;
    const double low = fmin(0, quantile(logs, n, 0.05)), high = fmax(0, quantile(logs, n, 0.95));
    model->low_factor = exp(-reach(low, degrees_of_freedom, time_s < slice_s));
    model->high_factor = exp(reach(high, degrees_of_freedom, time_s < slice_s));
}
