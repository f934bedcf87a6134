/**
 * @file registry.c
 * Implements the registry as a transaction: old parts are kept until new ones are complete in all
 * processes.
 */
#include "registry.h"

#include "custom.h"
#include "kept_parts.h"

/* Is the count of this entry a number of bytes, which may change? */
static bool is_count_in_bytes(const struct nereus_data_entry *entry)
{
    return entry->shape == NEREUS_CUSTOM || entry->placement == NEREUS_MOVED_BY_APPLICATION;
}

void nereus_entry_format(const struct nereus_data_entry *entry, char *text, size_t size)
{
    static const char *const forms[] = {[NEREUS_ARRAY] = "array",
                                        [NEREUS_BY_ROWS] = "matrix by rows",
                                        [NEREUS_BY_COLUMNS] = "matrix by columns",
                                        [NEREUS_CSR] = "CSR matrix",
                                        [NEREUS_CSC] = "CSC matrix",
                                        [NEREUS_INDICES] = "index list",
                                        [NEREUS_VALUES] = "value list",
                                        [NEREUS_CUSTOM] = "custom datum",
                                        [NEREUS_FIELD] = "field of a grid"};
    char across[48] = "";
    if (entry->undistributed > 0)
        snprintf(across, sizeof across, " x %lld", (long long)entry->undistributed);
    const int64_t one = entry->shape == NEREUS_BY_ROWS || entry->shape == NEREUS_BY_COLUMNS
                            ? entry->undistributed
                            : 1;
    snprintf(text, size, "a %s %s of %lld%s elements of %lld bytes",
             entry->kind == NEREUS_CONSTANT ? "constant" : "variable",
             entry->placement == NEREUS_REPLICATED ? "replicated list" : forms[entry->shape],
             (long long)entry->count, across,
             (long long)(entry->element_bytes / (one > 0 ? one : 1)));
}

uint64_t nereus_entry_hash(const struct nereus_data_entry *entry, uint64_t previous_hash)
{
    const int64_t numbers[] = {(int64_t)(previous_hash >> 1),
                               entry->element_bytes,
                               is_count_in_bytes(entry) ? 0 : entry->count,
                               entry->kind,
                               entry->placement,
                               (int64_t)nereus_hash(entry->name, strlen(entry->name)),
                               entry->shape,
                               entry->undistributed,
                               entry->partition};
    return nereus_hash(numbers, sizeof numbers);
}

int64_t nereus_registry_find(const struct registry *registry, const char *name)
{
    for (int64_t i = 0; i < registry->count; i++)
        if (strcmp(registry->data[i].entry.name, name) == 0)
            return i;
    return -1;
}

enum nereus_status nereus_registry_add(struct registry *registry,
                                       const struct nereus_data_entry *entry,
                                       struct nereus_error *err)
{
    NEREUS_TRY_GROW(registry->data, registry->count, err, "to register '%s'", entry->name);
    struct datum *datum = &registry->data[registry->count++];
    memset(datum, 0, sizeof *datum);
    datum->entry = *entry;
    datum->claimed =
        entry->placement == NEREUS_MOVED_BY_APPLICATION; /* registered by options.mover */
    return NEREUS_OK;
}

static enum nereus_status check_entry(const struct nereus_data_entry *own,
                                      const struct nereus_data_entry *recorded,
                                      struct nereus_error *err)
{
    char own_text[120], recorded_text[120];
    if (nereus_entry_hash(own, 0) == nereus_entry_hash(recorded, 0))
        return NEREUS_OK;
    nereus_entry_format(own, own_text, sizeof own_text);
    nereus_entry_format(recorded, recorded_text, sizeof recorded_text);
    return nereus_fail(err, NEREUS_ERR_MISMATCH,
                       "a datum is '%s', %s, here, and '%s', %s, in other processes", own->name,
                       own_text, recorded->name, recorded_text);
}

enum nereus_status nereus_registry_match(struct registry *registry,
                                         const struct nereus_request *request,
                                         struct nereus_error *err)
{
    if (registry->count <= request->data_count && registry->space_count > request->partition_count)
        return nereus_fail(err, NEREUS_ERR_MISMATCH,
                           "this process has registered %lld partitions, the others %lld",
                           (long long)registry->space_count, (long long)request->partition_count);
    if (registry->count > request->data_count)
        return nereus_fail(err, NEREUS_ERR_MISMATCH,
                           "this process has registered %lld data, the others %lld",
                           (long long)registry->count, (long long)request->data_count);
    for (int64_t i = 0; i < request->data_count; i++)
        if (i >= registry->count)
            NEREUS_TRY(nereus_registry_add(registry, &request->data[i], err));
        else
            NEREUS_TRY(check_entry(&registry->data[i].entry, &request->data[i], err));
    return nereus_spaces_set(registry, request, -1, err);
}

