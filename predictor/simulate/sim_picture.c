/** @file sim_picture.c  Draws bars of jobs over nodes, and the numbers of held and requested nodes
 * over time. */
#include "predictor/picture/chart.h"
#include "report.h"

/* Number of time intervals over which nodes are averaged. */
enum { BINS = 400 };

struct span {
    double from_s, until_s;
};

static struct span find_span(const struct nereus_sim_record *record)
{
    if (record->until_s > record->from_s)
        return (struct span){record->from_s, fmin(record->until_s, record->now_s)};
    return (struct span){record->use_count > 0 ? record->uses[0].time_s : 0, record->now_s};
}

static const struct nereus_style rigid = {.ink = NEREUS_INK_SERIES, .frame = true};
static const struct nereus_style malleable = {.ink = NEREUS_INK_SERIES + 1, .frame = true};
static const struct nereus_style resizing = {
    .ink = NEREUS_INK_SERIES + 1, .hatch = NEREUS_INK_BLACK, .frame = true};

static void add_bar(struct nereus_panel *panel, const struct nereus_sim_bar *bar,
                    const struct nereus_sim_job *job, const struct span *span)
{
    char number[24], hint[160];
    snprintf(number, sizeof number, "%lld", (long long)job->number);
    snprintf(hint, sizeof hint, "job %lld: %d node%s asked for, from %.6g s to %.6g s%s",
             (long long)job->number, job->nodes, nereus_plural_s(job->nodes), bar->begin_s,
             bar->end_s, bar->resizing ? ", in a resize" : "");
    nereus_panel_add_area(panel,
                          nereus_box_make(fmax(bar->begin_s, span->from_s), bar->node,
                                          fmin(bar->end_s, span->until_s), bar->node + bar->count),
                          bar->resizing    ? resizing
                          : job->malleable ? malleable
                                           : rigid,
                          number, hint);
}

static void add_bars(struct nereus_panel *panel, const struct nereus_sim_record *record,
                     const struct nereus_workload *workload, const struct span *span)
{
    for (int64_t i = 0; i < record->bar_count; i++)
        add_bar(panel, &record->bars[i], &workload->jobs[record->bars[i].job], span);
}

/* Add `nodes` from begin to end to the means of the bins. */
static void add_time(double bins[BINS], const struct span *span, double begin_s, double end_s,
                     double nodes)
{
    const double width_s = (span->until_s - span->from_s) / BINS;
    const double from = (fmax(begin_s, span->from_s) - span->from_s) / width_s;
    const double until = (fmin(end_s, span->until_s) - span->from_s) / width_s;
    for (int b = (int)fmin(from, BINS); b < BINS && b < until; b++)
        bins[b] += nodes * (fmin(until, b + 1) - fmax(from, b));
}

static void add_uses(double bins[BINS], const struct nereus_sim_record *record,
                     const struct span *span)
{
    for (int64_t i = 0; i < record->use_count; i++) {
        const double end_s = i + 1 < record->use_count ? record->uses[i + 1].time_s : record->now_s;
        add_time(bins, span, record->uses[i].time_s, end_s, record->uses[i].held);
    }
}

static void add_waits(double bins[BINS], const struct nereus_workload *workload,
                      const struct span *span)
{
    for (int64_t i = 0; i < workload->count; i++) {
        const struct nereus_sim_job *job = &workload->jobs[i];
        add_time(bins, span, job->submit_s, job->start_s >= 0 ? job->start_s : INFINITY,
                 job->nodes);
    }
}

static void add_curve(struct nereus_panel *panel, const double bins[BINS], const struct span *span,
                      struct nereus_style style, bool filled)
{
    const double width_s = (span->until_s - span->from_s) / BINS;
    for (int b = 0; b < BINS; b++) {
        const double begin_s = span->from_s + b * width_s;
        if (filled && bins[b] > 0) {
            nereus_panel_add_area(panel, nereus_box_make(begin_s, 0, begin_s + width_s, bins[b]),
                                  style, NULL, NULL);
        } else if (!filled) {
            nereus_panel_add_segment(
                panel, nereus_box_make(begin_s, bins[b], begin_s + width_s, bins[b]), style);
            if (b + 1 < BINS) {
                nereus_panel_add_segment(
                    panel,
                    nereus_box_make(begin_s + width_s, bins[b], begin_s + width_s, bins[b + 1]),
                    style);
            }
        }
    }
}

