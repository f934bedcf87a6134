/**
 * @file bounds_derived.c
 * Computes derived bounds: of non-zeros from the rows, of packed bytes from the elements of custom
 * data. Each source counts what it has for each target, and a reduction sums the counts before
 * anything is started (Martín-Álvarez et al. (2023), section 3, sends the sizes in messages with
 * tag 77 instead).
 */

#include "bounds.h"
#include "src/mpi/large_counts.h"
#include "src/steps/transfer.h"
#include "src/util/callback.h"

enum nereus_status nereus_bounds_store(int64_t n, int64_t processes, const int64_t *bounds,
                                       const int64_t *order, struct nereus_partition *partition,
                                       struct nereus_error *err)
{
    bool block = true;
    for (int64_t k = 0; k < processes && block; k++)
        block =
            bounds[k] == nereus_block(n, processes, k).first && (order == NULL || order[k] == k);
    if (!block)
        return nereus_partition_make(n, processes, bounds, order, partition, err);
    *partition = nereus_partition_block(n, processes);
    return NEREUS_OK;
}

/* The datum stored in a derived partition: indices of a sparse matrix (its pointers precede them),
 * or custom data. */
static const struct datum *find_datum(const struct registry *registry, int64_t partition)
{
    for (int64_t i = 0; i < registry->count; i++)
        if (registry->data[i].entry.partition == partition + 1)
            return &registry->data[i];
    return NULL;
}

/* Is this partition derived from its parent, and to be computed in this pass? */
static bool is_derived(const struct bounds_work *work, int64_t i)
{
    return work->request->partitions[i].parent != 0 &&
           (!work->again ||
            nereus_must_query_size_again(work->plan, &find_datum(&work->job->registry, i)->entry));
}

/* Size of a range of own elements in the derived space. Negative: unknown. */
static int64_t compute_size(const struct datum *datum, struct nereus_range own_range,
                            struct nereus_range range)
{
    if (datum->entry.shape == NEREUS_CUSTOM) {
        nereus_callback_enter("nereus_custom.bytes");
        const int64_t bytes = datum->custom.bytes(datum->custom.user, range.first, range.count);
        nereus_callback_leave();
        return bytes;
    }
    const int64_t *pointers =
        (const int64_t *)(const void *)datum[-1].part + (range.first - own_range.first);
    return pointers[range.count] - pointers[0];
}

/* Largest size of one piece: addressable memory. The sum over all pieces cannot overflow. */
static const int64_t bytes_max = INT64_C(1) << 47;

/* Sum this process' sizes for each target, by position, and in all.
 * @return false: unknown */
static bool sum_sizes_of_targets(const struct bounds_work *work, int64_t i, int64_t *new_counts,
                                 int64_t *old_counts)
{
    const struct nereus_data_partition *parent =
        &work->request->partitions[work->request->partitions[i].parent - 1];
    const struct datum *datum = find_datum(&work->job->registry, i);
    const struct nereus_range own_range =
        nereus_partition_range(&parent->old_ranges, work->job->rank);
    const struct nereus_range peers = nereus_partition_peers(&parent->new_ranges, own_range);
    int64_t *own_count =
        &old_counts[nereus_partition_place_of(&parent->old_ranges, work->job->rank)];
    for (int64_t place = peers.first; place < peers.first + peers.count; place++) {
        const struct nereus_range range =
            nereus_range_overlap(own_range, nereus_partition_get_range(&parent->new_ranges, place));
        const int64_t size = range.count == 0 ? 0 : compute_size(datum, own_range, range);
        if (size < 0 || size > bytes_max)
            return false;
        new_counts[place] = size;
        *own_count += size;
    }
    return true;
}

/* Exclusive prefix sum of the sizes; one element more. */
static void cumulate_sizes(int64_t *sizes, int64_t count)
{
    int64_t below = 0;
    for (int64_t k = 0; k <= count; k++) {
        const int64_t size = k < count ? sizes[k] : 0;
        sizes[k] = below;
        below += size;
    }
}

static void set_derived_bounds(struct nereus_data_partition *partition,
                               const struct nereus_data_partition *parent, int64_t *new_counts,
                               int64_t *old_counts, struct nereus_error *failure)
{
    const int64_t ns = parent->old_ranges.processes, nt = parent->new_ranges.processes;
    cumulate_sizes(new_counts, nt);
    cumulate_sizes(old_counts, ns);
    nereus_partition_fini(&partition->old_ranges);
    nereus_partition_fini(&partition->new_ranges);
    partition->old_ranges = nereus_partition_block(new_counts[nt], ns);
    partition->new_ranges = nereus_partition_block(new_counts[nt], nt);
    if (nereus_bounds_store(old_counts[ns], ns, old_counts, parent->old_ranges.order,
                            &partition->old_ranges, failure) == NEREUS_OK)
        nereus_bounds_store(new_counts[nt], nt, new_counts, parent->new_ranges.order,
                            &partition->new_ranges, failure);
}

/* Bytes of packed custom data at this decision. At least 1 for variable data, so that the plan has
 * the step: the data may have grown by the time it is packed. */
static void set_custom_bytes(struct nereus_request *request)
{
    for (int64_t i = 0; i < request->data_count; i++) {
        struct nereus_data_entry *entry = &request->data[i];
        if (entry->shape == NEREUS_CUSTOM)
            entry->count = request->partitions[entry->partition - 1].old_ranges.n;
        if (entry->shape == NEREUS_CUSTOM && entry->kind == NEREUS_VARIABLE && entry->count == 0)
            entry->count = 1;
    }
}

enum nereus_status nereus_bounds_derive(const struct bounds_work *work,
                                        struct nereus_error *verdict, struct nereus_error *failure,
                                        struct nereus_error *err)
{
    struct nereus_request *request = work->request;
    const int64_t ns = request->ns, nt = request->nt, width = nt + 1 + ns + 1;
    int64_t derived = 0, *at = work->numbers + 1;
    for (int64_t i = 0; i < request->partition_count; i++)
        derived += is_derived(work, i);
    if (derived == 0)
        return NEREUS_OK;
    memset(work->numbers, 0, (size_t)(1 + derived * width) * sizeof *work->numbers);
    for (int64_t i = 0; i < request->partition_count; i++) {
        if (!is_derived(work, i))
            continue;
        work->numbers[0] += !sum_sizes_of_targets(work, i, at, at + nt + 1);
        at += width;
    }
    NEREUS_MPI(MPI_Allreduce_c(MPI_IN_PLACE, work->numbers, (MPI_Count)(1 + derived * width),
                               MPI_INT64_T, MPI_SUM, work->job->control),
               err);
    if (work->numbers[0] > 0)
        nereus_fail(verdict, NEREUS_ERR_ARGUMENT,
                    "a process could not say how many bytes its part of some custom data has "
                    "(nereus_custom.bytes: negative, or more than can be addressed)");
    at = work->numbers + 1;
    for (int64_t i = 0; i < request->partition_count && work->numbers[0] == 0; i++) {
        struct nereus_data_partition *partition = &request->partitions[i];
        if (!is_derived(work, i))
            continue;
        set_derived_bounds(partition, &request->partitions[partition->parent - 1], at, at + nt + 1,
                           failure);
        at += width;
    }
    if (!work->again) /* the prices of the plan are not changed by an update */
        set_custom_bytes(request);
    return NEREUS_OK;
}
