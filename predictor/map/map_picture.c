/**
 * @file map_picture.c
 * Draws a map as a picture: NS from top to bottom, NT from left to right, as in Martín-Álvarez et
 * al. (2024a), figures 8 and 9, and Martín-Álvarez et al. (2023), figures 6 and 9.
 */

#include "map_cells.h"
#include "predictor/picture/axis.h"
#include "predictor/picture/chart.h"
#include "predictor/scenario/scenario.h"

/* Maps with at most CELL_BY_CELL sizes on a side are drawn cell by cell. */
enum { CELL_BY_CELL = 40, CLASSES_MAX = NEREUS_SHADE_COUNT };
/* Up to this number of columns values are written into the cells. */
enum { WRITTEN = 12 };

static const char *const goal_titles[] = {
    [NEREUS_GOAL_APPLICATION] = "For the application: least T_ex",
    [NEREUS_GOAL_SYSTEM] = "For the system: least RT (or CT), then T_ex",
    [NEREUS_GOAL_NODE_HOURS] = "Least node-hours",
    [NEREUS_GOAL_ENERGY] = "Least energy",
    [NEREUS_GOAL_WEIGHTS] = "Least weighted sum",
};
static const char *const value_titles[] = {"Best method", "RT", "alpha", "omega", "T_ex"};

/* Bounds of the classes of a value map: class i is from bounds[i] to bounds[i + 1]. */
struct classes {
    double bounds[CLASSES_MAX + 1];
    int count;
    bool seconds;
};

struct map_picture {
    const struct nereus_map *map;
    struct nereus_map_colours colours;
    struct classes classes;
    struct nereus_chart chart;
};

static bool is_value_shown(const struct nereus_map *map)
{
    return map->cells->value != NEREUS_MAP_BEST;
}

/* ---- classes of values ---- */

static void find_value_range(const struct nereus_map *map, double *min, double *max)
{
    *min = INFINITY;
    *max = -INFINITY;
    for (int64_t i = 0; i < map->ns.count; i++) {
        for (int64_t k = 0; k < map->nt.count; k++) {
            const double value = nereus_map_cell_at(map, i, k, 0)->value;
            if (isfinite(value)) {
                *min = fmin(*min, value);
                *max = fmax(*max, value);
            }
        }
    }
}

/* Set the bounds 1, 2, 5, 10, ... or only decades, from the one below `min` on.
 * @return bounds */
static int set_log_bounds(double min, double max, int of_each, double bounds[CLASSES_MAX + 2])
{
    static const double digits[] = {1, 2, 5};
    int count = 0;
    for (int e = (int)floor(log10(min)); count <= CLASSES_MAX + 1; e++) {
        for (int d = 0; d < of_each && count <= CLASSES_MAX + 1; d++) {
            const double value = digits[d] * pow(10, e);
            count = count == 1 && value <= min * (1 + 1e-9) ? 0 : count; /* a closer one */
            bounds[count++] = value;
            if (value >= max * (1 - 1e-9) && count > 1)
                return count;
        }
    }
    return count;
}

static int set_linear_bounds(double min, double max, double bounds[CLASSES_MAX + 2])
{
    const double rough = fmax((max - min) / 8, fabs(max) * 1e-6 + 1e-12);
    const double step = nereus_axis_round_up_step(rough);
    const double from = step * floor(min / step + 1e-9);
    int count = 0;
    do {
        bounds[count] = from + step * count;
        count++;
    } while ((bounds[count - 1] < max || count < 2) && count <= CLASSES_MAX + 1);
    return count;
}

/* Values are shown in classes with round bounds, on a logarithmic scale where they span more than
 * a factor of 20. */
static void choose_classes(struct map_picture *p)
{
    double min, max, bounds[CLASSES_MAX + 2];
    struct classes *classes = &p->classes;
    find_value_range(p->map, &min, &max);
    classes->seconds =
        p->map->cells->value == NEREUS_MAP_RT || p->map->cells->value == NEREUS_MAP_T_EX;
    if (min > max)
        return;
    int count = CLASSES_MAX + 2;
    if (min > 0 && max / min > 20) {
        count = set_log_bounds(min, max, 3, bounds);
        count = count > CLASSES_MAX + 1 ? set_log_bounds(min, max, 1, bounds) : count;
    }
    if (count > CLASSES_MAX + 1)
        count = set_linear_bounds(min, max, bounds);
    count = count > CLASSES_MAX + 1 ? CLASSES_MAX + 1 : count;
    memcpy(classes->bounds, bounds, (size_t)count * sizeof *bounds);
    classes->count = count - 1;
}

