/**
 * @file schedule.c
 * Makes message schedules: which arrays form a batch, and which bytes each process sends to each
 * other one.
 *
 * An array whose parts are large moves directly from its memory. Small arrays are packed, as many
 * as fit a bounded buffer, so that two hundred small arrays need only a few messages. A field of a
 * grid is also packed, as its boxes are not contiguous; a large one forms its own batch. The
 * messages follow from the partitions alone, so both sides compute the same schedule without
 * communication, each in time proportional to its own messages.
 */
#include "schedule.h"

static bool is_selected_array(const struct datum *datum, enum data_selection selection)
{
    return datum->entry.placement == NEREUS_DISTRIBUTED && nereus_is_selected(datum, selection);
}

bool nereus_is_selected(const struct datum *datum, enum data_selection selection)
{
    const bool constant =
        datum->entry.placement == NEREUS_DISTRIBUTED && datum->entry.kind == NEREUS_CONSTANT;
    return (selection & (constant ? DATA_CONSTANT : DATA_VARIABLE)) != 0;
}

/* Find the largest part of an array in any process, which bounds the packing buffer. */
static int64_t find_largest_part_bytes(const struct registry *registry, const struct datum *datum,
                                       const struct parties *parties)
{
    const struct nereus_partition *old_partition = nereus_datum_before(registry, datum),
                                  *new_partition = nereus_datum_after(registry, datum);
    const int64_t fewest = parties->ns < parties->nt ? parties->ns : parties->nt;
    const int64_t elements = old_partition == NULL
                                 ? datum->entry.count / fewest + 1
                                 : nereus_max(nereus_partition_largest(old_partition),
                                              nereus_partition_largest(new_partition));
    return elements * datum->entry.element_bytes;
}

static bool is_in_rank_order(const struct registry *registry, const struct datum *datum)
{
    const struct nereus_partition *old_partition = nereus_datum_before(registry, datum),
                                  *new_partition = nereus_datum_after(registry, datum);
    return old_partition == NULL || (old_partition->order == NULL && new_partition->order == NULL);
}

/* A packed message holds data of all arrays for the process at one position, which must be the same
 * process in all arrays. */
static bool have_same_order(const struct registry *registry, const struct datum *a,
                            const struct datum *b)
{
    return a->entry.partition == b->entry.partition ||
           (is_in_rank_order(registry, a) && is_in_rank_order(registry, b));
}

bool nereus_batch_next(const struct registry *registry, const struct parties *parties,
                       enum data_selection selection, int64_t pack_limit_bytes, int64_t from,
                       struct batch *batch)
{
    while (from < registry->count && !is_selected_array(&registry->data[from], selection))
        from++;
    if (from >= registry->count)
        return false;
    *batch = (struct batch){from, 1, false, selection};
    int64_t bytes = find_largest_part_bytes(registry, &registry->data[from], parties);
    batch->packed = bytes < PACK_BELOW_BYTES || registry->data[from].entry.shape == NEREUS_FIELD;
    if (bytes >= PACK_BELOW_BYTES)
        return true;
    for (int64_t i = from + 1; i < registry->count; i++, batch->count++) {
        const struct datum *datum = &registry->data[i];
        if (!is_selected_array(datum, selection))
            continue; /* array not in the selection; all processes skip it */
        const int64_t more = find_largest_part_bytes(registry, datum, parties);
        if (more >= PACK_BELOW_BYTES || bytes + more > pack_limit_bytes ||
            !have_same_order(registry, &registry->data[from], datum))
            break;
        bytes += more;
    }
    return true;
}

/* One direction of one process: its range of every array, and the other side. */
struct side {
    bool sending;
    int64_t other_count;          /* processes of the other side */
    int64_t self;                 /* this process' number on the other side; -1: not a member */
    const struct rank_map *ranks; /* ranks of the other side */
};

static struct side get_source_side(const struct parties *parties)
{
    return (struct side){true, parties->nt, parties->target, &parties->target_ranks};
}

static struct side get_target_side(const struct parties *parties)
{
    return (struct side){false, parties->ns, parties->source, &parties->source_ranks};
}

static struct nereus_range get_own_range(const struct datum *datum, struct side side)
{
    return side.sending ? datum->range : datum->next_range;
}

/* The other side's partition of an array. */
static struct nereus_partition get_partition_of_others(const struct registry *registry,
                                                       const struct datum *datum, struct side side)
{
    const struct nereus_partition *partition =
        side.sending ? nereus_datum_after(registry, datum) : nereus_datum_before(registry, datum);
    return partition == NULL ? nereus_partition_block(datum->entry.count, side.other_count)
                             : *partition;
}

static struct nereus_range find_overlap(const struct registry *registry, const struct datum *datum,
                                        struct side side, int64_t peer)
{
    const struct nereus_partition others = get_partition_of_others(registry, datum, side);
    return nereus_range_overlap(get_own_range(datum, side), nereus_partition_range(&others, peer));
}

