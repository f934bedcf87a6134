/*
 * Which arrays go together, and what goes to whom.
 *
 * An array whose parts are large moves straight from its memory. Small ones are packed, as many as fit a
 * bounded buffer, so that two hundred small arrays cost a few messages and not two hundred. Who sends what
 * follows from the block distributions alone, so both sides lay out the same messages without telling each
 * other, each in time proportional to its own messages.
 */
#include "traffic.h"

#include <stdlib.h>
#include <string.h>

enum { PACK_BELOW_BYTES = 64 * 1024, PACK_BUFFER_BYTES = 8 * 1024 * 1024 };

/* Largest part that any process can hold of an array: what its packing can cost. */
static int64_t largest_part_bytes(const struct datum *datum, const struct parties *parties)
{
    const int64_t fewest = parties->ns < parties->nt ? parties->ns : parties->nt;
    return (datum->entry.count / fewest + 1) * datum->entry.element_bytes;
}

bool nereus_batch_next(const struct registry *registry, const struct parties *parties, int64_t from,
                       struct batch *batch)
{
    while (from < registry->count && registry->data[from].entry.placement != NEREUS_DISTRIBUTED)
        from++;
    if (from >= registry->count)
        return false;
    *batch = (struct batch){from, 1, false};
    int64_t bytes = largest_part_bytes(&registry->data[from], parties);
    if (bytes >= PACK_BELOW_BYTES)
        return true;
    batch->packed = true;
    for (int64_t i = from + 1; i < registry->count; i++, batch->count++) {
        const struct datum *datum = &registry->data[i];
        if (datum->entry.placement != NEREUS_DISTRIBUTED)
            continue; /* lies in between; the others skip it as well */
        const int64_t more = largest_part_bytes(datum, parties);
        if (more >= PACK_BELOW_BYTES || bytes + more > PACK_BUFFER_BYTES)
            break;
        bytes += more;
    }
    return true;
}

/* One direction of one process: its range of every array, and the other side. */
struct side {
    bool sending;
    int64_t others;               /* processes of the other side */
    int64_t self;                 /* this process' number there too; -1: it is not one of them */
    const struct rank_map *ranks; /* of the other side */
};

static struct side outward(const struct parties *parties)
{
    return (struct side){true, parties->nt, parties->target, &parties->target_ranks};
}

static struct side inward(const struct parties *parties)
{
    return (struct side){false, parties->ns, parties->source, &parties->source_ranks};
}

static struct nereus_range my_range(const struct datum *datum, struct side side)
{
    return side.sending ? datum->range : datum->next_range;
}

static struct nereus_range overlap_with(const struct datum *datum, struct side side, int64_t peer)
{
    return nereus_range_overlap(my_range(datum, side), nereus_block(datum->entry.count, side.others, peer));
}

static bool takes_part(const struct datum *datum)
{
    return datum->entry.placement == NEREUS_DISTRIBUTED;
}

/* The span of peers over all arrays of a batch. */
static struct nereus_range peers_of(const struct registry *registry, const struct batch *batch,
                                    struct side side)
{
    struct nereus_range all = {0, 0};
    for (int64_t i = batch->first; i < batch->first + batch->count; i++) {
        const struct datum *datum = &registry->data[i];
        if (!takes_part(datum))
            continue;
        const struct nereus_range peers =
            nereus_block_peers(datum->entry.count, my_range(datum, side), side.others);
        if (peers.count == 0)
            continue;
        const int64_t end = all.count == 0 || peers.first + peers.count > all.first + all.count
                                ? peers.first + peers.count
                                : all.first + all.count;
        all.first = all.count == 0 || peers.first < all.first ? peers.first : all.first;
        all.count = end - all.first;
    }
    return all;
}

static int64_t bytes_with(const struct registry *registry, const struct batch *batch, struct side side,
                          int64_t peer)
{
    int64_t bytes = 0;
    for (int64_t i = batch->first; i < batch->first + batch->count; i++)
        if (takes_part(&registry->data[i]))
            bytes +=
                overlap_with(&registry->data[i], side, peer).count * registry->data[i].entry.element_bytes;
    return bytes;
}

/* Offset in memory of what goes to a peer where a batch is one array that moves from its own memory. */
static int64_t offset_in_part(const struct datum *datum, struct side side, int64_t peer)
{
    return (overlap_with(datum, side, peer).first - my_range(datum, side).first) * datum->entry.element_bytes;
}

