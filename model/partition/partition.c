/**
 * @file partition.c
 * Makes, checks and queries partitions of an index space, by rank or position.
 */
#include "nereus/partition.h"

#include <stdlib.h>
#include <string.h>

#include "model/util/arith.h"
#include "model/util/text.h"

struct nereus_partition nereus_partition_block(int64_t n, int64_t processes)
{
    return (struct nereus_partition){.n = n, .processes = processes};
}

int64_t nereus_partition_largest(const struct nereus_partition *partition)
{
    return partition->bounds != NULL ? partition->largest
                                     : nereus_divide_up(partition->n, partition->processes);
}

static int64_t largest_of(const int64_t *bounds, int64_t processes)
{
    int64_t largest = 0;
    for (int64_t k = 0; k < processes; k++)
        largest = nereus_max(largest, bounds[k + 1] - bounds[k]);
    return largest;
}

static bool is_ascending(int64_t n, int64_t processes, const int64_t *bounds)
{
    for (int64_t k = 0; k < processes; k++)
        if (bounds[k] > bounds[k + 1])
            return false;
    return bounds[0] == 0 && bounds[processes] == n;
}

/* Invert `order`. @return false: it is no permutation */
static bool invert_order(const int64_t *order, int64_t processes, int64_t *place)
{
    memset(place, 0xff, (size_t)processes * sizeof *place);
    for (int64_t k = 0; k < processes; k++) {
        if (order[k] < 0 || order[k] >= processes || place[order[k]] != -1)
            return false;
        place[order[k]] = k;
    }
    return true;
}

static int64_t *copy_of(const int64_t *from, int64_t count)
{
    int64_t *copy = malloc((size_t)count * sizeof *copy);
    if (copy != NULL && from != NULL)
        memcpy(copy, from, (size_t)count * sizeof *copy);
    return copy;
}

static bool in_rank_order(const int64_t *order, int64_t processes)
{
    for (int64_t k = 0; order != NULL && k < processes; k++)
        if (order[k] != k)
            return false;
    return true;
}

enum nereus_status nereus_partition_make(int64_t n, int64_t processes, const int64_t *bounds,
                                         const int64_t *order, struct nereus_partition *partition,
                                         struct nereus_error *err)
{
    struct nereus_partition p = nereus_partition_block(n, processes);
    if (n < 0 || processes < 1 || !is_ascending(n, processes, bounds))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "bounds that do not rise from 0 to %lld in %lld ranges are no partition",
                           (long long)n, (long long)processes);
    p.largest = largest_of(bounds, processes);
    const bool ordered = !in_rank_order(order, processes);
    p.bounds = copy_of(bounds, processes + 1);
    p.order = ordered ? copy_of(order, processes) : NULL;
    p.place = ordered ? copy_of(NULL, processes) : NULL;
    if (p.bounds == NULL || (ordered && (p.order == NULL || p.place == NULL))) {
        nereus_partition_fini(&p);
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the bounds of %lld ranges",
                           (long long)processes);
    }
    if (ordered && !invert_order(p.order, processes, p.place)) {
        nereus_partition_fini(&p);
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "the order of %lld range%s does not name each rank once",
                           (long long)processes, nereus_plural_s(processes));
    }
    *partition = p;
    return NEREUS_OK;
}

enum nereus_status nereus_partition_copy(const struct nereus_partition *from,
                                         struct nereus_partition *partition,
                                         struct nereus_error *err)
{
    if (from->bounds != NULL)
        return nereus_partition_make(from->n, from->processes, from->bounds, from->order, partition,
                                     err);
    *partition = nereus_partition_block(from->n, from->processes);
    return NEREUS_OK;
}

void nereus_partition_fini(struct nereus_partition *partition)
{
    free(partition->bounds);
    free(partition->order);
    free(partition->place);
    *partition = (struct nereus_partition){0};
}

int64_t nereus_partition_range_rank(const struct nereus_partition *partition, int64_t place)
{
    return partition->order == NULL ? place : partition->order[place];
}

int64_t nereus_partition_place_of(const struct nereus_partition *partition, int64_t rank)
{
    return partition->place == NULL ? rank : partition->place[rank];
}

struct nereus_range nereus_partition_get_range(const struct nereus_partition *partition,
                                               int64_t place)
{
    if (partition->bounds == NULL)
        return nereus_block(partition->n, partition->processes, place);
    const int64_t *bound = &partition->bounds[place];
    return (struct nereus_range){bound[0], bound[1] - bound[0]};
}

struct nereus_range nereus_partition_range(const struct nereus_partition *partition, int64_t rank)
{
    return nereus_partition_get_range(partition, nereus_partition_place_of(partition, rank));
}

static int64_t place_owning(const struct nereus_partition *partition, int64_t i)
{
    if (partition->bounds == NULL)
        return nereus_block_owner(partition->n, partition->processes, i);
    int64_t low = 0, high = partition->processes; /* bounds[low] <= i < bounds[high] */
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (partition->bounds[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int64_t nereus_partition_owner(const struct nereus_partition *partition, int64_t i)
{
    return nereus_partition_range_rank(partition, place_owning(partition, i));
}

struct nereus_range nereus_partition_peers(const struct nereus_partition *other,
                                           struct nereus_range mine)
{
    struct nereus_range peers = {0, 0};
    if (mine.count <= 0 || other->n <= 0)
        return peers;
    peers.first = place_owning(other, mine.first);
    peers.count = place_owning(other, mine.first + mine.count - 1) - peers.first + 1;
    return peers;
}

bool nereus_partition_equal(const struct nereus_partition *a, const struct nereus_partition *b)
{
    if (a->n != b->n || a->processes != b->processes)
        return false;
    if (a->bounds == NULL && b->bounds == NULL)
        return true;
    for (int64_t rank = 0; rank < a->processes; rank++) {
        const struct nereus_range mine = nereus_partition_range(a, rank),
                                  its = nereus_partition_range(b, rank);
        if (mine.count != its.count || (mine.count > 0 && mine.first != its.first))
            return false;
    }
    return true;
}

int64_t nereus_partition_count_kept_elements(const struct nereus_partition *before,
                                             const struct nereus_partition *after,
                                             const int64_t *sources)
{
    int64_t kept = 0;
    for (int64_t rank = 0; rank < after->processes; rank++)
        if (sources[rank] >= 0)
            kept += nereus_range_overlap(nereus_partition_range(before, sources[rank]),
                                         nereus_partition_range(after, rank))
                        .count;
    return kept;
}
