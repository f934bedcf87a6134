/**
 * @file partition.h
 * An index space, partitioned into one contiguous range per process: by the block formula, or at
 * explicit bounds.
 *
 * Ranges have the places 0 .. processes - 1 in the index space. The process at place k is order[k],
 * without an order k itself. (The distribution keep places new processes between old ones, so that
 * less data moves.)
 */
#ifndef NEREUS_PARTITION_H
#define NEREUS_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

#include "distribution.h"
#include "status.h"

NEREUS_BEGIN_C

/** Zeroed arrays (NULL) mean the block distribution, whose partition owns no memory. */
struct nereus_partition {
    int64_t n;         /**< elements of the index space */
    int64_t processes; /**< ranges */
    /** range k is bounds[k] .. bounds[k + 1] - 1; processes + 1 of them, owned; NULL: block */
    int64_t *bounds;
    int64_t *order;  /**< rank at place k, owned; NULL: k. Only with bounds */
    int64_t *place;  /**< its inverse, owned; NULL exactly where order is */
    int64_t largest; /**< elements of the largest range, with bounds; else 0 */
};

/** By the block formula; cannot fail. */
struct nereus_partition nereus_partition_block(int64_t n, int64_t processes);

/**
 * At explicit bounds. @param[in] bounds  processes + 1 of them, rising from 0 to n @param[in] order
 * a permutation of the ranks, or NULL: rank order. Both are copied. @param[out] partition  to be
 * freed with nereus_partition_fini
 * @return NEREUS_ERR_ARGUMENT where they are no partition, NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_partition_make(int64_t n, int64_t processes, const int64_t *bounds,
                                         const int64_t *order, struct nereus_partition *partition,
                                         struct nereus_error *err);
enum nereus_status nereus_partition_copy(const struct nereus_partition *from,
                                         struct nereus_partition *partition,
                                         struct nereus_error *err);
/** Safe on a zeroed one; leaves a zeroed one behind. */
void nereus_partition_fini(struct nereus_partition *partition);

/** Elements of the largest range. O(1). */
int64_t nereus_partition_largest(const struct nereus_partition *partition);

/** Which rank holds the range at a place, and the other way round. O(1). 0 <= place, rank <
 * processes. */
int64_t nereus_partition_rank_at(const struct nereus_partition *partition, int64_t place);
int64_t nereus_partition_place_of(const struct nereus_partition *partition, int64_t rank);
/** The range at a place, or of a rank. O(1). */
struct nereus_range nereus_partition_at(const struct nereus_partition *partition, int64_t place);
struct nereus_range nereus_partition_range(const struct nereus_partition *partition, int64_t rank);

/** The rank that holds element i (0 <= i < n). Block O(1), else O(log processes). */
int64_t nereus_partition_owner(const struct nereus_partition *partition, int64_t i);

/**
 * The places of `other` that hold elements of a range (the first and the last do; one between may
 * be empty). Overlap `mine` with each of their ranges to get each message: time in proportion to
 * one's own messages, after the search of the first.
 */
struct nereus_range nereus_partition_peers(const struct nereus_partition *other,
                                           struct nereus_range mine);

/** Is every element on the same rank in both? O(processes) unless both are blocks. */
bool nereus_partition_same(const struct nereus_partition *a, const struct nereus_partition *b);

/**
 * Elements that stay where they are. O(NT). @param[in] sources  by new rank: the rank among the
 * sources of the same process, or -1
 */
int64_t nereus_partition_kept(const struct nereus_partition *before,
                              const struct nereus_partition *after, const int64_t *sources);

NEREUS_END_C
#endif
