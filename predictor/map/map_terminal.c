/**
 * @file map_terminal.c
 * Prints a map as coloured cells on a terminal, each with the number of its method, so that nothing
 * is encoded by colour alone.
 */
#include <unistd.h>

#include "map_cells.h"
#include "predictor/cli/terminal.h"
#include "predictor/scenario/predictions.h"

enum { ROWS_MAX = 50, LABEL = 8 };

/* The part of the map that is shown: every n-th size. */
struct view {
    const struct nereus_map *map;
    struct nereus_map_colours colours;
    int64_t every_ns, every_nt;
    int width; /* width of a cell: 1 or 2 characters */
    FILE *stream;
};

static int get_rgb(enum nereus_ink ink)
{
    return (int)nereus_ink_rgb(ink, true);
}

static void print_cell(const struct view *view, const struct nereus_map_cell *cell)
{
    if (cell->method < 0) {
        fprintf(view->stream, "%*s", view->width, ".");
        return;
    }
    const int number = nereus_map_colours_find(&view->colours, cell->method);
    const bool other = view->colours.other_count > 0 && number == NEREUS_SERIES_COUNT - 1;
    const enum nereus_ink ink = nereus_ink_series(number);
    nereus_terminal_paint(view->stream, get_rgb(nereus_ink_on(ink)), get_rgb(ink));
    fprintf(view->stream, "%*c", view->width - (cell->tied_method >= 0 && view->width > 1 ? 1 : 0),
            other ? '+' : '1' + number);
    if (cell->tied_method >= 0 && view->width > 1)
        fputc('~', view->stream);
    nereus_terminal_plain(view->stream);
}

/* The first and the last NT that are shown stand at the ends of the cells. */
static void print_scale(const struct view *view)
{
    const struct nereus_map *map = view->map;
    const int64_t shown = (map->nt.count - 1) / view->every_nt + 1;
    char first[32], last[32];
    snprintf(first, sizeof first, "%lld", (long long)map->nt.items[0]);
    snprintf(last, sizeof last, "%lld", (long long)(map->nt.items[(shown - 1) * view->every_nt]));
    const int space = (int)shown * view->width - (int)strlen(first);
    fprintf(view->stream, "%*s  %s %*s\n", LABEL, "NS \\ NT", first, space - 1,
            shown > 1 ? last : "");
}

static void print_goal(const struct view *view, int goal)
{
    const struct nereus_map *map = view->map;
    struct nereus_ranking ranking = map->ranking;
    ranking.goal = map->goals[goal];
    fputs("Best for the ", view->stream);
    nereus_ranking_print(&ranking, view->stream);
    fputc('\n', view->stream);
    print_scale(view);
    for (int64_t i = 0; i < map->ns.count; i += view->every_ns) {
        fprintf(view->stream, "%*lld  ", LABEL, (long long)map->ns.items[i]);
        for (int64_t k = 0; k < map->nt.count; k += view->every_nt)
            print_cell(view, nereus_map_cell_at(map, i, k, goal));
        fputc('\n', view->stream);
    }
    fputc('\n', view->stream);
}

static void print_legend(const struct view *view)
{
    char text[NEREUS_METHOD_TEXT_MAX], tie[NEREUS_TIE_TEXT_MAX];
    for (int i = 0; i < view->colours.shown_count; i++) {
        const enum nereus_ink ink = nereus_ink_series(i);
        nereus_terminal_paint(view->stream, get_rgb(nereus_ink_on(ink)), get_rgb(ink));
        fprintf(view->stream, " %d ", i + 1);
        nereus_terminal_plain(view->stream);
        fprintf(
            view->stream, " %s\n",
            nereus_method_format(&view->map->methods->items[view->colours.shown_methods[i]], text));
    }
    if (view->colours.other_count > 0) {
        fprintf(view->stream, " +  %d other method%s\n", view->colours.other_count,
                nereus_plural_s(view->colours.other_count));
    }
    if (view->colours.without)
        fprintf(view->stream, " .  no method is possible\n");
    for (int g = 0; g < view->map->goal_count && view->colours.ties && view->width > 1; g++) {
        fprintf(view->stream, " ~  %s: another method's %s\n",
                nereus_goal_choices[view->map->goals[g]], nereus_map_tie_text(view->map, g, tie));
    }
    if (view->every_ns > 1 || view->every_nt > 1) {
        fprintf(view->stream, "One of %lld size%s of NS and one of %lld of NT are shown.\n",
                (long long)view->every_ns, nereus_plural_s(view->every_ns),
                (long long)view->every_nt);
    }
}

void nereus_map_print_cells(const struct nereus_map *map, FILE *stream)
{
    struct view view = {.map = map, .stream = stream};
    struct nereus_error err;
    const int64_t space = nereus_terminal_columns(STDOUT_FILENO) - LABEL - 2;
    view.width = 2 * map->nt.count <= space ? 2 : 1;
    view.every_nt = (map->nt.count * view.width + space - 1) / space;
    view.every_ns = (map->ns.count + ROWS_MAX - 1) / ROWS_MAX;
    if (nereus_map_colours_choose(map, &view.colours, &err) != NEREUS_OK) {
        fprintf(stream, "%s\n", err.text);
        return;
    }
    for (int g = 0; g < map->goal_count; g++)
        print_goal(&view, g);
    print_legend(&view);
}
