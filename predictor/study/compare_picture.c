/** @file compare_picture.c  Draws the map of the best measured methods. */

#include "compare_print.h"
#include "predictor/picture/chart.h"

/* The colour of each method on the map. Further methods share the last colour, because cells have
 * numbers, too. */
struct colours {
    int of_method[NEREUS_COMPARE_METHODS_MAX]; /* -1: on no cell */
    int count;
    bool ties, empty;
};

/* Give colours to the methods on the map first, then to those that tie there, both in the order of
 * the samples. */
static struct colours choose_colours(const struct nereus_compare *compare,
                                     const struct nereus_best_map *map)
{
    struct colours colours = {.count = 0};
    uint64_t best = 0, chosen = 0;
    for (int64_t i = 0; i < map->rows * map->columns; i++) {
        const struct nereus_best_cell *cell = &map->cells[i];
        best |= cell->best_set;
        chosen |= cell->chosen_method >= 0 ? UINT64_C(1) << cell->chosen_method : 0;
        colours.ties = colours.ties || (cell->best_set & (cell->best_set - 1)) != 0;
        colours.empty = colours.empty || cell->best_set == 0;
    }
    for (int m = 0; m < compare->method_count; m++)
        colours.of_method[m] = (chosen >> m & 1) != 0 ? colours.count++ : -1;
    for (int m = 0; m < compare->method_count; m++)
        if (((best & ~chosen) >> m & 1) != 0)
            colours.of_method[m] = colours.count++;
    return colours;
}

/* @return the tied method whose colour the hatching has; -1: no tie */
static int find_tied_method(const struct nereus_best_cell *cell)
{
    const uint64_t others = cell->best_set & ~(UINT64_C(1) << cell->chosen_method);
    if ((others >> cell->fastest_method & 1) != 0)
        return cell->fastest_method;
    return others == 0 ? -1 : __builtin_ctzll(others);
}

static struct nereus_style choose_style(const struct colours *colours,
                                        const struct nereus_best_cell *cell)
{
    struct nereus_style style = {.ink = nereus_ink_series(colours->of_method[cell->chosen_method])};
    const int second = find_tied_method(cell);
    if (second >= 0) {
        style.hatch = nereus_ink_series(colours->of_method[second]);
        style.hatch = style.hatch == style.ink ? NEREUS_INK_PAGE : style.hatch;
    }
    return style;
}

static void add_cell(const struct nereus_compare *compare, const struct nereus_best_map *map,
                     const struct colours *colours, int64_t row, int64_t column,
                     struct nereus_panel *panel)
{
    const struct nereus_best_cell *cell = &map->cells[row * map->columns + column];
    char hint[600] = "", number[16], method[NEREUS_METHOD_TEXT_MAX];
    struct nereus_style style = {.ink = NEREUS_INK_EMPTY};
    nereus_append(hint, sizeof hint, "NS %lld, NT %lld: ", (long long)map->ns[row],
                  (long long)map->nt[column]);
    if (cell->chosen_method < 0) {
        nereus_append(hint, sizeof hint, "not compared");
        nereus_panel_add_area(
            panel,
            nereus_box_make((double)column, (double)row, (double)column + 1, (double)row + 1),
            style, NULL, hint);
        return;
    }
    nereus_append(hint, sizeof hint, "%s",
                  nereus_method_format(&compare->methods[cell->chosen_method], method));
    bool first = true;
    for (int m = 0; m < compare->method_count; m++) {
        if (m != cell->chosen_method && (cell->best_set >> m & 1) != 0) {
            nereus_append(hint, sizeof hint, "%s%s", first ? ", tied with " : ", ",
                          nereus_method_format(&compare->methods[m], method));
            first = false;
        }
    }
    snprintf(number, sizeof number, "%d", cell->chosen_method + 1);
    style = choose_style(colours, cell);
    nereus_panel_add_area(
        panel, nereus_box_make((double)column, (double)row, (double)column + 1, (double)row + 1),
        style, number, hint);
}

static void add_panel(const struct nereus_compare *compare, const struct nereus_best_map *map,
                      const struct colours *colours, struct nereus_panel *panel)
{
    char size[32];
    nereus_axis_init(&panel->x, NEREUS_SCALE_NAMES, "NT, processes after");
    nereus_axis_init(&panel->y, NEREUS_SCALE_NAMES, "NS, processes before");
    for (int64_t c = 0; c < map->columns; c++) {
        snprintf(size, sizeof size, "%lld", (long long)map->nt[c]);
        nereus_axis_set_name(&panel->x, size, NULL);
    }
    for (int64_t r = 0; r < map->rows; r++) {
        snprintf(size, sizeof size, "%lld", (long long)map->ns[r]);
        nereus_axis_set_name(&panel->y, size, NULL);
    }
    panel->row_height = fmin(44, 600.0 / (double)map->rows);
    for (int64_t r = 0; r < map->rows; r++)
        for (int64_t c = 0; c < map->columns; c++)
            add_cell(compare, map, colours, r, c, panel);
}

static void add_keys(const struct nereus_compare *compare, const struct colours *colours,
                     struct nereus_chart *chart)
{
    char method[NEREUS_METHOD_TEXT_MAX], label[16];
    for (int m = 0; m < compare->method_count; m++) {
        if (colours->of_method[m] >= 0) {
            snprintf(label, sizeof label, "%d", m + 1);
            nereus_chart_add_key(
                chart, NEREUS_MARK_AREA,
                (struct nereus_style){.ink = nereus_ink_series(colours->of_method[m])},
                nereus_method_format(&compare->methods[m], method), label);
        }
    }
    if (colours->ties) {
        nereus_chart_add_key(
            chart, NEREUS_MARK_AREA,
            (struct nereus_style){.ink = NEREUS_INK_EMPTY, .hatch = NEREUS_INK_MUTED},
            "tie: a second method, in the colour of the lines", NULL);
    }
    if (colours->empty) {
        nereus_chart_add_key(chart, NEREUS_MARK_AREA,
                             (struct nereus_style){.ink = NEREUS_INK_EMPTY}, "not compared", NULL);
    }
}

enum nereus_status nereus_compare_draw(const struct nereus_compare *compare,
                                       const struct nereus_best_map *map,
                                       const struct nereus_picture_settings *settings,
                                       struct nereus_error *err)
{
    const struct colours colours = choose_colours(compare, map);
    struct nereus_chart chart;
    nereus_chart_init(&chart, 1);
    chart.width = 680;
    add_panel(compare, map, &colours, &chart.panels[0]);
    add_keys(compare, &colours, &chart);
    snprintf(chart.title, sizeof chart.title,
             "Best measured method by numbers of processes: least %s",
             nereus_compare_value_name(compare->options.value));
    snprintf(chart.description, sizeof chart.description,
             "Measured on %s. Above the diagonal the job grows, below it shrinks.",
             compare->pairs[0].groups[0].first->cluster);
    if (colours.ties) {
        snprintf(chart.note, sizeof chart.note,
                 "Tie: methods that do not differ from that of the least median (Kruskal-Wallis, "
                 "Conover, at %g); resolved %s.",
                 compare->options.significance, nereus_tie_rule_text(compare->options.ties));
    }
    return nereus_chart_write(&chart, settings, err);
}