static int find_class(const struct classes *classes, double value)
{
    int i = 0;
    while (i + 1 < classes->count && value >= classes->bounds[i + 1] * (1 - 1e-12))
        i++;
    return i;
}

static char *format_value(bool seconds, double value, char text[32])
{
    if (seconds)
        return nereus_axis_seconds_text(value, text);
    snprintf(text, 32, "%.3g", value);
    return text;
}

/* ---- cells ---- */

static struct nereus_style choose_style(const struct map_picture *p,
                                        const struct nereus_map_cell *cell)
{
    struct nereus_style style = {.ink = NEREUS_INK_EMPTY};
    if (is_value_shown(p->map)) {
        style.ink = isfinite(cell->value)
                        ? nereus_ink_shade(find_class(&p->classes, cell->value), p->classes.count)
                        : NEREUS_INK_EMPTY;
        return style;
    }
    if (cell->method >= 0)
        style.ink = nereus_ink_series(nereus_map_colours_find(&p->colours, cell->method));
    if (cell->tied_method >= 0) {
        style.hatch = nereus_ink_series(nereus_map_colours_find(&p->colours, cell->tied_method));
        /* both methods share the last colour */
        style.hatch = style.hatch == style.ink ? NEREUS_INK_PAGE : style.hatch;
    }
    return style;
}

/* Format the text in a cell: the number of its method in the legend, or its value.
 * @return text, or NULL */
static const char *format_cell(const struct map_picture *p, const struct nereus_map_cell *cell,
                               char text[32])
{
    if (is_value_shown(p->map)) {
        return isfinite(cell->value) && p->map->nt.count <= WRITTEN
                   ? format_value(p->classes.seconds, cell->value, text)
                   : NULL;
    }
    const int number = nereus_map_colours_find(&p->colours, cell->method);
    if (cell->method < 0 || (p->colours.other_count > 0 && number == NEREUS_SERIES_COUNT - 1))
        return NULL;
    snprintf(text, 32, "%d", number + 1);
    return text;
}

enum { HINT_MAX = 320 };

static void format_hint(const struct map_picture *p, int64_t row, int64_t from, int64_t end,
                        int goal, char hint[HINT_MAX])
{
    const struct nereus_map *map = p->map;
    const struct nereus_map_cell *cell = nereus_map_cell_at(map, row, from, goal);
    char method[NEREUS_METHOD_TEXT_MAX], value[32];
    hint[0] = '\0';
    nereus_append(hint, HINT_MAX, "NS %lld, NT %lld", (long long)map->ns.items[row],
                  (long long)map->nt.items[from]);
    if (end - from > 1)
        nereus_append(hint, HINT_MAX, " to %lld", (long long)(map->nt.items[end - 1]));
    nereus_append(hint, HINT_MAX, ": %s",
                  cell->method < 0
                      ? "no method"
                      : nereus_method_format(&map->methods->items[cell->method], method));
    if (cell->tied_method >= 0) {
        nereus_append(hint, HINT_MAX, ", tied with %s",
                      nereus_method_format(&map->methods->items[cell->tied_method], method));
    }
    if (is_value_shown(map) && isfinite(cell->value)) {
        nereus_append(hint, HINT_MAX, " %s %s", value_titles[map->cells->value],
                      format_value(p->classes.seconds, cell->value, value));
    }
    if (cell->measured && end - from == 1)
        nereus_append(hint, HINT_MAX, ", measured");
}

static bool have_same_style(const struct map_picture *p, const struct nereus_map_cell *a,
                            const struct nereus_map_cell *b)
{
    const struct nereus_style sa = choose_style(p, a), sb = choose_style(p, b);
    return sa.ink == sb.ink && sa.hatch == sb.hatch &&
           (is_value_shown(p->map) || (a->method == b->method && a->tied_method == b->tied_method));
}

