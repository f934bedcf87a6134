/** @file partition_table.c  Partitions of index spaces, present and next. */

#include "registry.h"

int64_t nereus_space_find(const struct registry *registry, const char *name, int64_t n)
{
    for (int64_t i = 0; i < registry->space_count; i++)
        if (registry->spaces[i].parent == 0 && strcmp(registry->spaces[i].name, name) == 0 &&
            (name[0] != '\0' || registry->spaces[i].partition.n == n))
            return i;
    return -1;
}

enum nereus_status nereus_space_add(struct registry *registry, const char *name, int64_t n,
                                    int64_t processes, int64_t parent, struct nereus_error *err)
{
    NEREUS_TRY_GROW(registry->spaces, registry->space_count, err, "to register a partition");
    struct index_space *space = &registry->spaces[registry->space_count++];
    *space =
        (struct index_space){.parent = parent, .partition = nereus_partition_block(n, processes)};
    strncpy(space->name, name, sizeof space->name - 1);
    return NEREUS_OK;
}

static const struct index_space *get_space(const struct registry *registry,
                                           const struct datum *datum)
{
    return datum->entry.partition == 0 ? NULL : &registry->spaces[datum->entry.partition - 1];
}

const struct nereus_partition *nereus_datum_before(const struct registry *registry,
                                                   const struct datum *datum)
{
    const struct index_space *space = get_space(registry, datum);
    return space == NULL ? NULL : &space->partition;
}

const struct nereus_partition *nereus_datum_after(const struct registry *registry,
                                                  const struct datum *datum)
{
    const struct index_space *space = get_space(registry, datum);
    return space == NULL ? NULL : &space->next_partition;
}

struct nereus_range nereus_datum_range(const struct registry *registry, const struct datum *datum,
                                       int64_t processes, int64_t rank)
{
    const struct index_space *space = get_space(registry, datum);
    if (space == NULL)
        return nereus_block(datum->entry.count, processes, rank);
    return nereus_partition_range(&space->partition, rank);
}

struct box nereus_datum_box(const struct registry *registry, const struct datum *datum, bool next)
{
    return next ? (struct box){&nereus_datum_after(registry, datum)->grid, datum->next_place,
                               datum->next_part}
                : (struct box){&nereus_datum_before(registry, datum)->grid, datum->place,
                               datum->part};
}

void nereus_datum_locate(const struct registry *registry, struct datum *datum, int64_t processes,
                         int64_t rank)
{
    const struct nereus_partition *partition = nereus_datum_before(registry, datum);
    datum->range = nereus_datum_range(registry, datum, processes, rank);
    datum->place = partition == NULL ? rank : nereus_partition_place_of(partition, rank);
}

/* Set the length of custom data in bytes, from the record; a source also stores the bytes of its
 * own part. */
static void set_custom_bytes(struct registry *registry, int64_t rank)
{
    for (int64_t i = 0; i < registry->count; i++) {
        struct datum *datum = &registry->data[i];
        if (datum->entry.shape != NEREUS_CUSTOM)
            continue;
        datum->entry.count = registry->spaces[datum->entry.partition - 1].partition.n;
        datum->range = (struct nereus_range){0, 0};
        if (rank >= 0)
            datum->range = nereus_datum_range(registry, datum, 0, rank);
    }
}

static enum nereus_status set_partitions(struct index_space *space,
                                         const struct nereus_data_partition *record,
                                         struct nereus_error *err)
{
    struct nereus_partition now = {0}, next = {0};
    enum nereus_status status = nereus_partition_copy(&record->old_ranges, &now, err);
    if (status == NEREUS_OK)
        status = nereus_partition_copy(&record->new_ranges, &next, err);
    /* The old partition stays valid after a failure. */
    if (status != NEREUS_OK) {
        nereus_partition_fini(&now);
        return status;
    }
    nereus_partition_fini(&space->partition);
    nereus_partition_fini(&space->next_partition);
    space->partition = now;
    space->next_partition = next;
    space->parent = record->parent;
    space->weights = record->weights;
    return NEREUS_OK;
}

enum nereus_status nereus_spaces_set(struct registry *registry,
                                     const struct nereus_request *request, int64_t rank,
                                     struct nereus_error *err)
{
    for (int64_t i = 0; i < request->partition_count; i++) {
        const struct nereus_data_partition *record = &request->partitions[i];
        if (i == registry->space_count)
            NEREUS_TRY(nereus_space_add(registry, record->name, record->old_ranges.n, request->ns,
                                        record->parent, err));
        NEREUS_TRY(set_partitions(&registry->spaces[i], record, err));
    }
    set_custom_bytes(registry, rank);
    return NEREUS_OK;
}

void nereus_spaces_commit(struct registry *registry)
{
    for (int64_t i = 0; i < registry->space_count; i++) {
        struct index_space *space = &registry->spaces[i];
        if (space->next_partition.processes == 0)
            continue;
        nereus_partition_fini(&space->partition);
        space->partition = space->next_partition;
        space->next_partition = (struct nereus_partition){0};
    }
}

void nereus_spaces_roll_back(struct registry *registry)
{
    for (int64_t i = 0; i < registry->space_count; i++)
        nereus_partition_fini(&registry->spaces[i].next_partition);
}
