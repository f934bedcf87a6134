/** @file comparison.c  Predicted and measured times of a reconfiguration. */
#include "comparison.h"
#include "model/util/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/plan/strategies/strategy.h"
#include "model/statistics/statistics.h"
#include "nereus/goal.h"

/* Rows behind the steps. */
enum { ROW_WAITS, ROW_NOT_ATTRIBUTED, EXTRA_ROWS };
/* Unattributed time, only if predicted; in front of RT, which is the last row. */
static const char *const beyond_name = "beyond-the-steps";

static const struct nereus_interval none = {NAN, NAN, NAN};

/* All of a row except the measured values. */
static void describe(struct nereus_compared *row, const char *what, int number,
                     struct nereus_interval predicted, const char *source)
{
    row->what = what;
    row->number = number;
    row->predicted = predicted;
    row->source = source;
}

static void describe_steps(const struct nereus_priced_plan *priced,
                           struct nereus_comparison *comparison)
{
    for (int i = 0; i < priced->plan.step_count; i++) {
        /* Its time is part of another step's prediction: not comparable. */
        const bool contained = priced->prices[i].basis == NEREUS_BASIS_CONTAINED;
        describe(&comparison->rows[i], nereus_step_name(priced->plan.steps[i].kind), i + 1,
                 contained ? none : priced->prices[i].time_s,
                 nereus_step_price_basis(&priced->prices[i]));
    }
}

static void describe_sums(const struct nereus_priced_plan *priced,
                          struct nereus_comparison *comparison)
{
    struct nereus_compared *rows = comparison->rows + priced->plan.step_count;
    describe(&rows[ROW_WAITS], "waits", 0, none, NULL);
    describe(&rows[ROW_NOT_ATTRIBUTED], "not-attributed", 0, none, NULL);
    if (priced->has_beyond) {
        describe(&rows[EXTRA_ROWS], beyond_name, 0,
                 (struct nereus_interval){priced->beyond_s.value, NAN, NAN}, "fitted");
    }
    describe(&comparison->rows[comparison->row_count - 1], "RT", 0, priced->rt_s,
             nereus_source_name(priced->prediction.source));
}

static void describe_figures(const struct nereus_scenario *scenario,
                             const struct nereus_priced_plan *priced,
                             struct nereus_comparison *comparison)
{
    static const char *const names[NEREUS_FIGURE_COUNT] = {"It", "omega", "CT", "T_ex"};
    const struct nereus_prediction *prediction = &priced->prediction;
    const struct nereus_goal_part part = {scenario, prediction};
    const struct nereus_goal_figure t_ex = {.quantity = NEREUS_QUANTITY_T_EX},
                                    rt = {.quantity = NEREUS_QUANTITY_RT};
    const struct nereus_interval wait_s = nereus_goal_interval(&part, 1, &rt);
    const double ct_s = prediction->ct_s;
    const struct nereus_interval predicted[NEREUS_FIGURE_COUNT] = {
        nereus_iterations_interval(scenario, prediction),
        nereus_omega_interval(scenario, prediction),
        /* the time with the application stopped is certain beside that of the iterations */
        {ct_s, fmax(0, ct_s + wait_s.low - wait_s.value), ct_s + wait_s.high - wait_s.value},
        nereus_goal_interval(&part, 1, &t_ex)};
    for (int i = 0; i < NEREUS_FIGURE_COUNT; i++) {
        const bool known = prediction->overlapped || i == NEREUS_FIGURE_T_EX;
        describe(&comparison->figures[i], names[i], 0, known ? predicted[i] : none,
                 known ? nereus_source_name(prediction->source) : NULL);
    }
    comparison->iterations = prediction->overlapped ? prediction->iterations : NAN;
}

static void take(struct nereus_compared *row, double value, int room)
{
    if (row->count == room || !isfinite(value)) {
        return;
    }
    row->measured_s[row->count++] = value;
    nereus_sort(row->measured_s, row->count);
    row->median_s = nereus_quantile(row->measured_s, row->count, 0.5);
}

double nereus_comparison_t_ex_s(const struct nereus_comparison *comparison,
                                const struct nereus_live_run *run)
{
    const double overlapped = isnan(run->iterations) ? 0 : run->iterations;
    return nereus_equation_7_s(comparison->iterations_before, comparison->t_iter_ns_s, run->rt_s, 0,
                               comparison->iterations_after, overlapped, comparison->t_iter_nt_s);
}

