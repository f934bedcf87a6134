/** @file sweep_effects.c  Describes the effect of each option of a sweep, if all others are
 * unchanged. */

#include "model/util/values.h"
#include "sweep.h"

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
