/** @file rank_map.h  Maps the numbers of sources or targets to ranks of a communicator. No MPI. */
#pragma once

#include "model/util/base.h"
#include "nereus/request.h"

/** Numbers from `first_number` to the next step have rank number + shift. */
struct rank_step {
    int64_t first_number, shift;
};

/** Zeroed: the identity. Its size is proportional to the plan's list of leaving ranges, not to the
 * number of processes. */
struct rank_map {
    struct rank_step *steps; /**< sorted by `first_number`; owned */
    int64_t count;
};

/** Make the map of number i to rank first + i. */
enum nereus_status nereus_rank_map_from(int64_t first, struct rank_map *map,
                                        struct nereus_error *err);
/** Make the map to the ranks outside these sorted, disjoint ranges, in rank order. */
enum nereus_status nereus_rank_map_without(const struct nereus_leavers *leavers, int64_t count,
                                           struct rank_map *map, struct nereus_error *err);
/** Rank of a number; O(log steps). */
int64_t nereus_rank_map_rank(const struct rank_map *map, int64_t number);
/** Free the map. */
void nereus_rank_map_fini(struct rank_map *map);
