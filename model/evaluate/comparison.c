/** @file comparison.c  Collects the measured times of a reconfiguration for its comparison. */
#include "comparison.h"

#include "model/statistics/statistics.h"

static void add_measured(struct nereus_comparison_row *row, double value, int capacity)
{
    if (row->count == capacity || !isfinite(value))
        return;
    row->measured_s[row->count++] = value;
    row->median_s = nereus_median(row->measured_s, row->count);
}

double nereus_comparison_t_ex_s(const struct nereus_comparison *comparison,
                                const struct nereus_live_run *run)
{
    const double overlapped = isnan(run->iterations) ? 0 : run->iterations;
    return nereus_equation_7_s(comparison->iterations_before, comparison->t_iter_ns_s, run->rt_s, 0,
                               comparison->iterations_after, overlapped, comparison->t_iter_nt_s);
}

/* Compute T_ex of all runs again, because the iteration times may have changed. */
void nereus_comparison_recompute_t_ex(struct nereus_comparison *comparison)
{
    struct nereus_comparison_row *t_ex = &comparison->figures[NEREUS_FIGURE_T_EX];
    t_ex->count = 0;
    for (int i = 0; i < comparison->successful_jobs; i++)
        add_measured(t_ex, nereus_comparison_t_ex_s(comparison, &comparison->runs[i]),
                     comparison->repeats);
}

void nereus_comparison_fini(struct nereus_comparison *comparison)
{
    for (int i = 0; comparison->rows != NULL && i < comparison->row_count; i++)
        free(comparison->rows[i].measured_s);
    for (int i = 0; i < NEREUS_FIGURE_COUNT; i++) {
        free(comparison->figures[i].measured_s);
        comparison->figures[i].measured_s = NULL;
    }
    free(comparison->rows);
    free(comparison->runs);
    comparison->rows = NULL;
    comparison->runs = NULL;
}

/* Row of the nth step (from 0) of a kind; NULL: the plan has none. */
static struct nereus_comparison_row *find_step(const struct nereus_comparison *comparison,
                                               enum nereus_step_kind kind, int nth)
{
    for (int i = 0; i < comparison->step_count; i++)
        if (comparison->rows[i].step == kind && nth-- == 0)
            return &comparison->rows[i];
    return NULL;
}

/* Row of a step that is the nth of its kind. */
static struct nereus_comparison_row *find_row(const struct nereus_comparison *comparison,
                                              const struct nereus_trace_event *event, int nth)
{
    const bool same = event->step >= 0 && event->step < comparison->step_count &&
                      comparison->rows[event->step].step == event->step_kind;
    return same ? &comparison->rows[event->step] : find_step(comparison, event->step_kind, nth);
}

static void add_steps(struct nereus_comparison *comparison, const struct nereus_trace *trace,
                      int64_t number)
{
    int seen[NEREUS_STEP_KIND_COUNT] = {0};
    for (int64_t i = 0; i < trace->count; i++) {
        const struct nereus_trace_event *event = &trace->events[i];
        if (event->kind != NEREUS_TRACE_STEP || event->reconfiguration != number)
            continue;
        comparison->oversubscribed = comparison->oversubscribed || event->oversubscribed;
        struct nereus_comparison_row *row = find_row(comparison, event, seen[event->step_kind]++);
        if (row != NULL)
            add_measured(row, event->time_s, comparison->repeats);
    }
}

/* Take the sums of the event: waits, and time outside steps and waits; rows of an earlier run lack
 * them. */
static void add_sums(struct nereus_comparison *comparison, const struct nereus_trace_event *event)
{
    add_measured(comparison->waits, event->waits_s, comparison->repeats);
    add_measured(comparison->trace_gaps, event->not_attributed_s, comparison->repeats);
    add_measured(comparison->rt, event->rt_s, comparison->repeats);
}

/* Set the unattributed time: median RT minus the sum of the medians of the steps, over all runs. */
static void find_unattributed(struct nereus_comparison *comparison)
{
    struct nereus_comparison_row *unattributed = comparison->unattributed;
    if (unattributed == NULL || comparison->is_overlapped)
        return;
    unattributed->median_s = comparison->rt->median_s;
    for (int i = 0; i < comparison->step_count; i++)
        unattributed->median_s -= comparison->rows[i].median_s; /* NAN: a step was not measured */
}

static void add_run(struct nereus_comparison *comparison, const struct nereus_trace *trace,
                    const struct nereus_trace_event *event)
{
    const struct nereus_trace_event *times = nereus_trace_iterations(trace, event->reconfiguration);
    struct nereus_live_run *run = &comparison->runs[comparison->successful_jobs];
    *run =
        (struct nereus_live_run){.rt_s = event->rt_s,
                                 .iterations = comparison->is_overlapped ? event->iterations : NAN,
                                 .ct_s = NAN,
                                 .t_iter_ns_s = NAN,
                                 .t_iter_nt_s = NAN};
    if (times != NULL) {
        run->t_iter_ns_s = times->t_iter_s;
        run->t_iter_nt_s = times->t_iter_after_s;
        run->ct_s = comparison->is_overlapped ? event->iterations * times->overlapped_s : NAN;
        add_measured(&comparison->figures[NEREUS_FIGURE_OMEGA],
                     comparison->is_overlapped ? times->overlapped_s / times->t_iter_s : NAN,
                     comparison->repeats);
    }
    add_measured(&comparison->figures[NEREUS_FIGURE_IT], run->iterations, comparison->repeats);
    add_measured(&comparison->figures[NEREUS_FIGURE_CT], run->ct_s, comparison->repeats);
}

enum nereus_status nereus_comparison_add(struct nereus_comparison *comparison,
                                         const struct nereus_trace *trace, int64_t number,
                                         struct nereus_error *err)
{
    const struct nereus_trace_event *event = nereus_trace_reconfiguration(trace, number);
    if (event == NULL || event->ns != comparison->ns || event->nt != comparison->nt ||
        !nereus_method_equal(&event->method, &comparison->method)) {
        return nereus_fail(
            err, NEREUS_ERR_MISMATCH,
            "the trace is not of a reconfiguration from %lld to %lld process%s by this method",
            (long long)comparison->ns, (long long)comparison->nt, nereus_plural_es(comparison->nt));
    }
    if (comparison->successful_jobs == comparison->repeats)
        return NEREUS_OK;
    add_steps(comparison, trace, number);
    add_sums(comparison, event);
    find_unattributed(comparison);
    add_run(comparison, trace, event);
    comparison->oversubscribed = comparison->oversubscribed || event->oversubscribed;
    comparison->successful_jobs++;
    nereus_comparison_recompute_t_ex(comparison);
    return NEREUS_OK;
}

double nereus_comparison_row_mean(const struct nereus_comparison_row *row)
{
    double sum = 0;
    for (int i = 0; i < row->count; i++)
        sum += row->measured_s[i];
    return row->count > 0 ? sum / row->count : NAN;
}

double nereus_comparison_row_ratio(const struct nereus_comparison_row *row)
{
    return row->prediction.value > 0 ? row->median_s / row->prediction.value : NAN;
}

bool nereus_comparison_row_is_inside(const struct nereus_comparison_row *row)
{
    return row->median_s >= row->prediction.low && row->median_s <= row->prediction.high;
}
