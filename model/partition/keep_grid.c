/**
 * @file keep_grid.c
 * Computes the distribution keep of a grid: all boxes are equal, so only their order is free. Pairs
 * of a process that stays and a new box are taken in descending order of shared elements; this
 * keeps at least half as many as the optimum of the assignment problem.
 */

#include "keep_search.h"

struct pairing {
    int64_t shared, rank, place;
};

static int compare_shared(const void *a, const void *b)
{
    const struct pairing *x = a, *y = b;
    if (x->shared != y->shared)
        return x->shared > y->shared ? -1 : 1;
    return x->rank != y->rank ? (x->rank < y->rank ? -1 : 1)
                              : (x->place > y->place) - (x->place < y->place);
}

/* List the pairs, or (list NULL) count them. */
static int64_t list_pairs(const struct nereus_partition *old_partition,
                          const struct nereus_grid *new_grid,
                          const struct nereus_keep_targets *targets, struct pairing *list)
{
    int64_t count = 0;
    for (int64_t rank = 0; rank < targets->nt; rank++) {
        if (targets->sources[rank] < 0)
            continue;
        const int64_t old = nereus_partition_place_of(old_partition, targets->sources[rank]);
        const struct nereus_range peers = nereus_grid_peers(&old_partition->grid, old, new_grid);
        for (int64_t place = peers.first; place < peers.first + peers.count; place++) {
            const int64_t shared = nereus_grid_overlap(&old_partition->grid, old, new_grid, place);
            if (shared == 0)
                continue;
            if (list != NULL)
                list[count] = (struct pairing){shared, rank, place};
            count++;
        }
    }
    return count;
}

/* @param[out] order  rank of each place
 * @param placed  scratch, indexed by rank */
static void assign_boxes(const struct pairing *pairs, int64_t count, int64_t nt, int64_t *order,
                         bool *placed)
{
    for (int64_t k = 0; k < nt; k++)
        order[k] = -1;
    for (int64_t i = 0; i < count; i++) {
        if (placed[pairs[i].rank] || order[pairs[i].place] >= 0)
            continue;
        placed[pairs[i].rank] = true;
        order[pairs[i].place] = pairs[i].rank;
    }
    nereus_keep_fill_order(nt, order, placed);
}

enum nereus_status nereus_keep_grid(const struct nereus_partition *old_partition,
                                    const struct nereus_grid *grid,
                                    const struct nereus_keep_targets *targets,
                                    struct nereus_partition *new_partition,
                                    struct nereus_error *err)
{
    const int64_t nt = targets->nt, count = list_pairs(old_partition, grid, targets, NULL);
    struct pairing *pairs = malloc(((size_t)count + 1) * sizeof *pairs);
    int64_t *order = malloc((size_t)nt * sizeof *order);
    bool *placed = calloc((size_t)nt, sizeof *placed);
    enum nereus_status status = NEREUS_OK;
    if (pairs == NULL || order == NULL || placed == NULL) {
        status = nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to place %lld processes in a grid",
                             (long long)nt);
    } else {
        list_pairs(old_partition, grid, targets, pairs);
        qsort(pairs, (size_t)count, sizeof *pairs, compare_shared);
        assign_boxes(pairs, count, nt, order, placed);
        status = nereus_partition_grid(grid, order, new_partition, err);
    }
    free(pairs);
    free(order);
    free(placed);
    return status;
}