static void fill_gantt(struct nereus_chart *chart, const struct nereus_sim_record *record,
                       const struct nereus_workload *workload, const struct span *span)
{
    struct nereus_panel *panel = &chart->panels[0];
    nereus_axis_init(&panel->x, NEREUS_SCALE_LINEAR, "time [s]");
    nereus_axis_init(&panel->y, NEREUS_SCALE_LINEAR, "node");
    panel->y.integers = true;
    nereus_axis_include(&panel->y, 0);
    nereus_axis_include(&panel->y, record->nodes);
    add_bars(panel, record, workload, span);
    nereus_chart_add_key(chart, NEREUS_MARK_AREA, rigid, "rigid job", NULL);
    nereus_chart_add_key(chart, NEREUS_MARK_AREA, malleable, "malleable job", NULL);
    nereus_chart_add_key(chart, NEREUS_MARK_AREA, resizing,
                         workload->survival != NULL ? "a resize or a restart is under way"
                                                    : "a resize is under way",
                         NULL);
}

static void fill_nodes(struct nereus_chart *chart, struct nereus_panel *panel,
                       const struct nereus_sim_record *record,
                       const struct nereus_workload *workload, const struct span *span)
{
    static const struct nereus_style held = {.ink = NEREUS_INK_SERIES + 2};
    static const struct nereus_style waiting = {.ink = NEREUS_INK_TEXT};
    double bins[2][BINS] = {{0}};
    add_uses(bins[0], record, span);
    add_waits(bins[1], workload, span);
    nereus_axis_init(&panel->x, NEREUS_SCALE_LINEAR, "time [s]");
    nereus_axis_init(&panel->y, NEREUS_SCALE_LINEAR, "nodes");
    panel->y.integers = true;
    nereus_axis_include(&panel->y, 0);
    nereus_axis_include(&panel->y, record->nodes);
    panel->height = 160;
    add_curve(panel, bins[0], span, held, true);
    add_curve(panel, bins[1], span, waiting, false);
    nereus_chart_add_key(chart, NEREUS_MARK_AREA, held, "nodes held by jobs", NULL);
    nereus_chart_add_key(chart, NEREUS_MARK_SEGMENT, waiting, "nodes that waiting jobs ask for",
                         NULL);
}

enum nereus_status nereus_sim_record_draw(struct nereus_sim_record *record,
                                          const struct nereus_workload *workload,
                                          const struct nereus_picture_settings *settings,
                                          struct nereus_error *err)
{
    struct nereus_chart chart;
    nereus_sim_record_finish(record);
    const struct span span = find_span(record);
    const bool gantt = record->bar_count <= NEREUS_SIM_BARS_MAX;
    NEREUS_TRY_MEMORY(!record->no_memory, err, "for the picture");
    if (!(span.until_s > span.from_s)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "there is nothing to draw between %g s and %g s: the last job ends at "
                           "%g s",
                           record->from_s, record->until_s, record->now_s);
    }
    nereus_chart_init(&chart, gantt ? 2 : 1);
    chart.stacked = true;
    snprintf(chart.title, sizeof chart.title, "%lld job%s on %d node%s", (long long)workload->count,
             nereus_plural_s(workload->count), record->nodes, nereus_plural_s(record->nodes));
    if (gantt) {
        fill_gantt(&chart, record, workload, &span);
    } else {
        snprintf(chart.note, sizeof chart.note,
                 "Who held which node is left out: it would have %lld bar%s, and at most %d can be "
                 "told apart. Choose a part with --window.",
                 (long long)record->bar_count, nereus_plural_s(record->bar_count),
                 NEREUS_SIM_BARS_MAX);
    }
    fill_nodes(&chart, &chart.panels[gantt ? 1 : 0], record, workload, &span);
    return nereus_chart_write(&chart, settings, err);
}
