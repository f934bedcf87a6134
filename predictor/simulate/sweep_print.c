/** @file sweep_print.c  Prints a sweep as a table, with a row for each combination, and the effect
 * of each option, if all others are unchanged. */

#include "model/util/values.h"
#include "sweep.h"

#define COLUMNS(X)                                                                                 \
    X("seeds", "seeds", NULL, nereus_cell_integer(row->seeds))                                     \
    X("mean_turnaround_s", "turnaround", "s", nereus_cell_real(mean->mean_turnaround_s))           \
    X("turnaround_ratio", "to first", NULL, nereus_cell_real(row->ratio.value))                    \
    X("ratio_low", "low", NULL, nereus_cell_real(nereus_interval_low(&row->ratio)))                \
    X("ratio_high", "high", NULL, nereus_cell_real(nereus_interval_high(&row->ratio)))             \
    X("mean_wait_s", "mean wait", "s", nereus_cell_real(mean->mean_wait_s))                        \
    X("mean_bounded_slowdown", "slowdown", NULL, nereus_cell_real(mean->mean_bounded_slowdown))    \
    X("makespan_s", "makespan", "s", nereus_cell_real(mean->makespan_s))                           \
    X("utilisation", "utilisation", NULL, nereus_cell_real(mean->utilisation))                     \
    X("resizes", "resizes", NULL, nereus_cell_real(row->resizes))                                  \
    X("reconfiguration_node_hours", "in resizes", "node-hours",                                    \
      nereus_cell_real(mean->reconfiguration_node_hours))                                          \
    X("energy_kwh", "energy", "kWh",                                                               \
      nereus_cell_if(!isnan(mean->energy_kwh), nereus_cell_real(mean->energy_kwh)))
/* Further columns that are used where nodes can fail. */
#define LOSS_COLUMNS(X)                                                                            \
    X("failures", "failures", NULL, nereus_cell_real(row->failures))                               \
    X("losses", "of jobs", NULL, nereus_cell_real(row->losses))                                    \
    X("unfinished", "unfinished", NULL, nereus_cell_real(row->unfinished))                         \
    NEREUS_NODE_HOUR_COLUMNS(X)
static const struct nereus_column columns_of_figures[] = {COLUMNS(NEREUS_COLUMN)
                                                              LOSS_COLUMNS(NEREUS_COLUMN)};
enum { COLUMN_COUNT = NEREUS_COUNT_OF(columns_of_figures), LOSSES = 10 };

/* Columns that are left out, in this order, if the text is too wide; the second list only if nodes
 * can fail. */
static const char *const dropped_columns[] = {
    "makespan_s", "mean_bounded_slowdown", "seeds", "utilisation", "resizes", NULL};
static const char *const dropped_loss_columns[] = {"reconfiguration_node_hours",
                                                   "useful_node_hours",
                                                   "failures",
                                                   "mean_wait_s",
                                                   "ratio_low",
                                                   "ratio_high",
                                                   NULL};

bool nereus_sweep_print(const struct nereus_sweep *sweep, const struct nereus_sweep_row *rows,
                        int count, enum nereus_format format, FILE *stream)
{
    struct nereus_column columns[NEREUS_SWEEP_AXES_MAX + COLUMN_COUNT];
    const size_t axes = (size_t)sweep->axis_count;
    struct nereus_table table;
    for (size_t a = 0; a < axes; a++) {
        const char *name = sweep->axes[a].option->name;
        columns[a] = (struct nereus_column){name, name, NULL};
    }
    memcpy(columns + axes, columns_of_figures, sizeof columns_of_figures);
    nereus_table_init(&table, columns,
                      axes + COLUMN_COUNT - (nereus_sweep_has_failures(rows, count) ? 0 : LOSSES));
    struct nereus_sweep_block block = {0, 1, (int)axes};
    for (int r = 0; r < count; r += block.count) {
        if (format == NEREUS_FORMAT_TEXT)
            block = nereus_sweep_find_block(sweep, rows, count, r);
        const struct nereus_sweep_row *row = &rows[r];
        const struct nereus_sim_summary *mean = &row->mean;
        const struct nereus_sim_losses *l = &mean->losses;
        const struct nereus_cell values[COLUMN_COUNT] = {COLUMNS(NEREUS_CELL)
                                                             LOSS_COLUMNS(NEREUS_CELL)};
        struct nereus_cell cells[NEREUS_SWEEP_AXES_MAX + COLUMN_COUNT];
        for (size_t a = 0; a < axes; a++)
            cells[a] = nereus_cell_text((int)a < block.axis_count || sweep->axes[a].count == 1
                                            ? nereus_sweep_value(sweep, r, (int)a)
                                            : "any");
        memcpy(cells + axes, values, sizeof values);
        nereus_table_add(&table, cells);
    }
    if (format == NEREUS_FORMAT_TEXT)
        nereus_table_narrow(&table, dropped_columns);
    if (format == NEREUS_FORMAT_TEXT && nereus_sweep_has_failures(rows, count))
        nereus_table_narrow(&table, dropped_loss_columns);
    return nereus_table_print(&table, format, stream);
}

