/**
 * @file distribution.c
 * Computes the block distribution in closed form, so that a rank finds its own messages in O(1).
 */
#include "nereus/distribution.h"

#include "model/util/base.h"

struct nereus_range nereus_block(int64_t n, int64_t processes, int64_t rank)
{
    const int64_t small = n / processes;
    const int64_t larger = n % processes; /* ranks 0 .. larger - 1 hold one element more */
    return (struct nereus_range){rank * small + nereus_min(rank, larger),
                                 small + (rank < larger ? 1 : 0)};
}

int64_t nereus_block_owner(int64_t n, int64_t processes, int64_t i)
{
    const int64_t small = n / processes;
    const int64_t larger = n % processes;
    if (larger == 0)
        return i / small;
    const int64_t in_larger = larger * (small + 1); /* elements held by the larger blocks */
    if (i < in_larger)
        return i / (small + 1);
    return larger + (i - in_larger) / small; /* small > 0, else all elements are in larger blocks */
}

struct nereus_range nereus_range_overlap(struct nereus_range a, struct nereus_range b)
{
    const int64_t first = nereus_max(a.first, b.first);
    const int64_t end = nereus_min(a.first + a.count, b.first + b.count);
    return end > first ? (struct nereus_range){first, end - first}
                       : (struct nereus_range){a.first, 0};
}

struct nereus_range nereus_block_peers(int64_t n, struct nereus_range own_range,
                                       int64_t other_processes)
{
    struct nereus_range peers = {0, 0};
    if (own_range.count <= 0 || n <= 0)
        return peers;
    peers.first = nereus_block_owner(n, other_processes, own_range.first);
    peers.count = nereus_block_owner(n, other_processes, own_range.first + own_range.count - 1) -
                  peers.first + 1;
    return peers;
}
