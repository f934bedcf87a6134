/** @file sweep_picture.c  Draws a sweep, with a row for each combination. */

#include "predictor/picture/chart.h"
#include "sweep.h"

/* --- turnarounds --- */

/* Print the label of a block of rows, "malleable 0.5, method merge", with the options that have
 * several values and tell it from others. */
static char *format_block(const struct nereus_sweep *sweep, const struct nereus_sweep_block *block,
                          char text[160])
{
    size_t used = 0;
    snprintf(text, 160, "%s", block->count > 1 ? "any combination" : "");
    for (int a = 0; a < block->axis_count; a++) {
        if (sweep->axes[a].count > 1 && used < 160) {
            used += (size_t)snprintf(text + used, 160 - used, "%s%s %s", used > 0 ? ", " : "",
                                     sweep->axes[a].option->name,
                                     nereus_sweep_value(sweep, block->first, a));
        }
    }
    return text;
}

/* Add a block of rows; r: its place. */
static void add_row(struct nereus_panel *panel, const struct nereus_sweep *sweep,
                    const struct nereus_sweep_row *rows, const struct nereus_sweep_block *block,
                    int r)
{
    const struct nereus_sweep_row *row = &rows[block->first];
    const struct nereus_style disc = {.ink = NEREUS_INK_SERIES, .symbol = NEREUS_SYMBOL_DISC};
    char name[160], ratio[24], hint[300];
    const double y = r + 0.5;
    snprintf(ratio, sizeof ratio, "%.3f", row->ratio.value);
    nereus_axis_set_name(&panel->y, format_block(sweep, block, name), ratio);
    if (row->ratio.high > row->ratio.low)
        nereus_panel_add_interval(panel, nereus_box_make(row->ratio.low, y, row->ratio.high, y),
                                  disc);
    snprintf(hint, sizeof hint, "%s: %.4g s, %.4g resizes", name, row->mean.mean_turnaround_s,
             row->resizes);
    nereus_panel_add_point(panel, row->ratio.value, y, disc, hint);
}

/* Append the effects of all options, if there is room: the table on standard output has them. */
static void append_effects(const struct nereus_sweep *sweep, const struct nereus_sweep_row *rows,
                           char *about, size_t size)
{
    char *text = nereus_sweep_effects(sweep, rows, true);
    for (char *c = text; c != NULL && *c != '\0'; c++)
        *c = *c == '\n' ? ' ' : *c;
    if (text != NULL && strlen(about) + 1 + strlen(text) < size)
        nereus_append(about, size, " %s", text);
    free(text);
}

static enum nereus_status draw_ratios(const struct nereus_sweep *sweep,
                                      const struct nereus_sweep_row *rows, int count,
                                      const struct nereus_picture_settings *settings,
                                      struct nereus_error *err)
{
    struct nereus_chart chart;
    struct nereus_sweep_block block;
    nereus_chart_init(&chart, 1);
    struct nereus_panel *panel = &chart.panels[0];
    snprintf(chart.title, sizeof chart.title, "Mean turnaround, against the first row");
    snprintf(chart.description, sizeof chart.description,
             "Ratio to the first row with the same seed: geometric mean over %d seed%s. Below 1 "
             "jobs are done earlier.",
             nereus_sweep_seeds(sweep), nereus_plural_s(nereus_sweep_seeds(sweep)));
    if (count == nereus_sweep_rows(sweep))
        append_effects(sweep, rows, chart.description, sizeof chart.description);
    nereus_axis_init(&panel->x, NEREUS_SCALE_LINEAR, "turnaround / that of the first row");
    nereus_axis_init(&panel->y, NEREUS_SCALE_NAMES, "");
    panel->y.every_name = panel->grid = true;
    nereus_axis_include(&panel->x, 1);
    for (int r = 0, first = 0; first < count; r++, first += block.count) {
        block = nereus_sweep_find_block(sweep, rows, count, first);
        add_row(panel, sweep, rows, &block, r);
    }
    nereus_chart_add_key(&chart, NEREUS_MARK_INTERVAL,
                         (struct nereus_style){.ink = NEREUS_INK_SERIES},
                         "90 % interval over the seeds", NULL);
    return nereus_chart_write(&chart, settings, err);
}