/* Grid on the other side, and a peer's place in it. */
static const struct nereus_grid *find_other_grid(const struct registry *registry,
                                                 const struct datum *datum, struct side side,
                                                 int64_t peer, int64_t *place)
{
    const struct nereus_partition *others =
        side.sending ? nereus_datum_after(registry, datum) : nereus_datum_before(registry, datum);
    *place = nereus_partition_place_of(others, peer);
    return &others->grid;
}

static int64_t count_shared(const struct registry *registry, const struct datum *datum,
                            struct side side, int64_t peer)
{
    if (datum->entry.shape != NEREUS_FIELD)
        return find_overlap(registry, datum, side, peer).count;
    const struct box own_box = nereus_datum_box(registry, datum, !side.sending);
    int64_t place;
    const struct nereus_grid *other_grid = find_other_grid(registry, datum, side, peer, &place);
    return nereus_grid_overlap(own_box.grid, own_box.place, other_grid, place);
}

static struct nereus_range find_peers(const struct registry *registry, const struct datum *datum,
                                      struct side side)
{
    const struct nereus_partition others = get_partition_of_others(registry, datum, side);
    if (datum->entry.shape != NEREUS_FIELD)
        return nereus_partition_peers(&others, get_own_range(datum, side));
    const struct box own_box = nereus_datum_box(registry, datum, !side.sending);
    return nereus_grid_peers(own_box.grid, own_box.place, &others.grid);
}

/* Range of positions of the peers over all arrays of a batch. */
static struct nereus_range find_batch_peers(const struct registry *registry,
                                            const struct batch *batch, struct side side)
{
    struct nereus_range all_peers = {0, 0};
    for (int64_t i = batch->first; i < batch->first + batch->count; i++) {
        const struct datum *datum = &registry->data[i];
        if (!is_selected_array(datum, batch->selection))
            continue;
        const struct nereus_range peers = find_peers(registry, datum, side);
        if (peers.count == 0)
            continue;
        const int64_t end =
            all_peers.count == 0 || peers.first + peers.count > all_peers.first + all_peers.count
                ? peers.first + peers.count
                : all_peers.first + all_peers.count;
        all_peers.first =
            all_peers.count == 0 || peers.first < all_peers.first ? peers.first : all_peers.first;
        all_peers.count = end - all_peers.first;
    }
    return all_peers;
}

static int64_t count_exchanged_bytes(const struct registry *registry, const struct batch *batch,
                                     struct side side, int64_t peer)
{
    int64_t bytes = 0;
    for (int64_t i = batch->first; i < batch->first + batch->count; i++)
        if (is_selected_array(&registry->data[i], batch->selection))
            bytes += count_shared(registry, &registry->data[i], side, peer) *
                     registry->data[i].entry.element_bytes;
    return bytes;
}

/* Find the offset in memory of a peer's data in a direct batch. */
static int64_t find_offset_in_part(const struct registry *registry, const struct datum *datum,
                                   struct side side, int64_t peer)
{
    return (find_overlap(registry, datum, side, peer).first - get_own_range(datum, side).first) *
           datum->entry.element_bytes;
}

static enum nereus_status list_messages(const struct registry *registry, const struct batch *batch,
                                        struct side side, struct message_list *list,
                                        struct nereus_error *err)
{
    const struct nereus_range peers = find_batch_peers(registry, batch, side);
    list->messages = malloc(((size_t)peers.count + 1) * sizeof *list->messages);
    NEREUS_TRY_MEMORY(list->messages, err, "for a list of %lld messages", (long long)peers.count);
    const struct nereus_partition others =
        get_partition_of_others(registry, &registry->data[batch->first], side);
    for (int64_t place = peers.first; place < peers.first + peers.count; place++) {
        const int64_t peer = nereus_partition_range_rank(&others, place);
        const int64_t bytes =
            peer == side.self ? 0 : count_exchanged_bytes(registry, batch, side, peer);
        if (bytes == 0)
            continue;
        const int64_t offset =
            batch->packed
                ? list->bytes
                : find_offset_in_part(registry, &registry->data[batch->first], side, peer);
        list->messages[list->count++] =
            (struct message){peer, nereus_rank_map_rank(side.ranks, peer), offset, bytes};
        list->bytes += bytes;
    }
    return NEREUS_OK;
}

enum nereus_status nereus_schedule_make(const struct registry *registry,
                                        const struct parties *parties, const struct batch *batch,
                                        struct message_schedule *schedule, struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    memset(schedule, 0, sizeof *schedule);
    if (parties->source >= 0)
        status = list_messages(registry, batch, get_source_side(parties), &schedule->sends, err);
    if (status == NEREUS_OK && parties->target >= 0)
        status = list_messages(registry, batch, get_target_side(parties), &schedule->receives, err);
    if (!batch->packed)
        schedule->receive_into = registry->data[batch->first].next_part;
    if (status != NEREUS_OK)
        nereus_schedule_fini(schedule);
    return status;
}

