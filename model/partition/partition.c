/**
 * @file partition.c
 * Makes, checks and queries partitions of an index space, by rank or position.
 */
#include "nereus/partition.h"

#include "model/util/base.h"

struct nereus_partition nereus_partition_block(int64_t n, int64_t processes)
{
    return (struct nereus_partition){.n = n, .processes = processes};
}

int64_t nereus_partition_largest(const struct nereus_partition *partition)
{
    int64_t largest = 1;
    if (partition->bounds != NULL)
        return partition->largest_range;
    if (!nereus_partition_is_grid(partition))
        return nereus_divide_up(partition->n, partition->processes);
    for (int d = 0; d < partition->grid.dimensions; d++)
        largest *= nereus_grid_extent(&partition->grid, d, 0).count;
    return largest;
}

static int64_t find_largest(const int64_t *bounds, int64_t processes)
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

/* Invert `order`.
 * @return false: `order` is no permutation */
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

static int64_t *copy_array(const int64_t *from, int64_t count)
{
    int64_t *copy = malloc((size_t)count * sizeof *copy);
    if (copy != NULL && from != NULL)
        memcpy(copy, from, (size_t)count * sizeof *copy);
    return copy;
}

static bool is_rank_order(const int64_t *order, int64_t processes)
{
    for (int64_t k = 0; order != NULL && k < processes; k++)
        if (order[k] != k)
            return false;
    return true;
}

/* Store an order, unless it is the rank order. The caller frees it, also after an error. */
static enum nereus_status set_order(struct nereus_partition *p, const int64_t *order,
                                    struct nereus_error *err)
{
    if (is_rank_order(order, p->processes))
        return NEREUS_OK;
    p->order = copy_array(order, p->processes);
    p->place = copy_array(NULL, p->processes);
    if (p->order == NULL || p->place == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the order of %lld ranges",
                           (long long)p->processes);
    if (!invert_order(p->order, p->processes, p->place))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "the order of %lld range%s does not name each rank once",
                           (long long)p->processes, nereus_plural_s(p->processes));
    return NEREUS_OK;
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
    p.largest_range = find_largest(bounds, processes);
    p.bounds = copy_array(bounds, processes + 1);
    if (p.bounds == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the bounds of %lld ranges",
                           (long long)processes);
    const enum nereus_status status = set_order(&p, order, err);
    if (status != NEREUS_OK) {
        nereus_partition_fini(&p);
        return status;
    }
    *partition = p;
    return NEREUS_OK;
}

enum nereus_status nereus_partition_grid(const struct nereus_grid *grid, const int64_t *order,
                                         struct nereus_partition *partition,
                                         struct nereus_error *err)
{
    struct nereus_partition p = {.n = nereus_grid_count(grid), .processes = 1, .grid = *grid};
    for (int d = 0; d < grid->dimensions; d++)
        p.processes *= grid->processes[d];
    const enum nereus_status status = set_order(&p, order, err);
    if (status == NEREUS_OK)
        *partition = p;
    else
        nereus_partition_fini(&p);
    return status;
}

struct nereus_partition nereus_partition_resized(const struct nereus_partition *partition,
                                                 int64_t processes, int64_t staying)
{
    struct nereus_partition resized = nereus_partition_block(partition->n, processes);
    resized.grid = partition->grid;
    if (nereus_partition_is_grid(partition))
        nereus_grid_choose(processes, &partition->grid, staying, &resized.grid);
    return resized;
}

enum nereus_status nereus_partition_copy(const struct nereus_partition *from,
                                         struct nereus_partition *partition,
                                         struct nereus_error *err)
{
    if (nereus_partition_is_grid(from))
        return nereus_partition_grid(&from->grid, from->order, partition, err);
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
    if (nereus_partition_is_grid(partition))
        return nereus_grid_range(&partition->grid, place);
    if (partition->bounds == NULL)
        return nereus_block(partition->n, partition->processes, place);
    const int64_t *bound = &partition->bounds[place];
    return (struct nereus_range){bound[0], bound[1] - bound[0]};
}

struct nereus_range nereus_partition_range(const struct nereus_partition *partition, int64_t rank)
{
    return nereus_partition_get_range(partition, nereus_partition_place_of(partition, rank));
}

static int64_t find_place(const struct nereus_partition *partition, int64_t i)
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
    return nereus_partition_range_rank(partition, find_place(partition, i));
}

struct nereus_range nereus_partition_peers(const struct nereus_partition *other_partition,
                                           struct nereus_range own_range)
{
    struct nereus_range peers = {0, 0};
    if (own_range.count <= 0 || other_partition->n <= 0)
        return peers;
    peers.first = find_place(other_partition, own_range.first);
    peers.count =
        find_place(other_partition, own_range.first + own_range.count - 1) - peers.first + 1;
    return peers;
}

struct nereus_range nereus_partition_places_meeting(const struct nereus_partition *partition,
                                                    int64_t rank,
                                                    const struct nereus_partition *other_partition)
{
    return nereus_partition_is_grid(partition)
               ? nereus_grid_peers(&partition->grid, nereus_partition_place_of(partition, rank),
                                   &other_partition->grid)
               : nereus_partition_peers(other_partition, nereus_partition_range(partition, rank));
}

int64_t nereus_partition_shared(const struct nereus_partition *one, int64_t a,
                                const struct nereus_partition *other_partition, int64_t b)
{
    return nereus_partition_is_grid(one)
               ? nereus_grid_overlap(&one->grid, nereus_partition_place_of(one, a),
                                     &other_partition->grid,
                                     nereus_partition_place_of(other_partition, b))
               : nereus_range_overlap(nereus_partition_range(one, a),
                                      nereus_partition_range(other_partition, b))
                     .count;
}

bool nereus_partition_equal(const struct nereus_partition *a, const struct nereus_partition *b)
{
    if (a->n != b->n || a->processes != b->processes)
        return false;
    const bool same_cut = memcmp(&a->grid, &b->grid, sizeof a->grid) == 0;
    if (a->bounds == NULL && b->bounds == NULL && a->order == NULL && b->order == NULL)
        return same_cut;
    for (int64_t rank = 0; rank < a->processes; rank++) {
        const struct nereus_range own_range = nereus_partition_range(a, rank),
                                  its = nereus_partition_range(b, rank);
        if (own_range.count != its.count || (own_range.count > 0 && own_range.first != its.first))
            return false;
    }
    return same_cut;
}

int64_t nereus_partition_count_kept_elements(const struct nereus_partition *old_partition,
                                             const struct nereus_partition *new_partition,
                                             const int64_t *sources)
{
    int64_t kept_elements = 0;
    for (int64_t rank = 0; rank < new_partition->processes; rank++)
        if (sources[rank] >= 0)
            kept_elements +=
                nereus_partition_shared(old_partition, sources[rank], new_partition, rank);
    return kept_elements;
}
