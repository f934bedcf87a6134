/** @file comparison_picture.c  Draws predicted against measured RT, on logarithmic axes. */

#include "predictor/picture/chart.h"
#include "print.h"

/* Point of a comparison; NAN: it was not measured, or not predicted. */
struct point {
    struct nereus_interval prediction, measurement; /* measured: median, minimum, maximum */
};

static struct point make_point(const struct nereus_comparison *comparison)
{
    const struct nereus_comparison_row *rt = comparison->rt;
    struct point point = {rt->prediction, {rt->median_s, rt->median_s, rt->median_s}};
    for (int i = 0; i < rt->count; i++) {
        point.measurement.low = fmin(point.measurement.low, rt->measured_s[i]);
        point.measurement.high = fmax(point.measurement.high, rt->measured_s[i]);
    }
    return point;
}

static bool can_draw(const struct nereus_comparison *comparison)
{
    const struct point point = make_point(comparison);
    return comparison->successful_jobs > 0 && point.prediction.value > 0 &&
           point.measurement.value > 0;
}

static bool is_first(const struct nereus_comparison *comparisons, int i)
{
    bool first = can_draw(&comparisons[i]);
    for (int k = 0; k < i && first; k++) {
        first = !can_draw(&comparisons[k]) ||
                !nereus_method_equal(&comparisons[k].method, &comparisons[i].method);
    }
    return first;
}

/* Number the methods in the order of their first comparison. */
static int number_method(const struct nereus_comparison *comparisons, int i)
{
    int number = 0;
    for (int k = 0; k <= i; k++) {
        if (is_first(comparisons, k)) {
            if (nereus_method_equal(&comparisons[k].method, &comparisons[i].method))
                return number;
            number++;
        }
    }
    return number;
}

static struct nereus_style choose_style(int number)
{
    return (struct nereus_style){.ink = nereus_ink_series(number),
                                 .symbol = (enum nereus_symbol)(number % NEREUS_SYMBOL_COUNT)};
}

/* Draw the line measured = factor x predicted, within the range of the data. */
static void add_line(struct nereus_panel *panel, double min, double max, double factor, bool dashed)
{
    const double down = fmax(1, 1 / factor), up = fmax(1, factor);
    nereus_panel_add_segment(
        panel, nereus_box_make(min * down, min * down * factor, max / up, max / up * factor),
        (struct nereus_style){.ink = NEREUS_INK_MUTED, .dashed = dashed});
}

/* Give both axes the same range, as the chart is as wide as high. */
static void add_lines(struct nereus_panel *panel, const struct nereus_comparison *comparisons,
                      int count)
{
    double min = INFINITY, max = 0;
    for (int i = 0; i < count; i++) {
        const struct point point = make_point(&comparisons[i]);
        if (can_draw(&comparisons[i])) {
            min = fmin(min, fmin(point.prediction.value, point.measurement.low));
            min = point.prediction.low > 0 ? fmin(min, point.prediction.low) : min;
            max = fmax(max, fmax(point.prediction.high, point.measurement.high));
            max = fmax(max, point.prediction.value);
        }
    }
    if (max > 0) {
        min = pow(10, floor(log10(min / 2))); /* whole decades: the ends of the axes */
        max = pow(10, ceil(log10(max * 2)));
        add_line(panel, min, max, 1, false);
        add_line(panel, min, max, 2, true);
        add_line(panel, min, max, 0.5, true);
    }
}

static void add_point(struct nereus_panel *panel, const struct nereus_comparison *comparison,
                      struct nereus_style style)
{
    char method[NEREUS_METHOD_TEXT_MAX], predicted[32], measured[32], hint[256] = "";
    const struct point point = make_point(comparison);
    const double x = point.prediction.value, y = point.measurement.value;
    nereus_append(hint, sizeof hint, "%lld to %lld by %s: predicted %s, measured %s",
                  (long long)comparison->ns, (long long)comparison->nt,
                  nereus_method_format(&comparison->method, method),
                  nereus_axis_seconds_text(x, predicted), nereus_axis_seconds_text(y, measured));
    if (point.prediction.high > point.prediction.low && point.prediction.low > 0) {
        nereus_panel_add_interval(
            panel, nereus_box_make(point.prediction.low, y, point.prediction.high, y), style);
    }
    if (point.measurement.high > point.measurement.low) {
        nereus_panel_add_interval(
            panel, nereus_box_make(x, point.measurement.low, x, point.measurement.high), style);
    }
    nereus_panel_add_point(panel, x, y, style, hint);
}

static void add_keys(struct nereus_chart *chart, const struct nereus_comparison *comparisons,
                     int count)
{
    int shown = 0;
    for (int i = 0; i < count; i++) {
        char method[NEREUS_METHOD_TEXT_MAX];
        if (is_first(comparisons, i)) {
            nereus_chart_add_key(chart, NEREUS_MARK_POINT, choose_style(shown),
                                 nereus_method_format(&comparisons[i].method, method), NULL);
            shown++;
        }
    }
    nereus_chart_add_key(chart, NEREUS_MARK_INTERVAL, (struct nereus_style){.ink = NEREUS_INK_TEXT},
                         "across: predicted 90 % interval; upwards: range of the repeats", NULL);
    nereus_chart_add_key(chart, NEREUS_MARK_SEGMENT, (struct nereus_style){.ink = NEREUS_INK_MUTED},
                         "measured = predicted", NULL);
    nereus_chart_add_key(chart, NEREUS_MARK_SEGMENT,
                         (struct nereus_style){.ink = NEREUS_INK_MUTED, .dashed = true}, "factor 2",
                         NULL);
}

static void add_texts(struct nereus_chart *chart, const struct nereus_comparison *comparisons,
                      int count, const char *cluster)
{
    int drawn = 0, inside = 0;
    for (int i = 0; i < count; i++) {
        if (can_draw(&comparisons[i])) {
            drawn++;
            inside += nereus_comparison_row_is_inside(comparisons[i].rt) ? 1 : 0;
        }
    }
    nereus_append(chart->title, sizeof chart->title, "RT, predicted and measured");
    nereus_append(
        chart->description, sizeof chart->description,
        "Profile of %s. Points are medians: %d of %d lie in the predicted 90 %% interval.", cluster,
        inside, drawn);
    if (drawn < count) {
        nereus_append(chart->note, sizeof chart->note,
                      "%d of %d reconfiguration%s %s not drawn: not measured, or predicted as 0 s.",
                      count - drawn, count, nereus_plural_s(count),
                      nereus_choose_plural(count - drawn, "is", "are"));
    }
}

enum nereus_status nereus_comparisons_draw(const struct nereus_comparison *comparisons, int count,
                                           const char *cluster,
                                           const struct nereus_picture_settings *settings,
                                           struct nereus_error *err)
{
    struct nereus_chart chart;
    nereus_chart_init(&chart, 1);
    struct nereus_panel *panel = &chart.panels[0];
    nereus_axis_init(&panel->x, NEREUS_SCALE_LOG, "RT, predicted");
    nereus_axis_init(&panel->y, NEREUS_SCALE_LOG, "RT, measured");
    panel->x.seconds = panel->y.seconds = panel->grid = true;
    panel->height = 480;
    chart.width = 620;
    add_lines(panel, comparisons, count);
    for (int i = 0; i < count; i++)
        if (can_draw(&comparisons[i]))
            add_point(panel, &comparisons[i], choose_style(number_method(comparisons, i)));
    add_keys(&chart, comparisons, count);
    add_texts(&chart, comparisons, count, cluster);
    return nereus_chart_write(&chart, settings, err);
}
