/**
 * @file distribution.h
 * Computes the block distribution: of n elements on p processes, each of the first n mod p ranks
 * has one more. Blocks are contiguous, in rank order, and differ by at most one element.
 */
#ifndef NEREUS_DISTRIBUTION_H
#define NEREUS_DISTRIBUTION_H

#include <stdint.h>

#include "status.h"

NEREUS_BEGIN_C

/** Elements first .. first + count - 1. */
struct nereus_range {
    int64_t first;
    int64_t count;
};

/** Block of a rank. n >= 0, 0 <= rank < processes. */
struct nereus_range nereus_block(int64_t n, int64_t processes, int64_t rank);

/** Rank whose block has element i, 0 <= i < n. */
int64_t nereus_block_owner(int64_t n, int64_t processes, int64_t i);

/** Intersection of two ranges; count 0: empty. */
struct nereus_range nereus_range_overlap(struct nereus_range a, struct nereus_range b);

/** The ranks of the other side that share elements with `own_range`, in O(1): intersect `own_range`
 * with each of their blocks to get the messages. */
struct nereus_range nereus_block_peers(int64_t n, struct nereus_range own_range,
                                       int64_t other_processes);

NEREUS_END_C
#endif
