/** @file comparison.c  Predicted beside measured. */
#include "comparison.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* After the steps. */
enum { ROW_WAITS, ROW_NOT_ATTRIBUTED, EXTRA_ROWS };
/* Only where it is predicted; in front of RT, which is the last row. */
static const char *const rest_name = "waits+not-attributed";

static const struct nereus_interval none = {NAN, NAN, NAN};

static void describe_steps(const struct nereus_priced_plan *priced, struct nereus_comparison *comparison)
{
    for (int i = 0; i < priced->plan.step_count; i++) {
        /* Its time is in another step's prediction: there is nothing to compare it with. */
        bool contained = priced->prices[i].basis == NEREUS_BASIS_CONTAINED;
        comparison->rows[i] =
            (struct nereus_compared){.what = nereus_step_name(priced->plan.steps[i].kind),
                                     .number = i + 1,
                                     .predicted = contained ? none : priced->prices[i].time_s,
                                     .source = nereus_step_price_basis(&priced->prices[i])};
    }
}

static void describe_sums(const struct nereus_priced_plan *priced, struct nereus_comparison *comparison)
{
    struct nereus_compared *rows = comparison->rows + priced->plan.step_count;
    rows[ROW_WAITS] = (struct nereus_compared){.what = "waits", .predicted = none};
    rows[ROW_NOT_ATTRIBUTED] = (struct nereus_compared){.what = "not-attributed", .predicted = none};
    if (priced->waits) {
        rows[EXTRA_ROWS] =
            (struct nereus_compared){.what = rest_name, .predicted = priced->waits_s, .source = "fitted"};
    }
    comparison->rows[comparison->row_count - 1] = (struct nereus_compared){
        .what = "RT",
        .predicted = priced->predicted ? priced->prediction.rt_s : priced->rt_s,
        .source = priced->predicted ? nereus_source_name(priced->prediction.source) : "modelled"};
}

/* As asked for: what a trace says. */
static struct nereus_method method_of(const struct nereus_priced_plan *priced)
{
    struct nereus_method method = priced->method;
    if (!method.has_data) {
        method.has_data = true;
        method.data = NEREUS_COLL;
    }
    return method;
}

enum nereus_status nereus_comparison_init(const struct nereus_question *question,
                                          const struct nereus_priced_plan *priced, int repeats,
                                          struct nereus_comparison *comparison, struct nereus_error *err)
{
    *comparison = (struct nereus_comparison){
        .ns = question->scenario.ns,
        .nt = question->scenario.nt,
        .method = method_of(priced),
        .iterations = priced->predicted && priced->prediction.beside ? priced->prediction.iterations : NAN,
        .row_count = priced->plan.step_count + EXTRA_ROWS + (priced->waits ? 2 : 1),
        .step_count = priced->plan.step_count,
        .repeats = repeats,
        .oversubscribed = priced->predicted && priced->prediction.oversubscribed};
    comparison->rows = calloc((size_t)comparison->row_count, sizeof *comparison->rows);
    bool complete = comparison->rows != NULL;
    if (complete) {
        describe_steps(priced, comparison);
        describe_sums(priced, comparison);
    }
    for (int i = 0; complete && i < comparison->row_count; i++) {
        comparison->rows[i].median_s = NAN;
        comparison->rows[i].measured_s = calloc((size_t)repeats, sizeof(double));
        complete = comparison->rows[i].measured_s != NULL;
    }
    if (!complete) {
        nereus_comparison_fini(comparison);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a comparison of %d rows",
                           comparison->row_count);
    }
    return NEREUS_OK;
}