/* Of all runs: the iteration times may be others now. */
static void take_t_ex(struct nereus_comparison *comparison)
{
    struct nereus_compared *t_ex = &comparison->figures[NEREUS_FIGURE_T_EX];
    t_ex->count = 0;
    for (int i = 0; i < comparison->done; i++) {
        take(t_ex, nereus_comparison_t_ex_s(comparison, &comparison->runs[i]), comparison->repeats);
    }
}

void nereus_comparison_predict(struct nereus_comparison *comparison,
                               const struct nereus_question *question,
                               const struct nereus_priced_plan *priced)
{
    const struct nereus_scenario *scenario = &question->scenario;
    comparison->predicted = true;
    comparison->prediction = priced->prediction;
    comparison->t_iter_ns_s = scenario->t_iter_ns_s;
    comparison->t_iter_nt_s = scenario->t_iter_nt_s;
    comparison->iterations_before = scenario->iterations_before;
    comparison->iterations_after = scenario->iterations_after;
    describe_steps(priced, comparison);
    describe_sums(priced, comparison);
    describe_figures(scenario, priced, comparison);
    take_t_ex(comparison);
}

/* As the trace has it. */
static struct nereus_method method_of(const struct nereus_question *question,
                                      const struct nereus_priced_plan *priced)
{
    struct nereus_method method = nereus_method_on(&question->machine, &priced->method,
                                                   question->scenario.ns, question->scenario.nt);
    if (!method.has_data) {
        method.has_data = true;
        method.data = NEREUS_COLL;
    }
    return method;
}

static bool make_room(struct nereus_compared *row, int repeats)
{
    row->median_s = NAN;
    row->measured_s = calloc((size_t)repeats, sizeof *row->measured_s);
    return row->measured_s != NULL;
}

enum nereus_status nereus_comparison_init(const struct nereus_question *question,
                                          const struct nereus_priced_plan *priced, int repeats,
                                          struct nereus_comparison *comparison,
                                          struct nereus_error *err)
{
    const struct nereus_scenario *scenario = &question->scenario;
    const int64_t larger = scenario->ns > scenario->nt ? scenario->ns : scenario->nt;
    const struct nereus_method method = method_of(question, priced);
    *comparison = (struct nereus_comparison){
        .ns = scenario->ns,
        .nt = scenario->nt,
        .method = method,
        .is_overlapped = nereus_method_is_overlapped(&method),
        .row_count = priced->plan.step_count + EXTRA_ROWS + (priced->has_beyond ? 2 : 1),
        .step_count = priced->plan.step_count,
        .repeats = repeats,
        .pair_oversubscribed = nereus_machine_oversubscribed(&question->machine, larger),
        .oversubscribed = priced->prediction.oversubscribed};
    comparison->rows = calloc((size_t)comparison->row_count, sizeof *comparison->rows);
    comparison->runs = calloc((size_t)repeats, sizeof *comparison->runs);
    bool complete = comparison->rows != NULL && comparison->runs != NULL;
    for (int i = 0; complete && i < comparison->row_count; i++) {
        complete = make_room(&comparison->rows[i], repeats);
    }
    for (int i = 0; complete && i < NEREUS_FIGURE_COUNT; i++) {
        complete = make_room(&comparison->figures[i], repeats);
    }
    if (!complete) {
        nereus_comparison_fini(comparison);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a comparison of %d rows",
                           comparison->row_count);
    }
    nereus_comparison_predict(comparison, question, priced);
    return NEREUS_OK;
}

void nereus_comparison_fini(struct nereus_comparison *comparison)
{
    for (int i = 0; comparison->rows != NULL && i < comparison->row_count; i++) {
        free(comparison->rows[i].measured_s);
    }
    for (int i = 0; i < NEREUS_FIGURE_COUNT; i++) {
        free(comparison->figures[i].measured_s);
        comparison->figures[i].measured_s = NULL;
    }
    free(comparison->rows);
    free(comparison->runs);
    comparison->rows = NULL;
    comparison->runs = NULL;
}

