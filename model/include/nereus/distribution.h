/**
 * @file distribution.h
 * The block distribution, and the peers of a redistribution.
 *
 * Remainder rule: of n elements on p processes, each of the first n mod p ranks gets one element
 * more, so that blocks are contiguous, ordered by rank, and differ by at most one element.
 */
#ifndef NEREUS_DISTRIBUTION_H
#define NEREUS_DISTRIBUTION_H

#include <stdint.h>

#include "status.h"

NEREUS_BEGIN_C

/** A contiguous range of global element indices: first .. first + count - 1. */
struct nereus_range {
    int64_t first;
    int64_t count;
};

/** The block of a rank. n >= 0, 0 <= rank < processes. */
struct nereus_range nereus_block(int64_t n, int64_t processes, int64_t rank);

/** The rank that owns element i. 0 <= i < n. */
int64_t nereus_block_owner(int64_t n, int64_t processes, int64_t i);

/** Intersection of two ranges (count 0: empty; first is then within a, else unspecified). */
struct nereus_range nereus_range_overlap(struct nereus_range a, struct nereus_range b);

/**
 * The peers with which a rank exchanges data: the contiguous ranks first .. first + count - 1 of
 * the other side, in O(1). Overlap `mine` with each of their blocks to get each message: time in
 * proportion to one's own messages, independent of NS and NT.
 * @param n      global elements
 * @param mine   this rank's block (of the old distribution for a source, of the new one for a
 *    target)
 * @param other_processes  size of the other side
 */
struct nereus_range nereus_block_peers(int64_t n, struct nereus_range mine,
                                       int64_t other_processes);

NEREUS_END_C
#endif
