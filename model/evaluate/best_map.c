/**
 * @file best_map.c
 * Chooses, for each pair of sizes, one of the methods that tie for the best, by one of three rules.
 */
#include "best_map.h"

/* Count the cells of the rule in which the method is among the best. */
static int64_t count_occurrences(const struct nereus_best_map *map, int64_t row, int64_t column,
                                 enum nereus_tie_rule rule, int method)
{
    const bool all = rule == NEREUS_TIE_REMAINING;
    int64_t count = 0;
    for (int64_t r = all ? 0 : row - 1; r < (all ? map->rows : row + 2); r++) {
        for (int64_t c = all ? 0 : column - 1; c < (all ? map->columns : column + 2); c++) {
            const bool inside = r >= 0 && r < map->rows && c >= 0 && c < map->columns;
            if (inside && !(r == row && c == column))
                count += (int64_t)(map->cells[r * map->columns + c].best_set >> method & 1);
        }
    }
    return count;
}

static int choose_method(const struct nereus_best_map *map, int64_t row, int64_t column,
                         enum nereus_tie_rule rule)
{
    const struct nereus_best_cell *cell = &map->cells[row * map->columns + column];
    if (cell->best_set == 0)
        return -1;
    if (rule == NEREUS_TIE_MEDIAN)
        return cell->fastest_method;
    int chosen = cell->fastest_method;
    int64_t max = count_occurrences(map, row, column, rule, chosen);
    for (int m = 0; m < NEREUS_COMPARE_METHODS_MAX; m++) {
        if ((cell->best_set >> m & 1) != 0) {
            const int64_t count = count_occurrences(map, row, column, rule, m);
            if (count > max) {
                max = count;
                chosen = m;
            }
        }
    }
    return chosen;
}

static void choose_methods(const struct nereus_best_map *map, enum nereus_tie_rule rule)
{
    for (int64_t r = 0; r < map->rows; r++)
        for (int64_t c = 0; c < map->columns; c++)
            map->cells[r * map->columns + c].chosen_method = choose_method(map, r, c, rule);
}

/* Add a size to an ascending list.
 * @return its new length */
static int64_t add_size(int64_t *sizes, int64_t count, int64_t size)
{
    int64_t index = count;
    while (index > 0 && sizes[index - 1] > size)
        index--;
    if (index > 0 && sizes[index - 1] == size)
        return count;
    memmove(&sizes[index + 1], &sizes[index], (size_t)(count - index) * sizeof *sizes);
    sizes[index] = size;
    return count + 1;
}

static int64_t find_size(const int64_t *sizes, int64_t size)
{
    int64_t index = 0;
    while (sizes[index] != size)
        index++;
    return index;
}

static bool list_sizes(const struct nereus_compare *compare, struct nereus_best_map *map)
{
    map->ns = malloc((size_t)compare->pair_count * sizeof *map->ns);
    map->nt = malloc((size_t)compare->pair_count * sizeof *map->nt);
    for (int64_t i = 0; map->ns != NULL && map->nt != NULL && i < compare->pair_count; i++) {
        if (compare->pairs[i].tested_groups > 0) {
            map->rows = add_size(map->ns, map->rows, compare->pairs[i].ns);
            map->columns = add_size(map->nt, map->columns, compare->pairs[i].nt);
        }
    }
    map->cells = calloc((size_t)(map->rows * map->columns + 1), sizeof *map->cells);
    return map->ns != NULL && map->nt != NULL && map->cells != NULL;
}

static struct nereus_best_cell *find_cell(const struct nereus_best_map *map,
                                          const struct nereus_compare_pair *pair)
{
    return &map->cells[find_size(map->ns, pair->ns) * map->columns + find_size(map->nt, pair->nt)];
}

enum nereus_status nereus_best_map_init(struct nereus_compare *compare, struct nereus_best_map *map,
                                        struct nereus_error *err)
{
    *map = (struct nereus_best_map){0};
    if (!list_sizes(compare, map)) {
        nereus_best_map_fini(map);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the map");
    }
    for (int64_t i = 0; i < compare->pair_count; i++) {
        const struct nereus_compare_pair *pair = &compare->pairs[i];
        if (pair->tested_groups > 0) {
            struct nereus_best_cell *cell = find_cell(map, pair);
            cell->best_set = pair->best_set;
            cell->fastest_method = pair->groups[0].method;
        }
    }
    choose_methods(map, compare->options.ties);
    for (int64_t i = 0; i < compare->pair_count; i++) {
        struct nereus_compare_pair *pair = &compare->pairs[i];
        pair->chosen_method = pair->tested_groups > 0 ? find_cell(map, pair)->chosen_method : -1;
    }
    return NEREUS_OK;
}

void nereus_best_map_fini(struct nereus_best_map *map)
{
    free(map->ns);
    free(map->nt);
    free(map->cells);
    *map = (struct nereus_best_map){0};
}
