/** @file keep.c  Finds the partition that moves least (keep.h): keep_points.c chooses the
 * positions, keep_row.c does the dynamic programming, and this file turns the best path into
 * ranges. */
#include "keep.h"

#include "keep_search.h"

void nereus_keep_find_limits(int64_t n, int64_t nt, double imbalance, int64_t *min, int64_t *max)
{
    const int64_t small = n / nt, large = nereus_divide_up(n, nt);
    const double mean = (double)n / (double)nt;
    const double low = floor((1 - imbalance) * mean), high = ceil((1 + imbalance) * mean);
    /* the block distribution must be within the limits in spite of rounding */
    *min = low < 0 ? 0 : low < (double)small ? (int64_t)low : small;
    *max = high >= (double)n ? n : high > (double)large ? (int64_t)high : large;
}

static int compare_first(const void *a, const void *b)
{
    const struct keep_stayer *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first ? 1 : 0;
}

/* List the processes that stay, in the order of the index space. */
static enum nereus_status list_stayers(const struct nereus_partition *old_partition,
                                       const int64_t *sources, struct keep_search *search,
                                       struct nereus_error *err)
{
    search->stayers = malloc(((size_t)search->nt + 1) * sizeof *search->stayers);
    NEREUS_TRY_MEMORY(search->stayers, err, "for the ranges of %lld processes",
                      (long long)search->nt);
    for (int64_t rank = 0; rank < search->nt; rank++) {
        if (sources[rank] < 0)
            continue;
        if (sources[rank] >= old_partition->processes)
            return nereus_fail(
                err, NEREUS_ERR_ARGUMENT, "target %lld is said to be source %lld, of %lld source%s",
                (long long)rank, (long long)sources[rank], (long long)old_partition->processes,
                nereus_plural_s(old_partition->processes));
        const struct nereus_range range = nereus_partition_range(old_partition, sources[rank]);
        if (range.count > 0)
            search->stayers[search->stayer_count++] =
                (struct keep_stayer){range.first, range.first + range.count, rank};
    }
    qsort(search->stayers, (size_t)search->stayer_count, sizeof *search->stayers, compare_first);
    return NEREUS_OK;
}

static void free_search(struct keep_search *search)
{
    free(search->stayers);
    free(search->starts);
    free(search->points);
    free(search->choices);
    free(search->values);
    free(search->queues);
}

static enum nereus_status compute_all_rows(struct keep_search *search, struct nereus_error *err)
{
    const enum nereus_status status = nereus_keep_make_rows(search, err);
    for (int64_t k = 0; k < search->nt && status == NEREUS_OK; k++)
        nereus_keep_compute_row(search, k);
    return status;
}

/* Find the bounds, and the rank of each range; -1: no process keeps elements of the range. */
static void trace_back(const struct keep_search *search, int64_t *bounds, int64_t *order)
{
    int64_t point = search->starts[search->nt];
    int used = 0;
    for (int64_t k = search->nt; k > 0; k--) {
        const struct keep_choice *choice = &search->choices[2 * point + used];
        bounds[k] = search->points[point];
        order[k - 1] = choice->stayer < 0 ? -1 : search->stayers[choice->stayer].rank;
        point = search->starts[k - 1] + choice->from;
        used = choice->used;
    }
    bounds[0] = 0;
}

void nereus_keep_fill_order(int64_t nt, int64_t *order, bool *placed)
{
    int64_t rank = 0;
    memset(placed, 0, (size_t)nt * sizeof *placed);
    for (int64_t k = 0; k < nt; k++)
        if (order[k] >= 0)
            placed[order[k]] = true;
    for (int64_t k = 0; k < nt; k++) {
        if (order[k] >= 0)
            continue;
        while (placed[rank])
            rank++;
        order[k] = rank++;
    }
}

static enum nereus_status store_result(const struct keep_search *search,
                                       struct nereus_partition *new_partition,
                                       struct nereus_error *err)
{
    int64_t *bounds = malloc(((size_t)search->nt + 1) * sizeof *bounds);
    int64_t *order = malloc((size_t)search->nt * sizeof *order);
    bool *placed = malloc((size_t)search->nt * sizeof *placed);
    enum nereus_status status = NEREUS_ERR_MEMORY;
    if (bounds != NULL && order != NULL && placed != NULL) {
        trace_back(search, bounds, order);
        nereus_keep_fill_order(search->nt, order, placed);
        status = nereus_partition_make(search->n, search->nt, bounds, order, new_partition, err);
    } else {
        nereus_fail(err, status, "no memory for the bounds of %lld ranges", (long long)search->nt);
    }
    free(bounds);
    free(order);
    free(placed);
    return status;
}

/* Is no element kept, or only one partition possible? */
static bool is_block_the_result(const struct keep_search *search)
{
    return search->stayer_count == 0 || search->nt == 1 || search->n == 0;
}

enum nereus_status nereus_keep_partition(const struct nereus_partition *old_partition,
                                         const struct nereus_keep_targets *targets,
                                         struct nereus_partition *new_partition,
                                         struct nereus_keep *found, struct nereus_error *err)
{
    const int64_t nt = targets->nt, min = targets->min, max = targets->max;
    struct keep_search search = {
        .n = old_partition->n, .nt = nt, .min = min, .max = max, .step = 1};
    if (nt < 1 || min < 0 || min > old_partition->n / nt ||
        max < nereus_divide_up(old_partition->n, nt))
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "ranges of %lld to %lld element%s: that is not around %lld on %lld process%s",
            (long long)min, (long long)max, nereus_plural_s(max), (long long)old_partition->n,
            (long long)nt, nereus_plural_es(nt));
    search.cells = targets->cells > 0 ? targets->cells : NEREUS_KEEP_CELLS;
    search.optimal = true;
    enum nereus_status status = list_stayers(old_partition, targets->sources, &search, err);
    if (status == NEREUS_OK && is_block_the_result(&search)) {
        *new_partition = nereus_partition_block(old_partition->n, nt);
    } else if (status == NEREUS_OK) {
        status = compute_all_rows(&search, err);
        if (status == NEREUS_OK)
            status = store_result(&search, new_partition, err);
    }
    if (status == NEREUS_OK && found != NULL)
        *found = (struct nereus_keep){
            nereus_partition_count_kept_elements(old_partition, new_partition, targets->sources),
            min, max, search.step, search.optimal};
    free_search(&search);
    return status;
}
