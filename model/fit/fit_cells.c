/**
 * @file fit_cells.c
 * Gathers step rows into cells; the fit uses the median of each cell as one observation.
 *
 * Times of a short step are heavy-tailed: mostly tens of microseconds, at times milliseconds, when
 * the scheduler preempts a process. A regression on single rows, relative to each row's own time,
 * gives most weight to the fastest rows. Medians of cells do not depend on the tail, which is kept
 * as quantiles of measured / fitted (fit_factors.c).
 */
#include "fit_cells.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>

#include "model/plan/strategies/strategy.h"
#include "model/price/cost.h"
#include "model/price/cost_restart.h"

/* Relative difference up to which two amounts of data share a cell. */
static const double bytes_tolerance = 0.03;
static const double time_min_s = 1e-9; /* a clock tick: each time must have a logarithm */
/* Least relative error of a cell, also after many measurements: the error of any model. */
static const double model_floor = 0.1;
/* Log-sd of a single row. Only its ratio to model_floor matters: the regression fits the scale. */
static const double row_scatter = 0.3;

/* Bytes of a row; 0: the row has none. */
static double get_bytes(const struct nereus_sample *s)
{
    return isnan(s->bytes) ? 0 : s->bytes;
}

/* Do the sources of both rows behave alike during the spawn? With `single` all but the root sleep,
 * else all of them poll in MPI_Comm_spawn. */
static bool spawns_alike(const struct nereus_sample *a, const struct nereus_sample *b)
{
    return a->step != NEREUS_STEP_SPAWN || nereus_strategy_starts_by_root(a->method.strategy) ==
                                               nereus_strategy_starts_by_root(b->method.strategy);
}

static bool is_same_cell(const struct nereus_sample *a, const struct nereus_sample *b)
{
    return a->step == b->step && a->old_processes == b->old_processes &&
           a->new_processes == b->new_processes && a->ns == b->ns && a->nt == b->nt &&
           a->cores_per_node == b->cores_per_node && a->cores_per_process == b->cores_per_process &&
           a->machine == b->machine && a->method.process == b->method.process &&
           spawns_alike(a, b) && a->method.has_data == b->method.has_data &&
           a->method.data == b->method.data &&
           nereus_nearly_equal(get_bytes(a), get_bytes(b), bytes_tolerance);
}

/* Does a row count as a row with a start? Kinds without the term `starts` do not distinguish: their
 * rows share one cell. */
static bool counts_as_start(const struct nereus_fit_rows *rows, size_t row)
{
    const struct nereus_cost_kind *kind = nereus_cost_kind_of(rows->rows[row]->step);
    bool distinguished = false;
    for (int i = 0; i < kind->term_count; i++)
        distinguished = distinguished || kind->terms[i] == NEREUS_TERM_STARTS;
    return !distinguished || nereus_fit_starts_processes(rows, row);
}

/* Is the row fitted in a cell? Of a restart only the steps are that no other method has: its
 * agreements and commits involve one side only, and cost less than those of others. */
static bool belongs_to_cell(const struct nereus_sample *s)
{
    return s->method.process != NEREUS_RESTART || nereus_restart_has_prior(s->step);
}

/* context: oversubscribed or not (bool). */
static bool repeats_cell(const struct nereus_fit_rows *rows, size_t a, size_t b,
                         const void *context)
{
    const struct nereus_sample *s = rows->rows[b];
    return s->kind == NEREUS_SAMPLE_STEP && s->oversubscribed == *(const bool *)context &&
           !nereus_fit_is_by_operation(s) && belongs_to_cell(s) && is_same_cell(rows->rows[a], s) &&
           counts_as_start(rows, a) == counts_as_start(rows, b);
}

/* Censored times: clocks of several hosts differ by some microseconds, and a trace has 0 for a step
 * that is shorter than that (timeline.c). Dropping these rows would keep only those that the clocks
 * made longer. A censored time counts as half the shortest non-zero time; the median does not
 * depend on this unless most times are censored.
 * @return false: all times are 0 */
static bool fill_censored(double *ascending, size_t n)
{
    size_t censored = 0;
    while (censored < n && ascending[censored] <= 0)
        censored++;
    for (size_t i = 0; censored < n && i < censored; i++)
        ascending[i] = 0.5 * ascending[censored];
    for (size_t i = 0; censored < n && i < n; i++)
        ascending[i] = fmax(ascending[i], time_min_s);
    return censored < n;
}

/* Fill the cell of a first row with the times of all rows that repeat it.
 * @return false: all times are 0 */
static bool fill_cell(const struct nereus_fit_rows *rows, const size_t *first_of, size_t first,
                      double *times_s, struct nereus_fit_cell *cell)
{
    *cell = (struct nereus_fit_cell){
        .sample = *rows->rows[first], .starts = counts_as_start(rows, first), .times_s = times_s};
    cell->count = nereus_fit_collect_values(rows, first_of, first,
                                            offsetof(struct nereus_sample, time_s), times_s);
    gsl_sort(times_s, 1, cell->count);
    const bool any = fill_censored(times_s, cell->count);
    cell->sample.time_s = gsl_stats_median_from_sorted_data(times_s, 1, cell->count);
    /* The standard error of a median is 1.2533 times that of a mean. The scatter of single rows is
     * fitted by the regression. */
    cell->sigma = hypot(1.2533 * row_scatter / sqrt((double)cell->count), model_floor);
    return any;
}

enum nereus_status nereus_fit_cells_make(const struct nereus_fit_rows *rows, bool oversubscribed,
                                         struct nereus_fit_cells *cells, struct nereus_error *err)
{
    struct nereus_fit_cells c = {.cells = malloc((rows->count + 1) * sizeof *c.cells),
                                 .times_s = malloc((rows->count + 1) * sizeof *c.times_s)};
    size_t *first_of = malloc((rows->count + 1) * sizeof *first_of), n = 0;
    const bool allocated = first_of != NULL && c.cells != NULL && c.times_s != NULL;
    if (allocated)
        nereus_fit_group_rows(rows, repeats_cell, &oversubscribed, first_of);
    for (size_t i = 0; allocated && i < rows->count; i++)
        if (first_of[i] == i && fill_cell(rows, first_of, i, c.times_s + n, &c.cells[c.count]))
            n += c.cells[c.count++].count;
    if (allocated)
        *cells = c;
    else
        nereus_fit_cells_fini(&c);
    free(first_of);
    return allocated ? NEREUS_OK : nereus_fit_fail_memory(rows, err);
}

void nereus_fit_cells_fini(struct nereus_fit_cells *cells)
{
    free(cells->cells);
    free(cells->times_s);
    memset(cells, 0, sizeof *cells);
}