/* The row of the nth step (from 0) of a kind; NULL: the plan has none. */
static struct nereus_compared *find_step(const struct nereus_comparison *comparison,
                                         enum nereus_step_kind kind, int nth)
{
    for (int i = 0; i < comparison->step_count; i++) {
        if (comparison->rows[i].what == nereus_step_name(kind) && nth-- == 0) {
            return &comparison->rows[i];
        }
    }
    return NULL;
}

/* The row of a step that is the nth of its kind. */
static struct nereus_compared *row_of(const struct nereus_comparison *comparison,
                                      const struct nereus_trace_event *event, int nth)
{
    const bool same = event->step >= 0 && event->step < comparison->step_count &&
                      comparison->rows[event->step].what == nereus_step_name(event->step_kind);
    return same ? &comparison->rows[event->step] : find_step(comparison, event->step_kind, nth);
}

static void take_steps(struct nereus_comparison *comparison, const struct nereus_trace *trace,
                       int64_t number)
{
    int seen[NEREUS_STEP_KIND_COUNT] = {0};
    for (int64_t i = 0; i < trace->count; i++) {
        const struct nereus_trace_event *event = &trace->events[i];
        if (event->kind != NEREUS_TRACE_STEP || event->reconfiguration != number) {
            continue;
        }
        comparison->oversubscribed = comparison->oversubscribed || event->oversubscribed;
        struct nereus_compared *row = row_of(comparison, event, seen[event->step_kind]++);
        if (row != NULL) {
            take(row, event->time_s, comparison->repeats);
        }
    }
}

/* The sums: waits and unattributed time, which rows of an earlier run do not have. */
static void take_sums(struct nereus_comparison *comparison, const struct nereus_trace_event *event)
{
    struct nereus_compared *rows = comparison->rows + comparison->step_count;
    take(&rows[ROW_WAITS], event->waits_s, comparison->repeats);
    take(&rows[ROW_NOT_ATTRIBUTED], event->not_attributed_s, comparison->repeats);
    take(&comparison->rows[comparison->row_count - 1], event->rt_s, comparison->repeats);
}

/* Median RT minus the sum of the medians of the steps, over all runs. */
static void find_beyond(struct nereus_comparison *comparison)
{
    struct nereus_compared *beyond = &comparison->rows[comparison->row_count - 2];
    if (beyond->what != beyond_name || comparison->is_overlapped) {
        return;
    }
    beyond->median_s = nereus_comparison_rt(comparison)->median_s;
    for (int i = 0; i < comparison->step_count; i++) {
        beyond->median_s -= comparison->rows[i].median_s; /* NAN: a step was not measured */
    }
}

static void take_run(struct nereus_comparison *comparison, const struct nereus_trace *trace,
                     const struct nereus_trace_event *event)
{
    const struct nereus_trace_event *times = nereus_trace_iterations(trace, event->reconfiguration);
    struct nereus_live_run *run = &comparison->runs[comparison->done];
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
        take(&comparison->figures[NEREUS_FIGURE_OMEGA],
             comparison->is_overlapped ? times->overlapped_s / times->t_iter_s : NAN,
             comparison->repeats);
    }
    take(&comparison->figures[NEREUS_FIGURE_IT], run->iterations, comparison->repeats);
    take(&comparison->figures[NEREUS_FIGURE_CT], run->ct_s, comparison->repeats);
}

enum nereus_status nereus_comparison_add(struct nereus_comparison *comparison,
                                         const struct nereus_trace *trace, int64_t number,
                                         struct nereus_error *err)
{
    const struct nereus_trace_event *event = nereus_trace_reconfiguration(trace, number);
    if (event == NULL || event->ns != comparison->ns || event->nt != comparison->nt ||
        !nereus_method_equal(&event->method, &comparison->method)) {
        return nereus_fail(err, NEREUS_ERR_MISMATCH,
                           "the trace is not of a reconfiguration from %" PRId64 " to %" PRId64
                           " process%s by this method",
                           comparison->ns, comparison->nt, nereus_plural_es(comparison->nt));
    }
    if (comparison->done == comparison->repeats) {
        return NEREUS_OK;
    }
    take_steps(comparison, trace, number);
    take_sums(comparison, event);
    find_beyond(comparison);
    take_run(comparison, trace, event);
    comparison->oversubscribed = comparison->oversubscribed || event->oversubscribed;
    comparison->iterations_measured += event->iterations;
    comparison->done++;
    take_t_ex(comparison);
    return NEREUS_OK;
}

