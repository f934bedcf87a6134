/**
 * @file transfer_weighted.c
 * Computes what a redistribution moves to ranges in proportion to computing power (Martín et al.
 * (2015), section 4.3, equation 1): the sizes of the parts that their equation 8 prices, computed
 * as the runtime computes them (model/partition/weighted.c).
 */

#include "model/partition/weighted.h"
#include "transfer.h"

/* Arrays of one partition: one entry per process, and one more. */
struct work_arrays {
    double *powers;
    int64_t *integers, *bounds;
};

static void free_work_arrays(struct work_arrays *arrays)
{
    free(arrays->powers);
    free(arrays->integers);
    free(arrays->bounds);
}

static enum nereus_status partition_by_powers(int64_t n, int64_t processes, const double *values,
                                              int64_t value_count,
                                              struct nereus_partition *partition,
                                              struct nereus_error *err)
{
    const size_t count = (size_t)processes + 1;
    struct work_arrays arrays = {malloc(count * sizeof(double)), malloc(count * sizeof(int64_t)),
                                 malloc(count * sizeof(int64_t))};
    enum nereus_status status = NEREUS_OK;
    if (arrays.powers == NULL || arrays.integers == NULL || arrays.bounds == NULL)
        status = nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the ranges of %lld processes",
                             (long long)processes);
    if (status == NEREUS_OK) {
        for (int64_t r = 0; r < processes; r++)
            arrays.powers[r] = values[r % value_count];
        nereus_weighted_scale_powers(arrays.powers, processes, arrays.integers);
        status = nereus_weighted_find_bounds(n, arrays.integers, processes, arrays.bounds, err);
    }
    if (status == NEREUS_OK)
        status = nereus_partition_make(n, processes, arrays.bounds, NULL, partition, err);
    free_work_arrays(&arrays);
    return status;
}

struct nereus_transfer_powers nereus_transfer_powers_of(const struct nereus_scenario *scenario)
{
    return (struct nereus_transfer_powers){.values = scenario->powers,
                                           .old_powers = scenario->powers_before,
                                           .count = scenario->power_count,
                                           .blocks_before = scenario->state == NULL ||
                                                            scenario->state->world_count <= 1};
}

enum nereus_status nereus_transfer_weighted(const struct nereus_transfer_sizes *sizes,
                                            const struct nereus_transfer_powers *powers,
                                            struct nereus_transfer *transfer,
                                            struct nereus_error *err)
{
    const int64_t n = sizes->n, ns = sizes->ns, nt = sizes->nt;
    struct nereus_partition old_partition = nereus_partition_block(n, ns), new_partition = {.n = 0};
    enum nereus_status status = NEREUS_OK;
    int64_t *sources = nereus_transfer_make_sources(sizes);
    NEREUS_TRY_MEMORY(sources, err, "for %lld processes", (long long)nt);
    const double *values_before = powers->old_powers != NULL ? powers->old_powers : powers->values;
    if (powers->old_powers != NULL || !powers->blocks_before)
        status = partition_by_powers(n, ns, values_before, powers->count, &old_partition, err);
    if (status == NEREUS_OK)
        status = partition_by_powers(n, nt, powers->values, powers->count, &new_partition, err);
    if (status == NEREUS_OK)
        status =
            nereus_transfer_count(sizes, &old_partition, &new_partition, sources, transfer, err);
    nereus_partition_fini(&old_partition);
    nereus_partition_fini(&new_partition);
    free(sources);
    return status;
}
