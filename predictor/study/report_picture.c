/**
 * @file report_picture.c
 * Draws results as pictures, for nereus study report: iterations and sizes over time for each job,
 * RT by its parts, and RT as predicted and as measured.
 */

#include "predictor/picture/figures.h"
#include "predictor/plan/plan_print.h"
#include "report.h"

enum {
    MARKS_MAX = 300, /* with more iterations one mark stands for several */
    FIGURES_MAX = NEREUS_REPORT_JOBS_MAX + 2,
    ITERATIONS_HEIGHT = 200,
    SIZES_HEIGHT = 100,
    PARTS_ROW_HEIGHT = 26,
    RT_ROW_HEIGHT = 30
};

/* Positions within a row of height 1: edges of a bar, and the two marks of RT. */
static const double bar_top = 0.15, bar_bottom = 0.85, measured_at = 0.33, predicted_at = 0.67;

static const struct nereus_style iteration_style = {.ink = NEREUS_INK_SERIES, .small = true},
                                 overlapped_style = {.ink = NEREUS_INK_SERIES + 3,
                                                     .symbol = NEREUS_SYMBOL_TRIANGLE},
                                 change_style = {.ink = NEREUS_INK_GRID},
                                 processes_style = {.ink = NEREUS_INK_SERIES},
                                 nodes_style = {.ink = NEREUS_INK_SERIES + 3, .dashed = true};

/* ---- one job over time ---- */

struct job {
    const struct nereus_report *report;
    int number;
};

static void add_changes(struct nereus_panel *panel, const struct nereus_results *run, double max)
{
    for (int64_t i = 0; i < run->change_count; i++) {
        const struct nereus_result_change *change = &run->changes[i];
        char hint[400], seen[32];
        snprintf(hint, sizeof hint, "%lld to %lld by %s: %s, %s as the application sees it",
                 (long long)change->ns, (long long)change->nt, change->method, change->outcome,
                 nereus_axis_seconds_text(change->time_s, seen));
        nereus_panel_add_area(
            panel, nereus_box_make(change->start_s, 0, change->start_s + change->time_s, max),
            change_style, NULL, hint);
    }
}

/* Draw one mark for successive iterations of one group: their mean, and their range. */
static void add_iterations(struct nereus_panel *panel,
                           const struct nereus_result_iteration *iterations, int64_t count)
{
    const struct nereus_result_iteration *first = &iterations[0];
    double min = INFINITY, max = 0, sum = 0;
    for (int64_t i = 0; i < count; i++) {
        min = fmin(min, iterations[i].time_s);
        max = fmax(max, iterations[i].time_s);
        sum += iterations[i].time_s;
    }
    char hint[160], text[32];
    const double x = 0.5 * (first->start_s + iterations[count - 1].start_s);
    if (count > 1)
        nereus_panel_add_segment(panel, nereus_box_make(x, min, x, max), iteration_style);
    snprintf(hint, sizeof hint, "iteration %lld on %lld process%s: %s", (long long)first->iteration,
             (long long)first->processes, nereus_plural_es(first->processes),
             nereus_axis_seconds_text(sum / (double)count, text));
    nereus_panel_add_point(panel, x, sum / (double)count,
                           first->overlapped ? overlapped_style : iteration_style, hint);
}

static void fill_iterations(struct nereus_panel *panel, const struct nereus_results *run)
{
    const int64_t step = (run->iteration_count + MARKS_MAX - 1) / MARKS_MAX;
    double max = 0;
    for (int64_t i = 0; i < run->iteration_count; i++)
        max = fmax(max, run->iterations[i].time_s);
    nereus_axis_init(&panel->x, NEREUS_SCALE_LINEAR, "time since the job began");
    nereus_axis_init(&panel->y, NEREUS_SCALE_LINEAR, "one iteration");
    panel->x.seconds = panel->y.seconds = panel->grid = true;
    panel->height = ITERATIONS_HEIGHT;
    nereus_axis_include(&panel->y, 0);
    add_changes(panel, run, max);
    for (int64_t i = 0; i < run->iteration_count;) {
        const struct nereus_result_iteration *first = &run->iterations[i];
        int64_t count = 1;
        while (count < step && i + count < run->iteration_count &&
               first[count].group == first->group && first[count].overlapped == first->overlapped)
            count++;
        add_iterations(panel, first, count);
        i += count;
    }
}

/* Draw a size from from_s to to_s, and its change to `next` there. */
static void add_step(struct nereus_panel *panel, double from_s, double to_s, const int64_t sizes[2],
                     struct nereus_style style)
{
    const double size = (double)sizes[0], next = (double)sizes[1];
    nereus_panel_add_segment(panel, nereus_box_make(from_s, size, to_s, size), style);
    if (next != size)
        nereus_panel_add_segment(panel, nereus_box_make(to_s, size, to_s, next), style);
}