void nereus_comparison_fini(struct nereus_comparison *comparison)
{
    for (int i = 0; comparison->rows != NULL && i < comparison->row_count; i++) {
        free(comparison->rows[i].measured_s);
    }
    free(comparison->rows);
    comparison->rows = NULL;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void take(struct nereus_compared *row, double value_s, int room)
{
    if (row->count == room || !isfinite(value_s)) {
        return;
    }
    row->measured_s[row->count++] = value_s;
    qsort(row->measured_s, (size_t)row->count, sizeof(double), compare_doubles);
    int middle = row->count / 2;
    row->median_s = row->count % 2 == 1 ? row->measured_s[middle]
                                        : 0.5 * (row->measured_s[middle - 1] + row->measured_s[middle]);
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

static void take_steps(struct nereus_comparison *comparison, const struct nereus_trace *trace, int64_t number)
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

enum nereus_status nereus_comparison_add(struct nereus_comparison *comparison,
                                         const struct nereus_trace *trace, int64_t number,
                                         struct nereus_error *err)
{
    const struct nereus_trace_event *event = nereus_trace_reconfiguration(trace, number);
    if (event == NULL || event->ns != comparison->ns || event->nt != comparison->nt ||
        !nereus_method_equal(&event->method, &comparison->method)) {
        return nereus_fail(err, NEREUS_ERR_MISMATCH,
                           "the trace is not of a reconfiguration from %" PRId64 " to %" PRId64
                           " processes by this method",
                           comparison->ns, comparison->nt);
    }
    take_steps(comparison, trace, number);
    struct nereus_compared *rows = comparison->rows + comparison->step_count;
    take(&rows[ROW_WAITS], event->waits_s, comparison->repeats);
    take(&rows[ROW_NOT_ATTRIBUTED], event->not_attributed_s, comparison->repeats);
    if (rows[EXTRA_ROWS].what == rest_name) {
        take(&rows[EXTRA_ROWS], event->waits_s + event->not_attributed_s, comparison->repeats);
    }
    take(&comparison->rows[comparison->row_count - 1], event->rt_s, comparison->repeats);
    comparison->oversubscribed = comparison->oversubscribed || event->oversubscribed;
    comparison->iterations_measured += event->iterations;
    comparison->done++;
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

const struct nereus_column nereus_comparison_columns[] = {
    {"ns", "NS", NULL, false},
    {"nt", "NT", NULL, false},
    {"method", "method", NULL, true},
    {"number", "#", NULL, false},
    {"step", "step", NULL, true},
    {"predicted_s", "predicted", "s", false},
    {"predicted_low_s", "low", "s", false},
    {"predicted_high_s", "high", "s", false},
    {"measured_s", "measured", "s", false},
    {"measured_least_s", "least", "s", false},
    {"measured_most_s", "most", "s", false},
    {"ratio", "ratio", NULL, false},
    {"inside", "inside", NULL, true},
    {"source", "source", NULL, true},
    {"oversubscribed", "oversubscribed", NULL, true},
    {"repeats", "repeats", NULL, false},
};
const size_t nereus_comparison_column_count = NEREUS_COUNT_OF(nereus_comparison_columns);

static struct nereus_cell inside_cell(const struct nereus_compared *row)
{
    return isnan(row->median_s) || isnan(row->predicted.value)
               ? nereus_cell_empty()
               : nereus_cell_bool(nereus_compared_inside(row));
}

void nereus_comparison_add_rows(struct nereus_table *table, const struct nereus_comparison *comparison)
{
    char method[NEREUS_METHOD_TEXT_MAX];
    nereus_method_print(&comparison->method, method);
    for (int i = 0; i < comparison->row_count; i++) {
        const struct nereus_compared *row = &comparison->rows[i];
        const struct nereus_cell cells[] = {
            nereus_cell_integer(comparison->ns),
            nereus_cell_integer(comparison->nt),
            nereus_cell_text(method),
            row->number > 0 ? nereus_cell_integer(row->number) : nereus_cell_empty(),
            nereus_cell_text(row->what),
            nereus_cell_real(row->predicted.value),
            nereus_cell_real(row->predicted.low),
            nereus_cell_real(row->predicted.high),
            nereus_cell_real(row->median_s),
            row->count > 0 ? nereus_cell_real(row->measured_s[0]) : nereus_cell_empty(),
            row->count > 0 ? nereus_cell_real(row->measured_s[row->count - 1]) : nereus_cell_empty(),
            nereus_cell_real(nereus_compared_ratio(row)),
            inside_cell(row),
            nereus_cell_text(row->source),
            nereus_cell_bool(comparison->oversubscribed),
            nereus_cell_integer(row->count),
        };
        nereus_table_add(table, cells);
    }
}

static void add_for_people(struct nereus_table *table, const struct nereus_compared *row)
{
    char interval[48];
    snprintf(interval, sizeof interval, "%.3g to %.3g", row->predicted.low * 1e3, row->predicted.high * 1e3);
    const struct nereus_cell cells[] = {
        row->number > 0 ? nereus_cell_integer(row->number) : nereus_cell_text(""),
        nereus_cell_text(row->what),
        nereus_cell_real(row->predicted.value * 1e3),
        isnan(row->predicted.value) ? nereus_cell_empty() : nereus_cell_text(interval),
        nereus_cell_real(row->median_s * 1e3),
        nereus_cell_real(nereus_compared_ratio(row)),
        inside_cell(row),
        nereus_cell_text(row->source),
    };
    nereus_table_add(table, cells);
}

bool nereus_comparison_print(const struct nereus_comparison *comparison, FILE *stream)
{
    static const struct nereus_column columns[] = {
        {"number", "#", NULL, false},
        {"step", "step", NULL, true},
        {"predicted_ms", "predicted", "ms", false},
        {"interval", "90 % interval", "ms", true},
        {"measured_ms", "measured", "ms", false},
        {"ratio", "measured/predicted", NULL, false},
        {"inside", "inside", NULL, true},
        {"source", "prediction from", NULL, true},
    };
    char method[NEREUS_METHOD_TEXT_MAX];
    fprintf(stream, "%s: %" PRId64 " -> %" PRId64 " processes, median of %d%s\n",
            nereus_method_print(&comparison->method, method), comparison->ns, comparison->nt,
            comparison->done,
            comparison->oversubscribed ? " (oversubscribed: more processes than cores)" : "");
    if (!isnan(comparison->iterations) && comparison->done > 0) {
        fprintf(stream, "It: %.0f iterations beside it predicted, %.3g measured (mean)\n",
                comparison->iterations, comparison->iterations_measured / (double)comparison->done);
    }
    if (comparison->failure[0] != '\0') {
        fprintf(stream, "failed: %s\n", comparison->failure);
    }
    struct nereus_table table;
    nereus_table_init(&table, columns, NEREUS_COUNT_OF(columns));
    for (int i = 0; i < comparison->row_count; i++) {
        add_for_people(&table, &comparison->rows[i]);
    }
    bool printed = comparison->done == 0 || nereus_table_print(&table, NEREUS_FORMAT_TEXT, stream);
    nereus_table_fini(&table);
    fputc('\n', stream);
    return printed;
}
