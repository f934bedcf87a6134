/**
 * @file custom.c
 * Moves custom data, which the application packs and unpacks. A piece is the bytes from one source
 * to one target. The packed bytes have their own index space, which is partitioned at the same
 * elements, so that they move like an array.
 */
#include "custom.h"

#include "src/util/callback.h"

/* Canary: stored after each piece while it is packed. The NEREUS_CUSTOM_SLACK_BYTES after the last
 * piece keep a `pack` that writes too much inside allocated memory. */
static const unsigned char guard_bytes[64] =
    "nereus: behind this piece nothing may be written by pack";

static const struct index_space *get_parent(const struct registry *registry,
                                            const struct datum *datum)
{
    return &registry->spaces[registry->spaces[datum->entry.partition - 1].parent - 1];
}

enum nereus_status nereus_custom_list_pieces(const struct registry *registry, struct datum *datum,
                                             int64_t rank, struct nereus_error *err)
{
    const struct index_space *elements = get_parent(registry, datum);
    const struct index_space *bytes = &registry->spaces[datum->entry.partition - 1];
    const struct nereus_range own_range = nereus_partition_range(&elements->next_partition, rank);
    const struct nereus_range peers = nereus_partition_peers(&elements->partition, own_range);
    free(datum->pieces);
    datum->piece_count = 0;
    datum->elements = own_range;
    datum->pieces = calloc((size_t)peers.count + 1, sizeof *datum->pieces);
    NEREUS_TRY_MEMORY(datum->pieces, err, "for the pieces of '%s'", datum->entry.name);
    for (int64_t place = peers.first; place < peers.first + peers.count; place++) {
        const struct nereus_range overlap = nereus_range_overlap(
            own_range, nereus_partition_get_range(&elements->partition, place));
        if (overlap.count > 0)
            datum->pieces[datum->piece_count++] = (struct piece){
                overlap, nereus_range_overlap(nereus_partition_range(&bytes->next_partition, rank),
                                              nereus_partition_get_range(&bytes->partition, place))
                             .count};
    }
    return NEREUS_OK;
}

enum nereus_status nereus_custom_reserve(struct registry *registry, int64_t rank,
                                         enum data_selection selection, struct nereus_error *err)
{
    for (int64_t i = 0; i < registry->count && rank >= 0; i++) {
        struct datum *datum = &registry->data[i];
        if (!nereus_is_custom(datum, selection))
            continue;
        nereus_part_free(datum->part);
        /* aligned like other parts, as packed bytes may contain numbers */
        datum->part = nereus_part_new(
            ((size_t)datum->range.count + NEREUS_CUSTOM_SLACK_BYTES + 15) / 16 * 16, false);
        NEREUS_TRY_MEMORY(datum->part, err, "to pack %lld bytes of '%s'",
                          (long long)datum->range.count, datum->entry.name);
        nereus_part_name(datum->part, datum->entry.name, (int)rank);
    }
    return NEREUS_OK;
}

enum nereus_status nereus_custom_pack_piece(const struct datum *datum, struct nereus_range elements,
                                            unsigned char *position, int64_t bytes,
                                            struct nereus_error *err)
{
    memcpy(position + bytes, guard_bytes, sizeof guard_bytes);
    nereus_callback_enter("nereus_custom.pack");
    datum->custom.pack(datum->custom.user, elements.first, elements.count, position, bytes);
    nereus_callback_leave();
    if (memcmp(position + bytes, guard_bytes, sizeof guard_bytes) == 0)
        return NEREUS_OK;
    return nereus_fail(err, NEREUS_ERR_STATE,
                       "'%s': pack has written more than the %lld bytes that bytes said of the "
                       "elements %lld to %lld (nereus_custom)",
                       datum->entry.name, (long long)bytes, (long long)elements.first,
                       (long long)(elements.first + elements.count - 1));
}

/* Pack a source's pieces in the order of the targets' positions. */
static enum nereus_status pack_pieces(const struct registry *registry, const struct datum *datum,
                                      int64_t rank, struct nereus_error *err)
{
    const struct index_space *elements = get_parent(registry, datum);
    const struct index_space *bytes = &registry->spaces[datum->entry.partition - 1];
    const struct nereus_range own_range = nereus_partition_range(&elements->partition, rank);
    const struct nereus_range peers = nereus_partition_peers(&elements->next_partition, own_range);
    unsigned char *position = datum->part;
    for (int64_t place = peers.first; place < peers.first + peers.count; place++) {
        const struct nereus_range overlap = nereus_range_overlap(
            own_range, nereus_partition_get_range(&elements->next_partition, place));
        const int64_t size =
            nereus_range_overlap(datum->range,
                                 nereus_partition_get_range(&bytes->next_partition, place))
                .count;
        if (overlap.count == 0)
            continue;
        NEREUS_TRY(nereus_custom_pack_piece(datum, overlap, position, size, err));
        position += size;
    }
    return NEREUS_OK;
}

enum nereus_status nereus_custom_pack(const struct registry *registry, int64_t rank,
                                      enum data_selection selection, struct nereus_error *err)
{
    for (int64_t i = 0; i < registry->count && rank >= 0; i++)
        if (nereus_is_custom(&registry->data[i], selection))
            NEREUS_TRY(pack_pieces(registry, &registry->data[i], rank, err));
    return NEREUS_OK;
}

void nereus_custom_drop(struct datum *datum, bool used)
{
    if (!used) {
        nereus_part_free(datum->part);
        free(datum->pieces);
    }
    datum->part = NULL;
    datum->pieces = NULL;
    datum->piece_count = 0;
}

/* Pass received data to the application: first its range of elements, then each piece. */
static enum nereus_status unpack_part(const struct datum *datum)
{
    const struct custom_calls *calls = &datum->custom;
    const unsigned char *position = datum->part;
    const struct nereus_range own_range = datum->elements;
    enum nereus_status status = NEREUS_OK;
    if (calls->resize != NULL) {
        nereus_callback_enter("nereus_custom.resize");
        calls->resize(calls->user, own_range.first, own_range.count);
        nereus_callback_leave();
    }
    nereus_callback_enter("nereus_custom.unpack");
    for (int64_t i = 0; i < datum->piece_count && status == NEREUS_OK; i++) {
        const struct piece *piece = &datum->pieces[i];
        status = calls->unpack(calls->user, piece->elements.first, piece->elements.count, position,
                               piece->bytes);
        position += piece->bytes;
    }
    nereus_callback_leave();
    return status;
}

enum nereus_status nereus_custom_deliver(struct datum *datum, struct nereus_error *err)
{
    const enum nereus_status status = unpack_part(datum);
    if (status != NEREUS_OK)
        return nereus_fail(err, status, "the application could not unpack its part of '%s'",
                           datum->entry.name);
    nereus_custom_drop(datum, false);
    return NEREUS_OK;
}

enum nereus_status nereus_custom_deliver_all(struct registry *registry, struct nereus_error *err)
{
    for (int64_t i = 0; i < registry->count; i++) {
        struct datum *datum = &registry->data[i];
        if (datum->entry.shape != NEREUS_CUSTOM || !datum->claimed)
            continue;
        NEREUS_TRY(nereus_custom_deliver(datum, err));
    }
    return NEREUS_OK;
}