/* Draw processes and nodes over time, as steps where they change. */
static void fill_sizes(struct nereus_panel *panel, const struct nereus_results *run)
{
    nereus_axis_init(&panel->x, NEREUS_SCALE_LINEAR, "time since the job began");
    nereus_axis_init(&panel->y, NEREUS_SCALE_LINEAR, "");
    panel->x.seconds = panel->y.integers = panel->grid = true;
    panel->height = SIZES_HEIGHT;
    nereus_axis_include(&panel->y, 0);
    const struct nereus_result_iteration *from = run->iterations;
    for (int64_t i = 1; i <= run->iteration_count; i++) {
        const struct nereus_result_iteration *last = &run->iterations[i - 1];
        const bool end = i == run->iteration_count;
        if (!end && last[1].processes == from->processes && last[1].nodes == from->nodes)
            continue;
        nereus_axis_include(&panel->y, (double)from->processes + 0.5); /* below the frame */
        const struct nereus_result_iteration *next = end ? from : last + 1;
        const double to_s = end ? last->start_s + last->time_s : next->start_s;
        add_step(panel, from->start_s, to_s, (const int64_t[]){from->processes, next->processes},
                 processes_style);
        add_step(panel, from->start_s, to_s, (const int64_t[]){from->nodes, next->nodes},
                 nodes_style);
        from = next;
    }
}

static enum nereus_status fill_job(void *user, struct nereus_chart *chart, struct nereus_error *err)
{
    const struct job *job = user;
    const struct nereus_results *run = &job->report->runs[job->number];
    char name[151], path[301];
    (void)err;
    nereus_chart_init(chart, 2);
    chart->stacked = true;
    snprintf(chart->title, sizeof chart->title, "Iterations and sizes of %s",
             nereus_text_copy(run->configuration, name, sizeof name));
    snprintf(chart->description, sizeof chart->description, "%s: %lld iteration%s",
             nereus_text_copy(run->path, path, sizeof path), (long long)run->iteration_count,
             nereus_plural_s(run->iteration_count));
    for (int64_t i = 0; i < run->change_count; i++) {
        const struct nereus_result_change *change = &run->changes[i];
        nereus_append(chart->description, sizeof chart->description, "%s%lld to %lld by %s%s%s",
                      i == 0 ? "; " : ", ", (long long)change->ns, (long long)change->nt,
                      change->method, strcmp(change->outcome, "resized") == 0 ? "" : ": ",
                      strcmp(change->outcome, "resized") == 0 ? "" : change->outcome);
    }
    fill_iterations(&chart->panels[0], run);
    fill_sizes(&chart->panels[1], run);
    nereus_chart_add_key(chart, NEREUS_MARK_POINT, iteration_style, "iteration", NULL);
    nereus_chart_add_key(chart, NEREUS_MARK_POINT, overlapped_style,
                         "overlapped with a reconfiguration", NULL);
    nereus_chart_add_key(chart, NEREUS_MARK_AREA, change_style, "reconfiguration", NULL);
    nereus_chart_add_key(chart, NEREUS_MARK_SEGMENT, processes_style, "processes", NULL);
    nereus_chart_add_key(chart, NEREUS_MARK_SEGMENT, nodes_style, "nodes", NULL);
    return NEREUS_OK;
}

/* ---- RT by its parts ---- */

static int64_t count_rows(const struct nereus_report *report)
{
    return report->cell_count < NEREUS_REPORT_ROWS_MAX ? report->cell_count
                                                       : NEREUS_REPORT_ROWS_MAX;
}

static void note_rows(const struct nereus_report *report, struct nereus_chart *chart)
{
    if (report->cell_count > count_rows(report)) {
        nereus_append(chart->note, sizeof chart->note,
                      "The first %lld of %lld kind%s of changes are drawn. ",
                      (long long)count_rows(report), (long long)report->cell_count,
                      nereus_plural_s(report->cell_count));
    }
}

static struct nereus_style choose_part_style(int part)
{
    if (part < NEREUS_STEP_KIND_COUNT) {
        return (struct nereus_style){.ink = nereus_step_ink((enum nereus_step_kind)part),
                                     .frame = true};
    }
    return (struct nereus_style){.ink = NEREUS_INK_EMPTY,
                                 .hatch = part == NEREUS_PART_WAITS ? NEREUS_INK_MUTED
                                                                    : NEREUS_INK_TEXT};
}

