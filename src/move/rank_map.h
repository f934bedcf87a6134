/* Which rank of a communicator a source or a target is. Private to src/; no MPI. */
#ifndef NEREUS_RANK_MAP_H
#define NEREUS_RANK_MAP_H

#include <stdint.h>

#include "nereus/request.h"

/* Number `at` and those after it are at rank number + shift, up to the next step. */
struct rank_step {
    int64_t at, shift;
};

/* Zeroed, it says that number and rank are the same. Its size is that of the plan, not of the job.
 */
struct rank_map {
    struct rank_step *steps; /* by rising `at`, owned */
    int64_t count;
};

/* Number 0 is rank `first`, and so on. */
enum nereus_status rank_map_from(int64_t first, struct rank_map *map, struct nereus_error *err);
/* The ranks that are in none of these ranges (sorted, apart), in their order. */
enum nereus_status rank_map_without(const struct nereus_leavers *leavers, int64_t count,
                                    struct rank_map *map, struct nereus_error *err);
/* O(log steps). */
int64_t rank_map_rank(const struct rank_map *map, int64_t number);
void rank_map_fini(struct rank_map *map);

#endif
