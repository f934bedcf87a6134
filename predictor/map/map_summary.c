/** @file map_summary.c  Prints a map in a line per goal, beside its picture. */

#include "map_cells.h"

/* Largest number of methods that are named; the others are counted. */
enum { NAMED_MAX = 8 };

/* Count the pairs. counts[0]: no method is possible; counts[1 + m]: method m is best. */
static void count_cells(const struct nereus_map *map, int goal, int64_t *counts)
{
    for (int64_t i = 0; i < map->ns.count; i++)
        for (int64_t k = 0; k < map->nt.count; k++)
            counts[1 + nereus_map_cell_at(map, i, k, goal)->method]++;
}

/* Take the most frequent method that was not taken yet; -1: no other is best anywhere. */
static int64_t choose_next(int64_t *counts, int64_t methods)
{
    int64_t best = -1;
    for (int64_t m = 0; m < methods; m++)
        if (counts[1 + m] > 0 && (best < 0 || counts[1 + m] > counts[1 + best]))
            best = m;
    return best;
}

static void print_goal(const struct nereus_map *map, int goal, int64_t *counts, FILE *stream)
{
    char text[NEREUS_METHOD_TEXT_MAX], line[(NAMED_MAX + 3) * 80] = "";
    int64_t left = map->ns.count * map->nt.count - counts[0];
    nereus_append(line, sizeof line, "best for %s:", nereus_goal_choices[map->goals[goal]]);
    for (int64_t named = 0, m; named < NAMED_MAX && left > 0; named++) {
        m = choose_next(counts, map->methods->count);
        nereus_append(line, sizeof line, "%s %s in %lld", named > 0 ? "," : "",
                      nereus_method_format(&map->methods->items[m], text),
                      (long long)(counts[1 + m]));
        left -= counts[1 + m];
        counts[1 + m] = 0;
    }
    if (left > 0)
        nereus_append(line, sizeof line, ", others in %lld", (long long)left);
    if (counts[0] > 0)
        nereus_append(line, sizeof line, ", none is possible in %lld", (long long)counts[0]);
    nereus_print_wrapped(stream, 2, "%s", line);
}

enum nereus_status nereus_map_print_summary(const struct nereus_map *map, FILE *stream,
                                            struct nereus_error *err)
{
    const int64_t pairs = map->ns.count * map->nt.count;
    fprintf(stream, "%lld pair%s of sizes\n", (long long)pairs, nereus_plural_s(pairs));
    for (int g = 0; g < map->goal_count; g++) {
        int64_t *counts = calloc(1 + (size_t)map->methods->count, sizeof *counts);
        NEREUS_TRY_MEMORY(counts, err, "to count the methods of the map");
        count_cells(map, g, counts);
        print_goal(map, g, counts, stream);
        free(counts);
    }
    return NEREUS_OK;
}
