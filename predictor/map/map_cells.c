/** @file map_cells.c  Keeps the choices of a whole map, and chooses the colours of its methods. */
#include "map_cells.h"

const char *const nereus_map_value_choices[] = {"rt", "alpha", "omega", "t_ex", NULL};

static int64_t count_cells(const struct nereus_map *map)
{
    return map->ns.count * map->nt.count * map->goal_count;
}

enum nereus_status nereus_map_cells_init(const struct nereus_map *map,
                                         struct nereus_map_cells *cells, struct nereus_error *err)
{
    const int64_t max = map->ns.count > map->nt.count ? map->ns.count : map->nt.count;
    if (max > NEREUS_MAP_SIDE_MAX) {
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "a picture has at most %d sizes on a side, not %lld: take fewer, such as every 10th "
            "(1:4000:10)",
            NEREUS_MAP_SIDE_MAX, (long long)max);
    }
    cells->items = calloc((size_t)count_cells(map), sizeof *cells->items);
    NEREUS_TRY_MEMORY(cells->items, err, "for a map of %lld cells", (long long)count_cells(map));
    return NEREUS_OK;
}

void nereus_map_cells_fini(struct nereus_map_cells *cells)
{
    free(cells->items);
    cells->items = NULL;
}

struct nereus_map_cell *nereus_map_cell_at(const struct nereus_map *map, int64_t ns_index,
                                           int64_t nt_index, int goal)
{
    return &map->cells->items[(ns_index * map->nt.count + nt_index) * map->goal_count + goal];
}

static int16_t find_method(const struct nereus_map *map, const struct nereus_method *method)
{
    for (int i = 0; method != NULL && i < map->methods->count && i < INT16_MAX; i++)
        if (nereus_method_equal(&map->methods->items[i], method))
            return (int16_t)i;
    return -1;
}

static double get_value(enum nereus_map_value value, const struct nereus_prediction *p)
{
    switch (value) {
    case NEREUS_MAP_RT:
        return p->rt_s.value;
    case NEREUS_MAP_ALPHA:
        return p->overlapped ? p->alpha : NAN;
    case NEREUS_MAP_OMEGA:
        return p->overlapped ? p->omega : NAN;
    case NEREUS_MAP_T_EX:
        return p->t_ex_s;
    case NEREUS_MAP_BEST:
        break;
    }
    return NAN;
}

void nereus_map_cells_store(const struct nereus_map *map, int64_t row,
                            const struct nereus_map_choice *choices)
{
    for (int64_t i = 0; map->cells != NULL && i < map->nt.count; i++) {
        for (int g = 0; g < map->goal_count; g++) {
            const struct nereus_prediction *p = choices[i].best_predictions[g];
            *nereus_map_cell_at(map, row, i, g) = (struct nereus_map_cell){
                .method = p != NULL ? find_method(map, &p->method) : -1,
                .tied_method =
                    choices[i].ties[g] > 0 ? find_method(map, &choices[i].tied_methods[g]) : -1,
                .measured = p != NULL && p->source == NEREUS_MEASURED,
                .value = p != NULL ? get_value(map->cells->value, p) : NAN};
        }
    }
}

/* Count how often each method is chosen; a tie counts where methods are chosen equally often. */
static void count_methods(const struct nereus_map *map, struct nereus_map_colours *colours,
                          int64_t *counts)
{
    const int64_t cells = count_cells(map);
    for (int64_t i = 0; i < cells; i++) {
        const struct nereus_map_cell *cell = &map->cells->items[i];
        colours->without = colours->without || cell->method < 0;
        colours->measured = colours->measured || cell->measured;
        colours->ties = colours->ties || cell->tied_method >= 0;
        if (cell->method >= 0)
            counts[cell->method] += cells + 1;
        if (cell->tied_method >= 0)
            counts[cell->tied_method]++;
    }
}

enum nereus_status nereus_map_colours_choose(const struct nereus_map *map,
                                             struct nereus_map_colours *colours,
                                             struct nereus_error *err)
{
    const int methods = map->methods->count;
    int64_t *counts = calloc((size_t)methods + 1, sizeof *counts);
    *colours = (struct nereus_map_colours){.shown_count = 0};
    NEREUS_TRY_MEMORY(counts, err, "for %d methods", methods);
    count_methods(map, colours, counts);
    int used = 0;
    for (int i = 0; i < methods; i++)
        used += counts[i] > 0 ? 1 : 0;
    const int capacity = used > NEREUS_SERIES_COUNT ? NEREUS_SERIES_COUNT - 1 : NEREUS_SERIES_COUNT;
    colours->other_count = used > capacity ? used - capacity : 0;
    for (int i = 0; i < methods; i++) { /* in the order of the candidates, if among the first */
        int before = 0;
        for (int k = 0; k < methods; k++)
            before += counts[k] > counts[i] || (counts[k] == counts[i] && k < i) ? 1 : 0;
        if (counts[i] > 0 && before < capacity)
            colours->shown_methods[colours->shown_count++] = i;
    }
    free(counts);
    return NEREUS_OK;
}

int nereus_map_colours_find(const struct nereus_map_colours *colours, int method)
{
    for (int i = 0; i < colours->shown_count; i++)
        if (colours->shown_methods[i] == method)
            return i;
    return NEREUS_SERIES_COUNT - 1;
}