void *nereus_datum_values(const struct datum *datum)
{
    return datum->claimed ? datum->values : datum->part;
}

/* Bytes of a range. Row pointers are one more than the rows, for the end of the last row; a field
 * includes its halo. */
static int64_t count_bytes_in_range(const struct datum *datum,
                                    const struct nereus_partition *partition,
                                    struct nereus_range range, int64_t place)
{
    const bool pointers = datum->entry.shape == NEREUS_CSR || datum->entry.shape == NEREUS_CSC;
    const int64_t elements = datum->entry.shape == NEREUS_FIELD
                                 ? nereus_box_memory(&partition->grid, place).elements
                                 : range.count + (pointers ? 1 : 0);
    return elements * datum->entry.element_bytes;
}

int64_t nereus_datum_bytes(const struct registry *registry, const struct datum *datum)
{
    return datum->entry.placement == NEREUS_DISTRIBUTED
               ? count_bytes_in_range(datum, nereus_datum_before(registry, datum), datum->range,
                                      datum->place)
               : datum->entry.count * datum->entry.element_bytes;
}

/* Memory of a part; none for 0 bytes. */
static enum nereus_status allocate(const struct datum *datum, int64_t bytes, bool zeroed,
                                   unsigned char **part, struct nereus_error *err)
{
    *part = NULL;
    if (bytes == 0)
        return NEREUS_OK;
    *part = nereus_part_new((size_t)bytes, zeroed || datum->entry.shape == NEREUS_FIELD);
    NEREUS_TRY_MEMORY(*part, err, "for %lld bytes of '%s'", (long long)bytes, datum->entry.name);
    return NEREUS_OK;
}

enum nereus_status nereus_datum_allocate(const struct registry *registry, struct datum *datum,
                                         bool zeroed, struct nereus_error *err)
{
    return allocate(datum, nereus_datum_bytes(registry, datum), zeroed, &datum->part, err);
}

/* Allocate `bytes` of new data. */
static enum nereus_status allocate_next_part(struct datum *datum, int64_t bytes, int64_t rank,
                                             struct nereus_error *err)
{
    NEREUS_TRY(allocate(datum, bytes, false, &datum->next_part, err));
    nereus_part_name(datum->next_part, datum->entry.name, (int)rank);
    return NEREUS_OK;
}

static enum nereus_status prepare_datum(const struct registry *registry, struct datum *datum,
                                        int64_t processes, int64_t rank, struct nereus_error *err)
{
    nereus_part_free(datum->next_part);
    const struct nereus_partition *new_partition = nereus_datum_after(registry, datum);
    datum->next_range = new_partition == NULL ? nereus_block(datum->entry.count, processes, rank)
                                              : nereus_partition_range(new_partition, rank);
    datum->next_place =
        new_partition == NULL ? rank : nereus_partition_place_of(new_partition, rank);
    enum nereus_status status = allocate_next_part(
        datum, count_bytes_in_range(datum, new_partition, datum->next_range, datum->next_place),
        rank, err);
    if (status == NEREUS_OK && datum->entry.shape == NEREUS_CUSTOM)
        status = nereus_custom_list_pieces(registry, datum, rank, err);
    return status;
}

enum nereus_status nereus_custom_prepare(struct registry *registry, int64_t processes, int64_t rank,
                                         enum data_selection selection, struct nereus_error *err)
{
    for (int64_t i = 0; i < registry->count && rank >= 0; i++)
        if (nereus_is_custom(&registry->data[i], selection))
            NEREUS_TRY(prepare_datum(registry, &registry->data[i], processes, rank, err));
    return NEREUS_OK;
}

enum nereus_status nereus_registry_prepare(struct registry *registry, int64_t processes,
                                           int64_t rank, bool lacks_replicated,
                                           struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    for (int64_t i = 0; i < registry->count && status == NEREUS_OK; i++) {
        struct datum *datum = &registry->data[i];
        if (datum->entry.placement == NEREUS_DISTRIBUTED)
            status = prepare_datum(registry, datum, processes, rank, err);
        else if (lacks_replicated && datum->entry.placement == NEREUS_REPLICATED)
            status = allocate_next_part(datum, datum->entry.count * datum->entry.element_bytes,
                                        rank, err);
    }
    if (status != NEREUS_OK)
        nereus_registry_roll_back(registry);
    return status;
}

/* Count the elements that a process has before and after. */
static int64_t count_staying(const struct registry *registry, const struct datum *datum)
{
    if (datum->range.count == 0 || datum->next_range.count == 0)
        return 0;
    return datum->entry.shape == NEREUS_FIELD
               ? nereus_grid_overlap(&nereus_datum_before(registry, datum)->grid, datum->place,
                                     &nereus_datum_after(registry, datum)->grid, datum->next_place)
               : nereus_range_overlap(datum->next_range, datum->range).count;
}

