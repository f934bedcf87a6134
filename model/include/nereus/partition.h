/**
 * @file partition.h
 * Describes an index space, partitioned into one contiguous range per process: block distribution,
 * explicit bounds, or the boxes of a grid in box order (grid.h). Ranges are numbered in the order
 * of the index space; range k belongs to rank order[k], or to rank k without an order. (The
 * distribution keep puts ranges of new processes between those of old ones.)
 *
 * Box order changes with the process grid: what a range of one partition of a grid has in common
 * with a range of another one is what their boxes share (nereus_partition_shared), and not the
 * overlap of the two ranges.
 */
#ifndef NEREUS_PARTITION_H
#define NEREUS_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

#include "distribution.h"
#include "grid.h"
#include "status.h"

NEREUS_BEGIN_C

/** A partition. If all arrays are NULL and there is no grid it is the block distribution, which
 * owns no memory. */
struct nereus_partition {
    int64_t n;
    int64_t processes; /**< number of ranges */
    /** range k is bounds[k] .. bounds[k + 1] - 1; owned; NULL: block, or grid */
    int64_t *bounds;
    int64_t *order;          /**< rank of range k, owned; NULL: k */
    int64_t *place;          /**< inverse of order, owned */
    int64_t largest_range;   /**< elements of the largest range; 0: block, or grid */
    struct nereus_grid grid; /**< dimensions 0: none */
};

/** The block distribution of n elements. Owns nothing. */
struct nereus_partition nereus_partition_block(int64_t n, int64_t processes);

/**
 * Make a partition with given bounds. Both arrays are copied.
 * @param[in]  bounds     processes + 1 values, non-decreasing from 0 to n
 * @param[in]  order      permutation of the ranks; NULL: rank order
 * @param[out] partition  to be freed with nereus_partition_fini
 * @return NEREUS_ERR_ARGUMENT if bounds and order make no partition
 */
enum nereus_status nereus_partition_make(int64_t n, int64_t processes, const int64_t *bounds,
                                         const int64_t *order, struct nereus_partition *partition,
                                         struct nereus_error *err);
/** Is the partition cut into the boxes of a grid? */
static inline bool nereus_partition_is_grid(const struct nereus_partition *partition)
{
    return partition->grid.dimensions > 0;
}
/**
 * Make a partition of the boxes of a grid, whose process grid is set.
 * @param[in]  order      permutation of the ranks, copied; NULL: rank order
 * @param[out] partition  to be freed with nereus_partition_fini; owns nothing without an order
 * @return NEREUS_ERR_ARGUMENT, NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_partition_grid(const struct nereus_grid *grid, const int64_t *order,
                                         struct nereus_partition *partition,
                                         struct nereus_error *err);
/** The equal distribution of the same elements on another number of processes: blocks, or the
 * chosen process grid (nereus_grid_choose; one that the grid allows). Owns nothing.
 * @param[in] staying  processes that keep their rank and memory */
struct nereus_partition nereus_partition_resized(const struct nereus_partition *partition,
                                                 int64_t processes, int64_t staying);
/**
 * Copy a partition.
 * @param[out] partition  to be freed with nereus_partition_fini
 * @return NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_partition_copy(const struct nereus_partition *from,
                                         struct nereus_partition *partition,
                                         struct nereus_error *err);
/** Free the arrays, and zero the struct. A zeroed struct is allowed. */
void nereus_partition_fini(struct nereus_partition *partition);

/** Number of elements of the largest range. */
int64_t nereus_partition_largest(const struct nereus_partition *partition);

/** The rank of a range, and the range of a rank. O(1). */
int64_t nereus_partition_range_rank(const struct nereus_partition *partition, int64_t place);
int64_t nereus_partition_place_of(const struct nereus_partition *partition, int64_t rank);
/** Bounds of range k, and of a rank. O(1). */
struct nereus_range nereus_partition_get_range(const struct nereus_partition *partition,
                                               int64_t place);
struct nereus_range nereus_partition_range(const struct nereus_partition *partition, int64_t rank);

/** Rank that owns element i, 0 <= i < n. O(log processes); block O(1). */
int64_t nereus_partition_owner(const struct nereus_partition *partition, int64_t i);

/** The ranges of `other_partition` that may share elements with `own_range`: intersect `own_range`
 * with each to get the messages. O(own messages) after a binary search. */
struct nereus_range nereus_partition_peers(const struct nereus_partition *other_partition,
                                           struct nereus_range own_range);

/** Places of `other_partition` that may share elements with rank `rank` of `partition`:
 * nereus_partition_shared says which. As nereus_partition_peers; of a grid O(dimensions). */
struct nereus_range nereus_partition_places_meeting(const struct nereus_partition *partition,
                                                    int64_t rank,
                                                    const struct nereus_partition *other_partition);
/** Number of elements that rank a of one partition shares with rank b of the other one, of the same
 * index space. */
int64_t nereus_partition_shared(const struct nereus_partition *one, int64_t a,
                                const struct nereus_partition *other_partition, int64_t b);

/** Have two partitions the same ranges on the same ranks? O(processes), blocks O(1). */
bool nereus_partition_equal(const struct nereus_partition *a, const struct nereus_partition *b);

/**
 * Number of elements that stay in their process. O(NT).
 * @param[in] sources  indexed by new rank: rank of that process among the sources; -1: new process
 */
int64_t nereus_partition_count_kept_elements(const struct nereus_partition *old_partition,
                                             const struct nereus_partition *new_partition,
                                             const int64_t *sources);

NEREUS_END_C
#endif