/* Copy what a peer sends or receives of one array between its part and the buffer.
 * @return its bytes */
static int64_t copy_range(const struct registry *registry, const struct datum *datum,
                          struct side side, int64_t peer, unsigned char *buffer)
{
    const struct nereus_range moves = find_overlap(registry, datum, side, peer);
    const int64_t size = datum->entry.element_bytes, bytes = moves.count * size;
    unsigned char *part = side.sending ? datum->part : datum->next_part;
    if (bytes == 0)
        return 0;
    part += (moves.first - get_own_range(datum, side).first) * size;
    memcpy(side.sending ? buffer : part, side.sending ? part : buffer, (size_t)bytes);
    return bytes;
}

static int64_t copy_box(const struct registry *registry, const struct datum *datum,
                        struct side side, int64_t peer, unsigned char *buffer)
{
    const struct box own_box = nereus_datum_box(registry, datum, !side.sending);
    int64_t place;
    const struct nereus_grid *other_grid = find_other_grid(registry, datum, side, peer, &place);
    return side.sending
               ? nereus_box_pack(&own_box, other_grid, place, datum->entry.element_bytes, buffer)
               : nereus_box_unpack(&own_box, other_grid, place, datum->entry.element_bytes, buffer);
}

/* Copy the messages of one side between arrays and buffer. */
static void copy_packed(const struct registry *registry, const struct batch *batch,
                        struct side side, const struct message_schedule *schedule)
{
    const struct message_list *list = side.sending ? &schedule->sends : &schedule->receives;
    for (int64_t m = 0; batch->packed && m < list->count; m++) {
        unsigned char *position = (side.sending ? schedule->send_from : schedule->receive_into) +
                                  list->messages[m].offset;
        for (int64_t i = batch->first; i < batch->first + batch->count; i++) {
            const struct datum *datum = &registry->data[i];
            if (!is_selected_array(datum, batch->selection))
                continue;
            position += datum->entry.shape == NEREUS_FIELD
                            ? copy_box(registry, datum, side, list->messages[m].peer, position)
                            : copy_range(registry, datum, side, list->messages[m].peer, position);
        }
    }
}

void nereus_schedule_pack(const struct registry *registry, const struct parties *parties,
                          const struct batch *batch, const struct message_schedule *schedule)
{
    copy_packed(registry, batch, get_source_side(parties), schedule);
}

void nereus_schedule_unpack(const struct registry *registry, const struct parties *parties,
                            const struct batch *batch, const struct message_schedule *schedule)
{
    copy_packed(registry, batch, get_target_side(parties), schedule);
}

void nereus_schedule_fini(struct message_schedule *schedule)
{
    free(schedule->sends.messages);
    free(schedule->receives.messages);
    memset(schedule, 0, sizeof *schedule);
}

/* The elements of one array that a source keeps as a target. */
struct kept {
    const unsigned char *from;
    unsigned char *to;
    int64_t bytes;
};

static struct kept find_kept_elements(const struct datum *datum)
{
    const struct nereus_range stays = nereus_range_overlap(datum->range, datum->next_range);
    const int64_t size = datum->entry.element_bytes;
    if (stays.count == 0)
        return (struct kept){NULL, NULL, 0};
    return (struct kept){datum->part + (stays.first - datum->range.first) * size,
                         datum->next_part + (stays.first - datum->next_range.first) * size,
                         stays.count * size};
}

/* Copy at most `limit_bytes` of one array, after progress->bytes or progress->slice.
 * @return the bytes copied; *all: nothing is left */
static int64_t copy_kept_elements(const struct registry *registry, const struct datum *datum,
                                  int64_t limit_bytes, struct own_copy *progress, bool *all)
{
    int64_t now = 0;
    if (datum->entry.shape == NEREUS_FIELD) {
        const struct box from = nereus_datum_box(registry, datum, false),
                         to = nereus_datum_box(registry, datum, true);
        *all = nereus_box_copy(&from, &to, datum->entry.element_bytes, limit_bytes,
                               &progress->slice, &now);
        return now;
    }
    const struct kept kept = find_kept_elements(datum);
    const int64_t left = kept.bytes - progress->bytes;
    now = nereus_min(left, limit_bytes);
    if (now > 0)
        memcpy(kept.to + progress->bytes, kept.from + progress->bytes, (size_t)now);
    progress->bytes += now;
    *all = now == left;
    return now;
}

bool nereus_copy_own(const struct registry *registry, const struct parties *parties,
                     enum data_selection selection, int64_t limit_bytes, struct own_copy *progress)
{
    if (parties->source < 0 || parties->target < 0)
        return true;
    for (; progress->datum < registry->count;
         progress->datum++, progress->bytes = progress->slice = 0) {
        const struct datum *datum = &registry->data[progress->datum];
        bool all;
        if (!is_selected_array(datum, selection))
            continue;
        limit_bytes -=
            copy_kept_elements(registry, datum, nereus_max(0, limit_bytes), progress, &all);
        if (!all)
            return false;
    }
    return true;
}