static bool is_drawn_by_cell(const struct nereus_map *map)
{
    return map->ns.count <= CELL_BY_CELL && map->nt.count <= CELL_BY_CELL;
}

/* Draw one row of a panel: each cell by itself, or in a large map runs of cells that look alike. */
static void add_row(struct map_picture *p, struct nereus_panel *panel, int64_t row, int goal)
{
    const struct nereus_map *map = p->map;
    const bool each = is_drawn_by_cell(map);
    for (int64_t from = 0, end; from < map->nt.count; from = end) {
        const struct nereus_map_cell *cell = nereus_map_cell_at(map, row, from, goal);
        char hint[HINT_MAX], text[32];
        for (end = from + 1; !each && end < map->nt.count &&
                             have_same_style(p, cell, nereus_map_cell_at(map, row, end, goal));)
            end++;
        struct nereus_style style = choose_style(p, cell);
        style.frame = each;
        format_hint(p, row, from, end, goal, hint);
        nereus_panel_add_area(
            panel, nereus_box_make((double)from, (double)row, (double)end, (double)row + 1), style,
            each ? format_cell(p, cell, text) : NULL, hint);
    }
}

/* Draw a dot in the corner of the cell, beside the number of the method; in the middle of small
 * cells. */
static void add_measured(struct map_picture *p, struct nereus_panel *panel, int64_t row, int goal)
{
    const bool each = is_drawn_by_cell(p->map);
    for (int64_t i = 0; i < p->map->nt.count; i++) {
        const struct nereus_map_cell *cell = nereus_map_cell_at(p->map, row, i, goal);
        if (cell->measured) {
            nereus_panel_add_point(
                panel, (double)i + (each ? 0.84 : 0.5), (double)row + (each ? 0.18 : 0.5),
                (struct nereus_style){.ink = NEREUS_INK_BLACK, .small = true}, NULL);
        }
    }
}

static void add_panel(struct map_picture *p, int goal)
{
    const struct nereus_map *map = p->map;
    struct nereus_panel *panel = &p->chart.panels[goal];
    char size[32];
    nereus_axis_init(&panel->x, NEREUS_SCALE_NAMES, "NT, processes after");
    nereus_axis_init(&panel->y, NEREUS_SCALE_NAMES, "NS, processes before");
    panel->same_rows = goal > 0;
    for (int64_t i = 0; i < map->nt.count; i++) {
        snprintf(size, sizeof size, "%lld", (long long)map->nt.items[i]);
        nereus_axis_set_name(&panel->x, size, NULL);
    }
    for (int64_t i = 0; i < map->ns.count; i++) {
        snprintf(size, sizeof size, "%lld", (long long)map->ns.items[i]);
        nereus_axis_set_name(&panel->y, size, NULL);
    }
    /* cells are about square, on a page that is not much higher than wide */
    const double width = map->goal_count > 1 ? 330 : 560;
    const double row = width / (double)map->nt.count;
    panel->row_height =
        fmin(fmax(row, 130.0 / (double)map->ns.count), 600.0 / (double)map->ns.count);
    panel->row_height = fmin(panel->row_height, 44);
    if (!is_value_shown(map))
        snprintf(panel->title, sizeof panel->title, "%s", goal_titles[map->goals[goal]]);
    for (int64_t i = 0; i < map->ns.count; i++) {
        add_row(p, panel, i, goal);
        add_measured(p, panel, i, goal);
    }
}

/* ---- legend and texts ---- */

