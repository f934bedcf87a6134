/**
 * @file run_picture.c
 * Draws a modelled run over its iterations, as in Martín et al. (2015), figures 9 and 10: processes
 * by class of nodes, computing power, work, and the parts of an interval's time.
 */

#include "predictor/picture/chart.h"
#include "run_print.h"

/* With more intervals one mark represents several, at the position of the first. */
enum { MARKS_MAX = 300 };

enum part { PART_COMPUTATION, PART_COMMUNICATION, PART_CHANGE, PARTS };

static const char *const part_names[PARTS] = {"computation", "communication", "change"};

static const struct nereus_style part_styles[PARTS] = {{.ink = NEREUS_INK_SERIES + 4},
                                                       {.ink = NEREUS_INK_SERIES + 5},
                                                       {.ink = NEREUS_INK_TEXT}},
                                 line_style = {.ink = NEREUS_INK_SERIES};

static struct nereus_style choose_class_style(int k)
{
    return (struct nereus_style){.ink = NEREUS_INK_SERIES + k % NEREUS_SERIES_COUNT,
                                 .hatch =
                                     k >= NEREUS_SERIES_COUNT ? NEREUS_INK_TEXT : NEREUS_INK_NONE};
}

static void begin_panels(struct nereus_chart *chart)
{
    static const char *const titles[] = {"processes", "power", "work of an interval",
                                         "time of an interval"};
    for (int i = 0; i < 4; i++) {
        struct nereus_panel *panel = &chart->panels[i];
        nereus_axis_init(&panel->x, NEREUS_SCALE_LINEAR, i == 3 ? "iteration" : "");
        nereus_axis_init(&panel->y, NEREUS_SCALE_LINEAR, titles[i]);
        nereus_axis_include(&panel->y, 0);
        panel->grid = true;
        panel->height = i == 0 ? 160 : 100;
    }
    chart->panels[0].y.integers = chart->panels[3].y.seconds = true;
}

/* Stack the values above each other, from x0 to x1. */
static void add_stack(struct nereus_panel *panel, double x0, double x1, const double *values,
                      int count, struct nereus_style (*style)(int))
{
    double from = 0;
    for (int k = 0; k < count; k++) {
        if (values[k] > 0) {
            nereus_panel_add_area(panel, nereus_box_make(x0, from, x1, from + values[k]), style(k),
                                  NULL, NULL);
        }
        from += values[k];
    }
}

static struct nereus_style choose_part_style(int part)
{
    return part_styles[part];
}

static void add_interval(const struct nereus_modelled_question *q, struct nereus_chart *chart,
                         const struct nereus_modelled_interval *interval, double to)
{
    const double from = (double)interval->first;
    const double parts_s[PARTS] = {interval->computation_s, interval->communication_s,
                                   interval->change_s};
    double processes[NEREUS_NODE_CLASSES_MAX];
    for (int k = 0; k < q->policy->class_count; k++)
        processes[k] = (double)interval->allocation.processes[k];
    add_stack(&chart->panels[0], from, to, processes, q->policy->class_count, choose_class_style);
    nereus_panel_add_segment(
        &chart->panels[1], nereus_box_make(from, interval->power, to, interval->power), line_style);
    nereus_panel_add_segment(&chart->panels[2],
                             nereus_box_make(from, interval->work, to, interval->work), line_style);
    add_stack(&chart->panels[3], from, to, parts_s, PARTS, choose_part_style);
}

static void fill_chart(const struct nereus_modelled_question *q,
                       const struct nereus_modelled_run *run, struct nereus_chart *chart)
{
    const int64_t step = (run->count + MARKS_MAX - 1) / MARKS_MAX;
    nereus_chart_init(chart, 4);
    chart->stacked = true;
    snprintf(chart->title, sizeof chart->title, "%.120s under %s", q->application->name,
             nereus_policy_kind_name(q->policy->kind));
    snprintf(chart->description, sizeof chart->description,
             "%.4g s by the model, %.4g s without changes; at most %lld process%s, cost %.4g and "
             "%.4g. Sampling intervals of %lld iteration%s.",
             run->end_s, run->without_s, (long long)run->max_processes,
             nereus_plural_es(run->max_processes), run->cost, run->without_cost,
             (long long)q->policy->interval_iterations,
             nereus_plural_s(q->policy->interval_iterations));
    begin_panels(chart);
    for (int64_t i = 0; i < run->count; i += step) {
        const bool last = i + step >= run->count;
        const struct nereus_modelled_interval *end = &run->intervals[run->count - 1];
        add_interval(q, chart, &run->intervals[i],
                     last ? (double)(end->first + end->iterations)
                          : (double)run->intervals[i + step].first);
    }
    for (int k = 0; k < q->policy->class_count; k++)
        nereus_chart_add_key(chart, NEREUS_MARK_AREA, choose_class_style(k),
                             q->policy->classes[k].name, NULL);
    for (int part = 0; part < PARTS; part++)
        nereus_chart_add_key(chart, NEREUS_MARK_AREA, part_styles[part], part_names[part], NULL);
}

enum nereus_status nereus_modelled_run_draw(const struct nereus_modelled_question *question,
                                            const struct nereus_modelled_run *run,
                                            const struct nereus_picture_settings *settings,
                                            struct nereus_error *err)
{
    struct nereus_chart chart;
    fill_chart(question, run, &chart);
    return nereus_chart_write(&chart, settings, err);
}