static const char *get_part_name(int part)
{
    return part == NEREUS_PART_WAITS   ? "waits"
           : part == NEREUS_PART_OTHER ? "not attributed"
                                       : nereus_step_name((enum nereus_step_kind)part);
}

static void add_parts(struct nereus_panel *panel, const struct nereus_report_cell *cell, double row)
{
    double from_s = 0;
    for (int part = 0; part < NEREUS_PART_COUNT; part++) {
        const double time_s = cell->parts_s[part];
        if (time_s > 0) {
            char hint[96], text[32];
            snprintf(hint, sizeof hint, "%s: %s", get_part_name(part),
                     nereus_axis_seconds_text(time_s, text));
            nereus_panel_add_area(
                panel, nereus_box_make(from_s, row + bar_top, from_s + time_s, row + bar_bottom),
                choose_part_style(part), get_part_name(part), hint);
            from_s += time_s;
        }
    }
}

/* Add a key for each colour, with the kinds of steps that have it. */
static void add_part_keys(struct nereus_chart *chart, const struct nereus_report *report)
{
    bool used[NEREUS_PART_COUNT] = {false};
    for (int64_t i = 0; i < count_rows(report); i++)
        for (int part = 0; part < NEREUS_PART_COUNT; part++)
            used[part] = used[part] || report->cells[i].parts_s[part] > 0;
    for (int part = 0; part < NEREUS_PART_COUNT; part++) {
        const struct nereus_style style = choose_part_style(part);
        char names[128] = "";
        for (int other = part; other < NEREUS_PART_COUNT && used[part]; other++) {
            const struct nereus_style same = choose_part_style(other);
            if (used[other] && same.ink == style.ink && same.hatch == style.hatch) {
                nereus_append(names, sizeof names, "%s%s", names[0] == '\0' ? "" : ", ",
                              get_part_name(other));
                used[other] = other == part;
            }
        }
        if (names[0] != '\0')
            nereus_chart_add_key(chart, NEREUS_MARK_AREA, style, names, NULL);
    }
}

static enum nereus_status fill_parts(void *user, struct nereus_chart *chart,
                                     struct nereus_error *err)
{
    const struct nereus_report *report = user;
    (void)err;
    nereus_chart_init(chart, 1);
    struct nereus_panel *panel = &chart->panels[0];
    nereus_axis_init(&panel->x, NEREUS_SCALE_LINEAR, "RT, mean of the runs");
    nereus_axis_init(&panel->y, NEREUS_SCALE_NAMES, "");
    panel->x.seconds = panel->grid = true;
    panel->row_height = PARTS_ROW_HEIGHT;
    nereus_axis_include(&panel->x, 0);
    for (int64_t i = 0; i < count_rows(report); i++) {
        char label[128];
        nereus_axis_set_name(&panel->y, nereus_report_label(&report->cells[i], label, sizeof label),
                             NULL);
        add_parts(panel, &report->cells[i], (double)i);
    }
    snprintf(chart->title, sizeof chart->title, "RT by step");
    snprintf(chart->description, sizeof chart->description,
             "Time of each step on the critical path. Waits are for the last process to arrive.");
    add_part_keys(chart, report);
    note_rows(report, chart);
    return NEREUS_OK;
}

/* ---- RT, predicted and measured ---- */

static const struct nereus_style measured_style = {.ink = NEREUS_INK_SERIES},
                                 predicted_style = {.ink = NEREUS_INK_SERIES + 3,
                                                    .symbol = NEREUS_SYMBOL_DIAMOND};

static void add_rt(struct nereus_panel *panel, const struct nereus_report_cell *cell, double row)
{
    char hint[96], text[32];
    const double median_s = nereus_report_median_s(cell);
    snprintf(hint, sizeof hint, "measured %s, %d run%s", nereus_axis_seconds_text(median_s, text),
             cell->count, nereus_plural_s(cell->count));
    if (cell->count > 1) {
        nereus_panel_add_interval(panel,
                                  nereus_box_make(cell->rt_s[0], row + measured_at,
                                                  cell->rt_s[cell->count - 1], row + measured_at),
                                  measured_style);
    }
    nereus_panel_add_point(panel, median_s, row + measured_at, measured_style, hint);
    if (!cell->predicted || !(cell->predicted_s.value > 0))
        return;
    if (cell->predicted_s.low > 0 && cell->predicted_s.high > cell->predicted_s.low) {
        nereus_panel_add_interval(panel,
                                  nereus_box_make(cell->predicted_s.low, row + predicted_at,
                                                  cell->predicted_s.high, row + predicted_at),
                                  predicted_style);
    }
    snprintf(hint, sizeof hint, "predicted %s",
             nereus_axis_seconds_text(cell->predicted_s.value, text));
    nereus_panel_add_point(panel, cell->predicted_s.value, row + predicted_at, predicted_style,
                           hint);
}