const struct nereus_compared *nereus_comparison_rt(const struct nereus_comparison *comparison)
{
    return &comparison->rows[comparison->row_count - 1];
}

double nereus_compared_ratio(const struct nereus_compared *row)
{
    return row->predicted.value > 0 ? row->median_s / row->predicted.value : NAN;
}

bool nereus_compared_inside(const struct nereus_compared *row)
{
    return row->median_s >= row->predicted.low && row->median_s <= row->predicted.high;
}

static struct nereus_cell inside_cell(const struct nereus_compared *row)
{
    const bool known = !isnan(row->median_s) && !isnan(nereus_interval_low(&row->predicted));
    return nereus_cell_if(known, nereus_cell_bool(nereus_compared_inside(row)));
}

#define ROW_COLUMNS(X)                                                                             \
    X("ns", "NS", NULL, nereus_cell_integer(comparison->ns))                                       \
    X("nt", "NT", NULL, nereus_cell_integer(comparison->nt))                                       \
    X("method", "method", NULL,                                                                    \
      nereus_cell_text(nereus_method_print(&comparison->method, method)))                          \
    X("number", "#", NULL, nereus_cell_if(row->number > 0, nereus_cell_integer(row->number)))      \
    X("step", "step", NULL, nereus_cell_text(row->what))                                           \
    X("predicted_s", "predicted", "s", nereus_cell_real(row->predicted.value))                     \
    X("predicted_low_s", "low", "s", nereus_cell_real(nereus_interval_low(&row->predicted)))       \
    X("predicted_high_s", "high", "s", nereus_cell_real(nereus_interval_high(&row->predicted)))    \
    X("measured_s", "measured", "s", nereus_cell_real(row->median_s))                              \
    X("measured_least_s", "least", "s",                                                            \
      nereus_cell_real(row->count > 0 ? row->measured_s[0] : NAN))                                 \
    X("measured_most_s", "most", "s",                                                              \
      nereus_cell_real(row->count > 0 ? row->measured_s[row->count - 1] : NAN))                    \
    X("ratio", "ratio", NULL, nereus_cell_real(nereus_compared_ratio(row)))                        \
    X("inside", "inside", NULL, inside_cell(row))                                                  \
    X("source", "source", NULL, nereus_cell_text(row->source))                                     \
    X("oversubscribed", "oversubscribed", NULL, nereus_cell_bool(comparison->oversubscribed))      \
    X("repeats", "repeats", NULL, nereus_cell_integer(row->count))                                 \
    X("held_out", "held out", NULL, nereus_cell_bool(comparison->held_out))

void nereus_comparisons_table(const struct nereus_comparison *comparisons, int count,
                              struct nereus_table *table)
{
    static const struct nereus_column columns[] = {ROW_COLUMNS(NEREUS_COLUMN)};
    char method[NEREUS_METHOD_TEXT_MAX];
    nereus_table_init(table, columns, NEREUS_COUNT_OF(columns));
    for (int c = 0; c < count; c++) {
        const struct nereus_comparison *comparison = &comparisons[c];
        for (int i = 0; i < comparison->row_count; i++) {
            const struct nereus_compared *row = &comparison->rows[i];
            const struct nereus_cell cells[] = {ROW_COLUMNS(NEREUS_CELL)};
            nereus_table_add(table, cells);
        }
    }
}

#define OVERLAP_COLUMNS(X)                                                                         \
    X("ns", "NS", NULL, nereus_cell_integer(comparison->ns))                                       \
    X("nt", "NT", NULL, nereus_cell_integer(comparison->nt))                                       \
    X("method", "method", NULL,                                                                    \
      nereus_cell_text(nereus_method_print(&comparison->method, method)))                          \
    X("t_iter_ns_s", "T_iter before", "s", nereus_cell_real(comparison->t_iter_ns_s))              \
    X("iterations_predicted", "It predicted", NULL, nereus_cell_real(comparison->iterations))      \
    X("iterations_measured", "measured (mean)", NULL,                                              \
      nereus_cell_real(comparison->iterations_measured / comparison->done))                        \
    X("omega_predicted", "omega predicted", NULL, nereus_cell_real(omega->predicted.value))        \
    X("omega_measured", "measured", NULL, nereus_cell_real(omega->median_s))                       \
    X("ct_predicted_s", "CT predicted", "s", nereus_cell_real(ct->predicted.value))                \
    X("ct_measured_s", "measured", "s", nereus_cell_real(ct->median_s))                            \
    X("oversubscribed", "oversubscribed", NULL, nereus_cell_bool(comparison->oversubscribed))      \
    X("repeats", "repeats", NULL, nereus_cell_integer(comparison->done))