/* --- effects --- */

/* Least and largest of ratios. */
struct range {
    double min, max;
};

static void include_ratio(struct range *range, double value, double before)
{
    const double ratio = before > 0 ? value / before : value > 0 ? INFINITY : 1;
    range->min = fmin(range->min, ratio);
    range->max = fmax(range->max, ratio);
}

static int compute_stride(const struct nereus_sweep *sweep, int axis)
{
    int stride = 1;
    for (int i = sweep->axis_count - 1; i > axis; i--)
        stride *= sweep->axes[i].count;
    return stride;
}

/* The quantities of a row that are compared. */
enum figure { TURNAROUND, WAIT, SLOWDOWN, MAKESPAN, ENERGY, FIGURES };
static const char *const figure_names[FIGURES] = {"turnaround", "mean wait", "slowdown", "makespan",
                                                  "energy"};

static double get_figure(const struct nereus_sweep_row *row, int figure)
{
    const double figures[FIGURES] = {row->ratio.value, row->mean.mean_wait_s,
                                     row->mean.mean_bounded_slowdown, row->mean.makespan_s,
                                     row->mean.energy_kwh};
    return figures[figure];
}

/* Ratios of a figure with a value of an axis to the figure with the axis's first value. */
static struct range compute_range(const struct nereus_sweep *sweep,
                                  const struct nereus_sweep_row *rows, int figure, int axis,
                                  int value)
{
    struct range range = {INFINITY, -INFINITY};
    const int count = nereus_sweep_rows(sweep), stride = compute_stride(sweep, axis);
    for (int r = 0; r < count; r++)
        if (r / stride % sweep->axes[axis].count == value)
            include_ratio(&range, get_figure(&rows[r], figure),
                          get_figure(&rows[r - value * stride], figure));
    return range;
}

/* "x 0.34 to 0.38"; one number where both are the same. */
static void print_range(const struct range *range, const char *name, FILE *stream)
{
    char min[32], max[32];
    nereus_format_digits(range->min, 3, min);
    nereus_format_digits(range->max, 3, max);
    if (strcmp(min, max) == 0)
        fprintf(stream, "%s x %s", name, min);
    else
        fprintf(stream, "%s x %s to %s", name, min, max);
}

static void print_effect(const struct nereus_sweep *sweep, const struct nereus_sweep_row *rows,
                         int a, int value, int figures, FILE *stream)
{
    const struct nereus_sweep_axis *axis = &sweep->axes[a];
    fprintf(stream, "%s %s instead of %s:", axis->option->name, axis->values[value],
            axis->values[0]);
    for (int figure = 0; figure < figures; figure++) {
        const struct range range = compute_range(sweep, rows, figure, a, value);
        fputs(figure > 0 ? ", " : " ", stream);
        print_range(&range, figure_names[figure], stream);
    }
    fputs(".\n", stream);
}

char *nereus_sweep_effects(const struct nereus_sweep *sweep, const struct nereus_sweep_row *rows,
                           bool turnaround_only)
{
    const int known = isnan(rows[0].mean.energy_kwh) ? ENERGY : FIGURES;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL)
        return NULL;
    for (int a = 0; a < sweep->axis_count; a++)
        for (int value = 1; value < sweep->axes[a].count; value++)
            print_effect(sweep, rows, a, value, turnaround_only ? 1 : known, stream);
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}