static void add_method_keys(struct map_picture *p)
{
    char text[128], label[16];
    for (int i = 0; i < p->colours.shown_count; i++) {
        snprintf(label, sizeof label, "%d", i + 1);
        nereus_chart_add_key(
            &p->chart, NEREUS_MARK_AREA, (struct nereus_style){.ink = nereus_ink_series(i)},
            nereus_method_format(&p->map->methods->items[p->colours.shown_methods[i]], text),
            label);
    }
    if (p->colours.other_count > 0) {
        snprintf(text, sizeof text, "%d other method%s", p->colours.other_count,
                 nereus_plural_s(p->colours.other_count));
        nereus_chart_add_key(
            &p->chart, NEREUS_MARK_AREA,
            (struct nereus_style){.ink = nereus_ink_series(NEREUS_SERIES_COUNT - 1)}, text, NULL);
    }
    if (p->colours.ties) {
        nereus_chart_add_key(
            &p->chart, NEREUS_MARK_AREA,
            (struct nereus_style){.ink = NEREUS_INK_EMPTY, .hatch = NEREUS_INK_MUTED},
            "tie: a second method, in the colour of the lines", NULL);
    }
}

static void add_class_keys(struct map_picture *p)
{
    const struct classes *classes = &p->classes;
    for (int i = 0; i < classes->count; i++) {
        char text[80], from[32], to[32];
        snprintf(text, sizeof text, "%s to %s",
                 format_value(classes->seconds, classes->bounds[i], from),
                 format_value(classes->seconds, classes->bounds[i + 1], to));
        nereus_chart_add_key(&p->chart, NEREUS_MARK_AREA,
                             (struct nereus_style){.ink = nereus_ink_shade(i, classes->count)},
                             text, NULL);
    }
}

static void add_other_keys(struct map_picture *p)
{
    bool empty = p->colours.without;
    for (int64_t i = 0; i < p->map->ns.count * p->map->nt.count && is_value_shown(p->map); i++)
        empty = empty || !isfinite(p->map->cells->items[i].value);
    if (empty) {
        nereus_chart_add_key(
            &p->chart, NEREUS_MARK_AREA, (struct nereus_style){.ink = NEREUS_INK_EMPTY},
            is_value_shown(p->map) ? "no such value" : "no method is possible", NULL);
    }
    if (p->colours.measured) {
        nereus_chart_add_key(&p->chart, NEREUS_MARK_POINT,
                             (struct nereus_style){.ink = NEREUS_INK_BLACK, .small = true},
                             "this pair was measured", NULL);
    }
}

static void add_texts(struct map_picture *p, const struct nereus_question *first)
{
    const struct nereus_map *map = p->map;
    struct nereus_chart *chart = &p->chart;
    char method[NEREUS_METHOD_TEXT_MAX], tie[NEREUS_TIE_TEXT_MAX];
    snprintf(chart->title, sizeof chart->title, "%s%s%s by numbers of processes",
             value_titles[map->cells->value], is_value_shown(map) ? " of " : "",
             is_value_shown(map) ? nereus_method_format(&map->methods->items[0], method) : "");
    snprintf(chart->description, sizeof chart->description,
             "Predicted for %s. Above the diagonal the job grows, below it shrinks.",
             map->profile->cluster);
    if (p->colours.ties && !is_value_shown(map)) {
        nereus_append(chart->note, sizeof chart->note, "Tie: ");
        for (int g = 0; g < map->goal_count; g++) {
            nereus_append(chart->note, sizeof chart->note, "%s%s", g > 0 ? "; for the system " : "",
                          nereus_map_tie_text(map, g, tie));
        }
        nereus_append(chart->note, sizeof chart->note, ". ");
    }
    nereus_question_assumed_text(first, chart->note, sizeof chart->note);
}

static void fill_picture(struct map_picture *p, const struct nereus_question *first)
{
    choose_classes(p);
    for (int g = 0; g < p->map->goal_count; g++)
        add_panel(p, g);
    if (is_value_shown(p->map))
        add_class_keys(p);
    else
        add_method_keys(p);
    add_other_keys(p);
    add_texts(p, first);
}

enum nereus_status nereus_map_draw(const struct nereus_map *map,
                                   const struct nereus_question *first,
                                   const struct nereus_picture_settings *settings,
                                   struct nereus_error *err)
{
    struct map_picture p = {.map = map};
    NEREUS_TRY(nereus_map_colours_choose(map, &p.colours, err));
    nereus_chart_init(&p.chart, map->goal_count);
    p.chart.width = map->goal_count > 1 ? 860 : 680;
    fill_picture(&p, first);
    return nereus_chart_write(&p.chart, settings, err);
}
