/**
 * @file goals_picture.c
 * Draws runs with several goals as in Martín et al. (2015): times by part (figures 8 and 11), the
 * largest number of processes (figure 12), and the cost (figure 13).
 */

#include "goals.h"
#include "predictor/picture/chart.h"

enum part { PART_START, PART_COMPUTATION, PART_COMMUNICATION, PART_CHANGE, PARTS };

static const char *const part_names[PARTS] = {"start", "computation", "communication", "changes"};

static const struct nereus_style part_styles[PARTS] = {{.ink = NEREUS_INK_MUTED},
                                                       {.ink = NEREUS_INK_SERIES},
                                                       {.ink = NEREUS_INK_SERIES + 1},
                                                       {.ink = NEREUS_INK_SERIES + 2}},
                                 goal_style = {.ink = NEREUS_INK_TEXT},
                                 bar_style = {.ink = NEREUS_INK_SERIES + 3};

static void add_time(struct nereus_panel *panel, const struct nereus_modelled_run *run,
                     double start_s, double row)
{
    const double parts_s[PARTS] = {start_s, run->computation_s, run->communication_s,
                                   run->change_s};
    double from_s = 0;
    for (int part = 0; part < PARTS; part++) {
        char hint[96], text[32];
        if (!(parts_s[part] > 0))
            continue;
        snprintf(hint, sizeof hint, "%s: %s", part_names[part],
                 nereus_axis_seconds_text(parts_s[part], text));
        nereus_panel_add_area(panel,
                              nereus_box_make(from_s, row + 0.2, from_s + parts_s[part], row + 0.8),
                              part_styles[part], NULL, hint);
        from_s += parts_s[part];
    }
    if (isfinite(run->goal_s)) {
        nereus_panel_add_segment(
            panel, nereus_box_make(run->goal_s, row + 0.05, run->goal_s, row + 0.95), goal_style);
    }
}

static void add_bar(struct nereus_panel *panel, double value, double row)
{
    char text[32];
    snprintf(text, sizeof text, "%.3g", value);
    nereus_panel_add_area(panel, nereus_box_make(0, row + 0.2, value, row + 0.8), bar_style, text,
                          text);
}

static void begin_panels(struct nereus_chart *chart)
{
    static const char *const titles[] = {"time", "most processes", "cost, without changes = 1"};
    for (int i = 0; i < 3; i++) {
        struct nereus_panel *panel = &chart->panels[i];
        nereus_axis_init(&panel->x, NEREUS_SCALE_LINEAR, titles[i]);
        nereus_axis_init(&panel->y, NEREUS_SCALE_NAMES, "");
        nereus_axis_include(&panel->x, 0);
        panel->grid = true;
        panel->row_height = 24;
        panel->same_rows = i > 0;
    }
    chart->panels[0].x.seconds = chart->panels[1].x.integers = true;
}

static void fill_chart(const struct nereus_goal_runs *runs, struct nereus_chart *chart)
{
    nereus_chart_init(chart, 3);
    snprintf(chart->title, sizeof chart->title, "%.150s: goals of both constraints",
             runs->application->name);
    snprintf(
        chart->description, sizeof chart->description,
        "Times of the model. A line across a bar is the goal. In the rows: percent sooner than "
        "without changes.");
    begin_panels(chart);
    for (int i = 0; i < runs->count; i++) {
        const struct nereus_goal_run *goal_run = &runs->runs[i];
        char name[64];
        snprintf(name, sizeof name, "%s %.4g %%",
                 goal_run->kind == NEREUS_POLICY_FLEX_COST ? "cost" : "efficiency",
                 100 * goal_run->time_goal);
        for (int panel = 0; panel < 3; panel++) {
            nereus_axis_set_name(&chart->panels[panel].y,
                                 goal_run->kind == NEREUS_POLICY_NONE ? "no changes" : name, NULL);
        }
        add_time(&chart->panels[0], &goal_run->run, runs->application->start_s, i);
        add_bar(&chart->panels[1], (double)goal_run->run.max_processes, i);
        if (goal_run->run.without_cost > 0)
            add_bar(&chart->panels[2], goal_run->run.cost / goal_run->run.without_cost, i);
    }
    for (int part = 0; part < PARTS; part++)
        if (part != PART_START || runs->application->start_s > 0)
            nereus_chart_add_key(chart, NEREUS_MARK_AREA, part_styles[part], part_names[part],
                                 NULL);
    nereus_chart_add_key(chart, NEREUS_MARK_SEGMENT, goal_style, "goal", NULL);
}

enum nereus_status nereus_goal_runs_draw(const struct nereus_goal_runs *runs,
                                         const struct nereus_picture_settings *settings,
                                         struct nereus_error *err)
{
    struct nereus_chart chart;
    fill_chart(runs, &chart);
    return nereus_chart_write(&chart, settings, err);
}
