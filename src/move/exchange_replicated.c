/**
 * @file exchange_replicated.c
 * Moves replicated values: rank 0 of the sources broadcasts the small ones together and the large
 * ones one by one.
 */

#include "exchange.h"
#include "src/mpi/large_counts.h"
#include "src/util/error.h"
#include "src/util/wait.h"

static bool is_replicated(const struct datum *datum)
{
    return datum->entry.placement == NEREUS_REPLICATED;
}

static int64_t count_value_bytes(const struct datum *datum)
{
    return datum->entry.count * datum->entry.element_bytes;
}

static int find_root(const struct exchange *exchange)
{
    if (!exchange->inter || exchange->parties.source < 0)
        return 0;
    return exchange->parties.source == 0 ? MPI_ROOT : MPI_PROC_NULL;
}

enum { PIECE_BYTES = 1024 * 1024 };

/* Does any target lack the values? */
static bool is_needed(const struct transfer *transfer)
{
    return (transfer->selection & DATA_VARIABLE) != 0 &&
           transfer->exchange.first_new < transfer->exchange.parties.nt;
}

/* Are the values small? Small ones are packed together. */
static bool is_small(const struct datum *datum)
{
    return is_replicated(datum) && count_value_bytes(datum) < PACK_BELOW_BYTES;
}

static int64_t count_small_bytes(const struct registry *registry)
{
    int64_t bytes = 0;
    for (int64_t i = 0; i < registry->count; i++)
        bytes += is_small(&registry->data[i]) ? count_value_bytes(&registry->data[i]) : 0;
    return bytes;
}

static bool has_large(const struct registry *registry)
{
    for (int64_t i = 0; i < registry->count; i++)
        if (is_replicated(&registry->data[i]) && !is_small(&registry->data[i]))
            return true;
    return false;
}

enum nereus_status nereus_replicated_reserve(struct transfer *transfer, struct nereus_error *err)
{
    if (!is_needed(transfer))
        return NEREUS_OK;
    int64_t bytes = count_small_bytes(transfer->registry);
    if (bytes < PIECE_BYTES && has_large(transfer->registry))
        bytes = PIECE_BYTES;
    transfer->replicated = malloc((size_t)bytes + 1);
    NEREUS_TRY_MEMORY(transfer->replicated, err, "for %lld bytes of replicated values",
                      (long long)bytes);
    return NEREUS_OK;
}

/* @param blocks  the same in all processes, as all must make the same call */
static enum nereus_status broadcast_bytes(const struct exchange *exchange, bool blocks,
                                          unsigned char *memory, int64_t bytes,
                                          struct nereus_wait_mode wait_mode,
                                          struct nereus_error *err)
{
    const int root = find_root(exchange);
    MPI_Request received = MPI_REQUEST_NULL;
    if (blocks)
        NEREUS_MPI(MPI_Bcast_c(memory, (MPI_Count)bytes, MPI_BYTE, root, exchange->comm), err);
    else
        NEREUS_MPI(
            MPI_Ibcast_c(memory, (MPI_Count)bytes, MPI_BYTE, root, exchange->comm, &received), err);
    return nereus_wait(&received, nereus_wait_mode_with(wait_mode, false), err);
}

/* Broadcast a large value in pieces, directly into next_part; a process that has the values already
 * receives into a small scratch buffer, as a source's values must survive a roll-back. */
static enum nereus_status broadcast_large(const struct transfer *transfer, struct datum *datum,
                                          struct nereus_wait_mode wait_mode,
                                          struct nereus_error *err)
{
    const struct exchange *exchange = &transfer->exchange;
    const int root = find_root(exchange);
    const int64_t bytes = count_value_bytes(datum);
    unsigned char *memory =
        exchange->parties.source == 0 ? nereus_datum_values(datum) : datum->next_part;
    for (int64_t offset = 0; offset < bytes; offset += PIECE_BYTES) {
        const int piece = (int)(bytes - offset < PIECE_BYTES ? bytes - offset : PIECE_BYTES);
        NEREUS_TRY(broadcast_bytes(exchange, exchange->blocks,
                                   memory != NULL ? memory + offset : transfer->replicated,
                                   root == MPI_PROC_NULL ? 0 : piece, wait_mode, err));
    }
    return NEREUS_OK;
}

/* Copy all small values from the registry to the packed form, or back to the data whose values are
 * missing. */
static void copy_small(struct registry *registry, unsigned char *packed_bytes, bool outward)
{
    for (int64_t i = 0; i < registry->count; i++) {
        struct datum *datum = &registry->data[i];
        const int64_t bytes = count_value_bytes(datum);
        if (!is_small(datum) || bytes == 0)
            continue;
        if (outward)
            memcpy(packed_bytes, nereus_datum_values(datum), (size_t)bytes);
        else if (datum->next_part != NULL)
            memcpy(datum->next_part, packed_bytes, (size_t)bytes);
        packed_bytes += bytes;
    }
}

static enum nereus_status broadcast_small(const struct transfer *transfer, int64_t bytes,
                                          struct nereus_wait_mode wait_mode,
                                          struct nereus_error *err)
{
    const struct exchange *exchange = &transfer->exchange;
    const bool is_root = exchange->parties.source == 0;
    if (is_root)
        copy_small(transfer->registry, transfer->replicated, true);
    /* Not exchange->blocks: a small message is mostly waited for, and a process that waits inside
     * MPI spins on a core that another one may need (wait.c). */
    NEREUS_TRY(broadcast_bytes(exchange, false, transfer->replicated, bytes, wait_mode, err));
    if (!is_root)
        copy_small(transfer->registry, transfer->replicated, false);
    return NEREUS_OK;
}

enum nereus_status nereus_replicated_move(struct transfer *transfer,
                                          struct nereus_wait_mode wait_mode,
                                          struct nereus_error *err)
{
    struct registry *registry = transfer->registry;
    const int64_t small = count_small_bytes(registry);
    if (!is_needed(transfer) || (small == 0 && !has_large(registry)))
        return NEREUS_OK;
    NEREUS_TRY(nereus_sleeping_barrier(transfer->exchange.comm, wait_mode, err));
    for (int64_t i = 0; i < registry->count; i++)
        if (is_replicated(&registry->data[i]) && !is_small(&registry->data[i]))
            NEREUS_TRY(broadcast_large(transfer, &registry->data[i], wait_mode, err));
    return small > 0 ? broadcast_small(transfer, small, wait_mode, err) : NEREUS_OK;
}
