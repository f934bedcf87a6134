/**
 * @file transfer.c
 * Computes the messages and elements that a redistribution moves.
 *
 * With blocks, let f be the smaller and m the larger number of processes. Block r of m begins no
 * later than block r of f, so process r keeps k(r) = (end of block r of m - begin of block r of
 * f)+, which never increases with r, as block sizes do not. So the maximum that moves is at the
 * last process of each block size, and the sum of k(r) is a sum of arithmetic progressions up to
 * the last process that keeps anything.
 *
 * With partitions, the elements that each process shares with its peers are counted.
 */
#include "transfer.h"

#include "model/partition/keep.h"

/* ---- blocks ---- */

/* Blocks of n elements on the fewer and on the more processes. */
struct blocks {
    int64_t n, few, many;
};

static int64_t count_kept(const struct blocks *b, int64_t rank)
{
    const struct nereus_range wide = nereus_block(b->n, b->few, rank),
                              narrow = nereus_block(b->n, b->many, rank);
    return nereus_max(0, narrow.first + narrow.count - wide.first);
}

/* Count the processes that keep elements; these are the first ranks. */
static int64_t count_keepers(const struct blocks *b)
{
    int64_t low = 0, high = b->few; /* ranks below `low` keep elements, ranks from `high` on none */
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (count_kept(b, middle) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* @return the sum of min(r, limit) over r < count */
static int64_t sum_up_to(int64_t count, int64_t limit)
{
    const int64_t rising = nereus_min(count, limit);
    return rising * (rising - 1) / 2 + (count - rising) * limit;
}

/* Each k(r) is small - r (large - small) + min(r + 1, ..) - min(r, ..), with the block sizes small
 * = n / many and large = n / few. */
static int64_t count_all_kept(const struct blocks *b)
{
    const int64_t count = count_keepers(b), small = b->n / b->many, large = b->n / b->few;
    return count * small - count * (count - 1) / 2 * (large - small) +
           sum_up_to(count + 1, b->n % b->many) - sum_up_to(count, b->n % b->few);
}

/* Maximum of size - kept on the side of `processes`, which is at the last process of each size,
 * among those on both sides and the rest. */
static int64_t find_max_moved(const struct blocks *b, int64_t processes)
{
    const int64_t larger = b->n % processes;
    const int64_t tried[] = {larger - 1, processes - 1, nereus_min(larger, b->few) - 1, b->few - 1,
                             b->few};
    int64_t max = 0;
    for (size_t i = 0; i < NEREUS_COUNT_OF(tried); i++) {
        const int64_t rank = tried[i];
        if (rank < 0 || rank >= processes)
            continue;
        const int64_t kept_elements = rank < b->few ? count_kept(b, rank) : 0;
        max = nereus_max(max, nereus_block(b->n, processes, rank).count - kept_elements);
    }
    return max;
}

static int64_t count_messages(int64_t n, int64_t processes, int64_t others, bool respawn,
                              int64_t rank)
{
    const struct nereus_range own_range = nereus_block(n, processes, rank);
    const struct nereus_range peers = nereus_block_peers(n, own_range, others);
    const bool itself = !respawn && rank >= peers.first && rank < peers.first + peers.count;
    return peers.count - (itself ? 1 : 0);
}

/* Within a range of ranks all blocks have one size, and so have the other side's: the count differs
 * by at most one, so that a few ranks at both ends and between give it, or one less. */
static int64_t count_max_messages(int64_t n, int64_t processes, int64_t others, bool respawn)
{
    enum { NEAR = 2, BETWEEN = 4 };
    const int64_t edge_other = (n % others) * (n / others + 1);
    const int64_t edges[] = {0, n % processes,
                             edge_other < n ? nereus_block_owner(n, processes, edge_other) : 0,
                             processes};
    int64_t max = 0;
    for (size_t e = 0; e < NEREUS_COUNT_OF(edges); e++)
        for (int64_t rank = nereus_max(0, edges[e] - NEAR);
             rank < nereus_min(processes, edges[e] + NEAR + 1); rank++)
            max = nereus_max(max, count_messages(n, processes, others, respawn, rank));
    for (int64_t i = 1; i < BETWEEN; i++)
        max =
            nereus_max(max, count_messages(n, processes, others, respawn, processes / BETWEEN * i));
    return max;
}

void nereus_transfer_blocks(int64_t n, int64_t ns, int64_t nt, bool respawn,
                            struct nereus_transfer *transfer)
{
    const struct blocks b = {n, nereus_min(ns, nt), nereus_max(ns, nt)};
    struct nereus_transfer t = {.touched_elements = nereus_block(n, nt, 0).count};
    *transfer = t;
    if (n <= 0)
        return;
    t.messages_out = count_max_messages(n, ns, nt, respawn);
    t.messages_in = count_max_messages(n, nt, ns, respawn);
    t.elements_out = nereus_block(n, ns, 0).count;
    t.elements_in = t.touched_elements;
    if (!respawn) {
        t.kept_elements = count_kept(&b, 0);
        t.kept_total = count_all_kept(&b);
        t.elements_out = find_max_moved(&b, ns);
        t.elements_in = find_max_moved(&b, nt);
    }
    t.moved_total = n - t.kept_total;
    *transfer = t;
}

/* ---- partitions ---- */

/* What one process exchanges with the others, and keeps. */
struct exchanged {
    int64_t messages, elements, kept_elements;
};

/* @param itself  rank of this process on the other side; -1: not on that side */
static struct exchanged count_exchanged(const struct nereus_partition *own, int64_t rank,
                                        const struct nereus_partition *other_partition,
                                        int64_t itself)
{
    struct exchanged sum = {0, 0, 0};
    const struct nereus_range peers = nereus_partition_places_meeting(own, rank, other_partition);
    for (int64_t place = peers.first; place < peers.first + peers.count; place++) {
        const int64_t peer = nereus_partition_range_rank(other_partition, place);
        const int64_t shared = nereus_partition_shared(own, rank, other_partition, peer);
        if (peer == itself) {
            sum.kept_elements = shared;
        } else if (shared > 0) {
            sum.messages++;
            sum.elements += shared;
        }
    }
    return sum;
}

enum nereus_status nereus_transfer_partitions(const struct nereus_partition *old_partition,
                                              const struct nereus_partition *new_partition,
                                              const int64_t *sources,
                                              struct nereus_transfer *transfer,
                                              struct nereus_error *err)
{
    struct nereus_transfer t = {.touched_elements = nereus_partition_largest(new_partition)};
    int64_t *targets = malloc((size_t)old_partition->processes * sizeof *targets);
    NEREUS_TRY_MEMORY(targets, err, "for %lld processes", (long long)old_partition->processes);
    for (int64_t rank = 0; rank < old_partition->processes; rank++)
        targets[rank] = -1;
    for (int64_t rank = 0; rank < new_partition->processes; rank++) {
        const int64_t source = sources == NULL ? -1 : sources[rank];
        const struct exchanged in = count_exchanged(new_partition, rank, old_partition, source);
        if (source >= 0)
            targets[source] = rank;
        t.messages_in = nereus_max(t.messages_in, in.messages);
        t.elements_in = nereus_max(t.elements_in, in.elements);
        t.moved_total += in.elements;
        t.kept_elements = nereus_max(t.kept_elements, in.kept_elements);
        t.kept_total += in.kept_elements;
    }
    for (int64_t rank = 0; rank < old_partition->processes; rank++) {
        const struct exchanged out =
            count_exchanged(old_partition, rank, new_partition, targets[rank]);
        t.messages_out = nereus_max(t.messages_out, out.messages);
        t.elements_out = nereus_max(t.elements_out, out.elements);
    }
    free(targets);
    *transfer = t;
    return NEREUS_OK;
}

int64_t *nereus_transfer_make_sources(const struct nereus_transfer_sizes *sizes)
{
    int64_t *sources = malloc((size_t)sizes->nt * sizeof *sources);
    for (int64_t rank = 0; sources != NULL && rank < sizes->nt; rank++)
        sources[rank] = rank < sizes->ns && !sizes->respawn ? rank : -1;
    return sources;
}

enum nereus_status nereus_transfer_count(const struct nereus_transfer_sizes *sizes,
                                         const struct nereus_partition *old_partition,
                                         const struct nereus_partition *new_partition,
                                         const int64_t *sources, struct nereus_transfer *transfer,
                                         struct nereus_error *err)
{
    NEREUS_TRY(nereus_transfer_partitions(old_partition, new_partition, sources, transfer, err));
    return sizes->machine == NULL
               ? NEREUS_OK
               : nereus_node_traffic_partitions(sizes->machine, sizes->respawn, old_partition,
                                                new_partition, &transfer->node_elements, err);
}

bool nereus_transfer_knows_keep(const struct nereus_method *method, int64_t ns, int64_t nt)
{
    return method->has_data && method->distribution == NEREUS_KEEP &&
           method->process == NEREUS_MERGE && ns != nt && ns <= NEREUS_TRANSFER_KEEP_PROCESSES &&
           nt <= NEREUS_TRANSFER_KEEP_PROCESSES;
}

enum nereus_status nereus_transfer_keep(const struct nereus_transfer_sizes *sizes, int64_t cells,
                                        struct nereus_transfer *transfer, struct nereus_error *err)
{
    const int64_t n = sizes->n, nt = sizes->nt;
    const struct nereus_partition old_partition = nereus_partition_block(n, sizes->ns);
    struct nereus_partition new_partition;
    int64_t min, max;
    int64_t *sources = nereus_transfer_make_sources(sizes);
    NEREUS_TRY_MEMORY(sources, err, "for %lld processes", (long long)nt);
    nereus_keep_find_limits(n, nt, NEREUS_IMBALANCE, &min, &max);
    enum nereus_status status = nereus_keep_partition(
        &old_partition, &(struct nereus_keep_targets){nt, sources, min, max, cells}, &new_partition,
        NULL, err);
    if (status == NEREUS_OK) {
        status =
            nereus_transfer_count(sizes, &old_partition, &new_partition, sources, transfer, err);
        nereus_partition_fini(&new_partition);
    }
    free(sources);
    return status;
}