static enum nereus_status list_messages(const struct registry *registry, const struct batch *batch,
                                        struct side side, struct message **list, int64_t *count,
                                        int64_t *total, struct nereus_error *err)
{
    const struct nereus_range peers = peers_of(registry, batch, side);
    *count = 0;
    *total = 0;
    *list = malloc(((size_t)peers.count + 1) * sizeof **list);
    if (*list == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a list of %lld messages",
                           (long long)peers.count);
    for (int64_t peer = peers.first; peer < peers.first + peers.count; peer++) {
        const int64_t bytes = peer == side.self ? 0 : bytes_with(registry, batch, side, peer);
        if (bytes == 0)
            continue;
        const int64_t offset =
            batch->packed ? *total : offset_in_part(&registry->data[batch->first], side, peer);
        (*list)[(*count)++] = (struct message){peer, rank_map_rank(side.ranks, peer), offset, bytes};
        *total += bytes;
    }
    return NEREUS_OK;
}

/* What source and target have in common when they are one process never goes through MPI. */
static void copy_own(const struct registry *registry, const struct batch *batch)
{
    for (int64_t i = batch->first; i < batch->first + batch->count; i++) {
        const struct datum *datum = &registry->data[i];
        const struct nereus_range stays = nereus_range_overlap(datum->range, datum->next_range);
        const size_t bytes = (size_t)datum->entry.element_bytes;
        if (takes_part(datum) && stays.count > 0)
            memcpy(datum->next_part + (size_t)(stays.first - datum->next_range.first) * bytes,
                   datum->part + (size_t)(stays.first - datum->range.first) * bytes,
                   (size_t)stays.count * bytes);
    }
}

static void pack(const struct registry *registry, const struct batch *batch, struct side side,
                 const struct traffic *traffic)
{
    for (int64_t m = 0; m < traffic->send_count; m++) {
        unsigned char *at = traffic->send_from + traffic->sends[m].offset;
        for (int64_t i = batch->first; i < batch->first + batch->count; i++) {
            const struct datum *datum = &registry->data[i];
            if (!takes_part(datum))
                continue;
            const struct nereus_range goes = overlap_with(datum, side, traffic->sends[m].peer);
            const size_t bytes = (size_t)(goes.count * datum->entry.element_bytes);
            if (bytes > 0)
                memcpy(at, datum->part + (goes.first - datum->range.first) * datum->entry.element_bytes,
                       bytes);
            at += bytes;
        }
    }
}

enum nereus_status nereus_traffic_make(const struct registry *registry, const struct parties *parties,
                                       const struct batch *batch, struct traffic *traffic,
                                       struct nereus_error *err)
{
    const struct side out = outward(parties), in = inward(parties);
    int64_t out_bytes = 0, in_bytes = 0;
    enum nereus_status status = NEREUS_OK;
    memset(traffic, 0, sizeof *traffic);
    if (parties->source >= 0 && parties->target >= 0)
        copy_own(registry, batch);
    if (parties->source >= 0)
        status = list_messages(registry, batch, out, &traffic->sends, &traffic->send_count, &out_bytes, err);
    if (status == NEREUS_OK && parties->target >= 0)
        status =
            list_messages(registry, batch, in, &traffic->receives, &traffic->receive_count, &in_bytes, err);
    if (status == NEREUS_OK && batch->packed) {
        traffic->send_from = malloc((size_t)out_bytes + 1);
        traffic->receive_into = malloc((size_t)in_bytes + 1);
        if (traffic->send_from == NULL || traffic->receive_into == NULL)
            status = nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to pack %lld bytes",
                                 (long long)(out_bytes + in_bytes));
        else
            pack(registry, batch, out, traffic);
    } else if (status == NEREUS_OK) {
        traffic->send_from = registry->data[batch->first].part;
        traffic->receive_into = registry->data[batch->first].next_part;
    }
    if (status != NEREUS_OK)
        nereus_traffic_fini(batch, traffic);
    return status;
}

void nereus_traffic_unpack(const struct registry *registry, const struct parties *parties,
                           const struct batch *batch, const struct traffic *traffic)
{
    const struct side in = inward(parties);
    if (!batch->packed)
        return;
    for (int64_t m = 0; m < traffic->receive_count; m++) {
        const unsigned char *at = traffic->receive_into + traffic->receives[m].offset;
        for (int64_t i = batch->first; i < batch->first + batch->count; i++) {
            const struct datum *datum = &registry->data[i];
            if (!takes_part(datum))
                continue;
            const struct nereus_range comes = overlap_with(datum, in, traffic->receives[m].peer);
            const size_t bytes = (size_t)(comes.count * datum->entry.element_bytes);
            if (bytes > 0)
                memcpy(datum->next_part +
                           (comes.first - datum->next_range.first) * datum->entry.element_bytes,
                       at, bytes);
            at += bytes;
        }
    }
}

void nereus_traffic_fini(const struct batch *batch, struct traffic *traffic)
{
    free(traffic->sends);
    free(traffic->receives);
    if (batch->packed) {
        free(traffic->send_from);
        free(traffic->receive_into);
    }
    memset(traffic, 0, sizeof *traffic);
}