void nereus_overlaps_table(const struct nereus_comparison *comparisons, int count,
                           struct nereus_table *table)
{
    static const struct nereus_column columns[] = {OVERLAP_COLUMNS(NEREUS_COLUMN)};
    char method[NEREUS_METHOD_TEXT_MAX];
    nereus_table_init(table, columns, NEREUS_COUNT_OF(columns));
    for (int c = 0; c < count; c++) {
        const struct nereus_comparison *comparison = &comparisons[c];
        const struct nereus_compared *omega = &comparison->figures[NEREUS_FIGURE_OMEGA];
        const struct nereus_compared *ct = &comparison->figures[NEREUS_FIGURE_CT];
        if (comparison->is_overlapped && comparison->done > 0) {
            const struct nereus_cell cells[] = {OVERLAP_COLUMNS(NEREUS_CELL)};
            nereus_table_add(table, cells);
        }
    }
}

#define TEXT_COLUMNS(X)                                                                            \
    X("number", "#", NULL,                                                                         \
      row->number > 0 ? nereus_cell_integer(row->number) : nereus_cell_text(""))                   \
    X("step", "step", NULL, nereus_cell_text(row->what))                                           \
    X("predicted_ms", "predicted", "ms", nereus_cell_real(row->predicted.value * 1e3))             \
    X("interval", "90 % interval", "ms", nereus_cell_interval(&row->predicted, 1e3, interval))     \
    X("measured_ms", "measured", "ms", nereus_cell_real(row->median_s * 1e3))                      \
    X("ratio", "measured/predicted", NULL, nereus_cell_real(nereus_compared_ratio(row)))           \
    X("inside", "inside", NULL, inside_cell(row))                                                  \
    X("source", "prediction from", NULL, nereus_cell_text(row->source))

static bool print_rows(const struct nereus_comparison *comparison, FILE *stream)
{
    static const struct nereus_column columns[] = {TEXT_COLUMNS(NEREUS_COLUMN)};
    struct nereus_table table;
    nereus_table_init(&table, columns, NEREUS_COUNT_OF(columns));
    for (int i = 0; i < comparison->row_count; i++) {
        const struct nereus_compared *row = &comparison->rows[i];
        char interval[48];
        const struct nereus_cell cells[] = {TEXT_COLUMNS(NEREUS_CELL)};
        nereus_table_add(&table, cells);
    }
    return nereus_table_print(&table, NEREUS_FORMAT_TEXT, stream);
}

bool nereus_comparison_print(const struct nereus_comparison *comparison, FILE *stream)
{
    char method[NEREUS_METHOD_TEXT_MAX];
    fprintf(stream, "%s: %" PRId64 " -> %" PRId64 " process%s, median of %d%s\n",
            nereus_method_print(&comparison->method, method), comparison->ns, comparison->nt,
            nereus_plural_es(comparison->nt), comparison->done,
            comparison->oversubscribed ? " (oversubscribed: more processes than cores)" : "");
    if (!isnan(comparison->iterations) && comparison->done > 0) {
        const struct nereus_compared *figures = comparison->figures;
        fprintf(
            stream,
            "It: %.0f overlapped iteration%s predicted, %.3g measured (mean); omega: %.3g, %.3g; CT: "
            "%.4g ms, %.4g ms\n",
            comparison->iterations, nereus_plural_s((int64_t)comparison->iterations),
            comparison->iterations_measured / (double)comparison->done,
            figures[NEREUS_FIGURE_OMEGA].predicted.value, figures[NEREUS_FIGURE_OMEGA].median_s,
            1e3 * figures[NEREUS_FIGURE_CT].predicted.value,
            1e3 * figures[NEREUS_FIGURE_CT].median_s);
    }
    if (comparison->failure[0] != '\0') {
        fprintf(stream, "failed: %s\n", comparison->failure);
    }
    const bool printed = comparison->done == 0 || print_rows(comparison, stream);
    fputc('\n', stream);
    return printed;
}