static void note_predictions(const struct nereus_report *report, struct nereus_chart *chart)
{
    int64_t predicted = 0;
    for (int64_t i = 0; i < report->cell_count; i++)
        predicted += report->cells[i].predicted ? 1 : 0;
    if (report->cluster[0] == '\0') {
        snprintf(chart->description, sizeof chart->description,
                 "Median and range of the runs. Nothing is predicted: there is no profile.");
        return;
    }
    snprintf(chart->description, sizeof chart->description,
             "Measured: median and range of the runs. Predicted with the profile of %s: 90 %% "
             "interval of a run.",
             report->cluster);
    if (predicted < report->cell_count) {
        nereus_append(chart->note, sizeof chart->note,
                      "%lld of %lld kind%s of changes have no prediction. ",
                      (long long)(report->cell_count - predicted), (long long)report->cell_count,
                      nereus_plural_s(report->cell_count));
    }
}

/* Do the RTs need a logarithmic axis? */
static bool is_wide(const struct nereus_report *report)
{
    double min = INFINITY, max = 0;
    for (int64_t i = 0; i < count_rows(report); i++) {
        min = fmin(min, nereus_report_median_s(&report->cells[i]));
        max = fmax(max, nereus_report_median_s(&report->cells[i]));
    }
    return max > 20 * min;
}

static enum nereus_status fill_rt(void *user, struct nereus_chart *chart, struct nereus_error *err)
{
    const struct nereus_report *report = user;
    (void)err;
    nereus_chart_init(chart, 1);
    struct nereus_panel *panel = &chart->panels[0];
    nereus_axis_init(&panel->x, is_wide(report) ? NEREUS_SCALE_LOG : NEREUS_SCALE_LINEAR, "RT");
    nereus_axis_init(&panel->y, NEREUS_SCALE_NAMES, "");
    panel->x.seconds = panel->grid = true;
    panel->row_height = RT_ROW_HEIGHT;
    nereus_axis_include(&panel->x, 0); /* no effect on a logarithmic axis */
    for (int64_t i = 0; i < count_rows(report); i++) {
        char label[128];
        nereus_axis_set_name(&panel->y, nereus_report_label(&report->cells[i], label, sizeof label),
                             NULL);
        add_rt(panel, &report->cells[i], (double)i);
    }
    snprintf(chart->title, sizeof chart->title, "RT, predicted and measured");
    note_predictions(report, chart);
    note_rows(report, chart);
    nereus_chart_add_key(chart, NEREUS_MARK_POINT, measured_style, "measured", NULL);
    if (report->cluster[0] != '\0')
        nereus_chart_add_key(chart, NEREUS_MARK_POINT, predicted_style, "predicted", NULL);
    return NEREUS_OK;
}

struct figures {
    struct nereus_figure items[FIGURES_MAX];
    int count;
};

static enum nereus_status add_figure(struct figures *figures, const char *name,
                                     nereus_figure_fill *fill, const void *user,
                                     struct nereus_error *err)
{
    NEREUS_TRY(nereus_figure_draw(name, fill, (void *)(uintptr_t)user,
                                  &figures->items[figures->count], err));
    figures->count++;
    return NEREUS_OK;
}

static enum nereus_status add_all(const struct nereus_report *report, struct figures *figures,
                                  struct nereus_error *err)
{
    if (report->cell_count > 0) {
        NEREUS_TRY(add_figure(figures, "rt", fill_rt, report, err));
        NEREUS_TRY(add_figure(figures, "steps", fill_parts, report, err));
    }
    for (int i = 0; i < report->run_count && i < NEREUS_REPORT_JOBS_MAX; i++) {
        char name[32];
        const struct job job = {report, i};
        snprintf(name, sizeof name, "job-%d", i + 1);
        if (report->runs[i].iteration_count > 0)
            NEREUS_TRY(add_figure(figures, name, fill_job, &job, err));
    }
    return NEREUS_OK;
}

enum nereus_status nereus_report_draw(const struct nereus_report *report,
                                      const struct nereus_picture_settings *settings,
                                      struct nereus_error *err)
{
    struct figures figures = {.count = 0};
    enum nereus_status status = add_all(report, &figures, err);
    if (status == NEREUS_OK) {
        status =
            nereus_figures_write(settings, figures.items, figures.count, "Results of Nereus", err);
    }
    for (int i = 0; i < figures.count; i++)
        nereus_figure_fini(&figures.items[i]);
    return status;
}
