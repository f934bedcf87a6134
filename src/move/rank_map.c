/**
 * @file rank_map.c
 * Maps by a step function from numbers to ranks, as whole ranges of ranks are left out.
 */
#include "rank_map.h"

static enum nereus_status reserve_ranges(int64_t count, struct rank_map *map,
                                         struct nereus_error *err)
{
    *map = (struct rank_map){.steps = calloc((size_t)count + 1, sizeof *map->steps)};
    NEREUS_TRY_MEMORY(map->steps, err, "for the ranks of who stays");
    return NEREUS_OK;
}

enum nereus_status nereus_rank_map_from(int64_t first, struct rank_map *map,
                                        struct nereus_error *err)
{
    const enum nereus_status status = reserve_ranges(1, map, err);
    if (status == NEREUS_OK)
        map->steps[map->count++] = (struct rank_step){0, first};
    return status;
}

enum nereus_status nereus_rank_map_without(const struct nereus_leavers *leavers, int64_t count,
                                           struct rank_map *map, struct nereus_error *err)
{
    int64_t passed = 0;
    const enum nereus_status status = reserve_ranges(count, map, err);
    for (int64_t i = 0; i < count && status == NEREUS_OK; i++) {
        const int64_t offset = leavers[i].first - passed;
        passed += leavers[i].count;
        /* merge adjacent ranges */
        if (map->count > 0 && map->steps[map->count - 1].first_number == offset)
            map->steps[map->count - 1].shift = passed;
        else
            map->steps[map->count++] = (struct rank_step){offset, passed};
    }
    return status;
}

int64_t nereus_rank_map_rank(const struct rank_map *map, int64_t number)
{
    int64_t low = 0,
            high = map->count; /* invariant: steps below `low` begin at or before the number */
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (map->steps[middle].first_number <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? number : number + map->steps[low - 1].shift;
}

void nereus_rank_map_fini(struct rank_map *map)
{
    free(map->steps);
    *map = (struct rank_map){0};
}