/* Count the bytes that a target receives and those that it keeps. */
static void count_bytes(struct registry *registry)
{
    registry->staying_bytes = registry->coming_bytes = 0;
    for (int64_t i = 0; i < registry->count; i++) {
        const struct datum *datum = &registry->data[i];
        if (datum->entry.placement != NEREUS_DISTRIBUTED)
            continue;
        const int64_t stays = count_staying(registry, datum);
        registry->staying_bytes += stays * datum->entry.element_bytes;
        registry->coming_bytes += (datum->next_range.count - stays) * datum->entry.element_bytes;
    }
}

/* The pointers of a sparse matrix move as an array (api/data_sparse.c), and count from each
 * sender's first non-zero: make them count from the first non-zero of this process. */
static void rebase_pointers(const struct registry *registry, int64_t index)
{
    const struct datum *datum = &registry->data[index], *indices = &registry->data[index + 1];
    const struct nereus_partition *rows = nereus_datum_before(registry, datum);
    const struct nereus_partition *nonzeros = nereus_datum_before(registry, indices);
    int64_t *pointers = (int64_t *)(void *)datum->next_part;
    if (pointers == NULL)
        return;
    const struct nereus_range peers = nereus_partition_peers(rows, datum->next_range);
    for (int64_t place = peers.first; place < peers.first + peers.count; place++) {
        const struct nereus_range from =
            nereus_range_overlap(datum->next_range, nereus_partition_get_range(rows, place));
        const int64_t shift =
            nereus_partition_get_range(nonzeros, place).first - indices->next_range.first;
        for (int64_t i = 0; i < from.count; i++)
            pointers[from.first - datum->next_range.first + i] += shift;
    }
    pointers[datum->next_range.count] = indices->next_range.count;
}

void nereus_registry_commit(struct registry *registry, int rank, int64_t point)
{
    count_bytes(registry);
    for (int64_t i = 0; i < registry->count; i++)
        if (registry->data[i].entry.shape == NEREUS_CSR ||
            registry->data[i].entry.shape == NEREUS_CSC)
            rebase_pointers(registry, i);
    for (int64_t i = 0; i < registry->count; i++) {
        struct datum *datum = &registry->data[i];
        const bool distributed = datum->entry.placement == NEREUS_DISTRIBUTED;
        if (!distributed && datum->next_part == NULL)
            continue; /* values already in place */
        if (!distributed && datum->claimed) {
            memcpy(datum->values, datum->next_part,
                   (size_t)(datum->entry.count * datum->entry.element_bytes));
            nereus_part_free(datum->next_part);
        } else {
            nereus_part_retire(datum->part, datum->entry.name, rank, point);
            datum->part = datum->next_part;
            datum->range = datum->next_range;
            datum->place = datum->next_place;
        }
        datum->next_part = NULL;
    }
    registry->swaps = 0; /* new processes have made no swaps */
    nereus_spaces_commit(registry);
}

void nereus_registry_roll_back(struct registry *registry)
{
    for (int64_t i = 0; i < registry->count; i++) {
        struct datum *datum = &registry->data[i];
        nereus_part_free(datum->next_part);
        datum->next_part = NULL;
        if (datum->entry.shape == NEREUS_CUSTOM)
            nereus_custom_drop(datum, false);
    }
    nereus_spaces_roll_back(registry);
}

void nereus_registry_abandon(struct registry *registry)
{
    for (int64_t i = 0; i < registry->count; i++) {
        registry->data[i].next_part = NULL;
        if (registry->data[i].entry.shape == NEREUS_CUSTOM)
            nereus_custom_drop(&registry->data[i], true);
    }
    nereus_spaces_roll_back(registry);
}

void nereus_registry_release(struct registry *registry)
{
    for (int64_t i = 0; i < registry->count; i++) {
        struct datum *datum = &registry->data[i];
        if (datum->entry.shape == NEREUS_CUSTOM)
            nereus_custom_drop(datum, false);
        nereus_part_free(datum->part);
        datum->part = NULL;
        datum->range.count = 0;
    }
    registry->coming_bytes = registry->staying_bytes = 0;
    nereus_spaces_roll_back(registry);
}

void nereus_registry_fini(struct registry *registry)
{
    nereus_registry_roll_back(registry);
    nereus_registry_release(registry);
    nereus_kept_parts_free();
    for (int64_t i = 0; i < registry->space_count; i++)
        nereus_partition_fini(&registry->spaces[i].partition);
    free(registry->spaces);
    free(registry->data);
    memset(registry, 0, sizeof *registry);
}