/* --- node-hours, where nodes can fail --- */

enum { PARTS = 7 };
static const char *const part_names[PARTS] = {"useful: computing that was not lost",
                                              "redone: computing that was lost",
                                              "checkpoints",
                                              "restarts: start, and reading a checkpoint",
                                              "resizes",
                                              "held by jobs that did not finish",
                                              "nodes in repair"};

static void compute_part_hours(const struct nereus_sim_summary *mean, double hours[PARTS])
{
    const struct nereus_sim_losses *l = &mean->losses;
    const double all[] = {l->useful_h,
                          l->redone_h,
                          l->checkpoint_h,
                          l->restart_h,
                          mean->reconfiguration_node_hours,
                          l->unfinished_h,
                          l->down_h};
    memcpy(hours, all, sizeof all);
}

static struct nereus_style choose_part_style(int part)
{
    return (struct nereus_style){.ink = NEREUS_INK_SERIES + part};
}

static void add_bar(struct nereus_panel *panel, const struct nereus_sweep *sweep,
                    const struct nereus_sweep_row *rows, const struct nereus_sweep_block *block,
                    int r)
{
    const struct nereus_sweep_row *row = &rows[block->first];
    char name[160], share[24], hint[300];
    double hours[PARTS], x = 0;
    snprintf(share, sizeof share, "%.3f", row->mean.losses.useful_share);
    nereus_axis_set_name(&panel->y, format_block(sweep, block, name), share);
    compute_part_hours(&row->mean, hours);
    for (int p = 0; p < PARTS && row->mean.losses.all_h > 0; p++) {
        const double width = hours[p] / row->mean.losses.all_h;
        snprintf(hint, sizeof hint, "%s: %s: %.4g node-hours", name, part_names[p], hours[p]);
        if (width > 0)
            nereus_panel_add_area(panel, nereus_box_make(x, r + 0.15, x + width, r + 0.85),
                                  choose_part_style(p), NULL, hint);
        x += width;
    }
}

static enum nereus_status draw_hours(const struct nereus_sweep *sweep,
                                     const struct nereus_sweep_row *rows, int count,
                                     const struct nereus_picture_settings *settings,
                                     struct nereus_error *err)
{
    struct nereus_chart chart;
    struct nereus_sweep_block block;
    nereus_chart_init(&chart, 1);
    struct nereus_panel *panel = &chart.panels[0];
    snprintf(chart.title, sizeof chart.title, "Node-hours of a cluster whose nodes fail");
    snprintf(chart.description, sizeof chart.description,
             "Shares of all node-hours until the last job ends: means over %d seed%s. The number "
             "is the useful share; nodes are idle in what is missing to 1.",
             nereus_sweep_seeds(sweep), nereus_plural_s(nereus_sweep_seeds(sweep)));
    nereus_axis_init(&panel->x, NEREUS_SCALE_LINEAR, "share of the node-hours");
    nereus_axis_init(&panel->y, NEREUS_SCALE_NAMES, "");
    panel->y.every_name = panel->grid = true;
    nereus_axis_include(&panel->x, 0);
    nereus_axis_include(&panel->x, 1);
    for (int r = 0, first = 0; first < count; r++, first += block.count) {
        block = nereus_sweep_find_block(sweep, rows, count, first);
        add_bar(panel, sweep, rows, &block, r);
    }
    for (int p = 0; p < PARTS; p++)
        nereus_chart_add_key(&chart, NEREUS_MARK_AREA, choose_part_style(p), part_names[p], NULL);
    return nereus_chart_write(&chart, settings, err);
}

enum nereus_status nereus_sweep_draw(const struct nereus_sweep *sweep,
                                     const struct nereus_sweep_row *rows, int count,
                                     const struct nereus_picture_settings *settings,
                                     struct nereus_error *err)
{
    return nereus_sweep_has_failures(rows, count) ? draw_hours(sweep, rows, count, settings, err)
                                                  : draw_ratios(sweep, rows, count, settings, err);
}
