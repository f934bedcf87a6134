/**
 * @file write_data.c
 * Writes each kind of datum: values, fields, sparse rows, custom elements, replicated values.
 */

#include "own_data.h"
#include "src/move/custom.h"

/* Numbers, or packed bytes, that are collected for one write. */
enum { CHUNK_NUMBERS = 1 << 15 };
static const int64_t chunk_bytes = 1 << 20;

/* This process' range of one datum. */
struct range_write {
    const struct data_write *all_data;
    int64_t datum;
};

static const nereus_job *get_job(const struct range_write *write)
{
    return write->all_data->job;
}

static const struct datum *get_datum(const struct range_write *write)
{
    return &get_job(write)->registry.data[write->datum];
}

/* Bytes that are stored in memory as in the file. */
struct bytes {
    const void *data;
    int64_t count;
};

static enum nereus_status write_memory(struct data_file *file, const void *what,
                                       struct nereus_error *err)
{
    const struct bytes *bytes = what;
    return nereus_data_file_write(file, bytes->data, bytes->count, err);
}

/* Is this the library's own memory, of data that does not change? */
static bool is_constant_memory(const struct datum *datum, const struct bytes *bytes)
{
    return datum->entry.kind == NEREUS_CONSTANT && datum->entry.shape != NEREUS_CUSTOM &&
           bytes->count > 0 && bytes->data == datum->part;
}

/* Write a range of one of the datum's files, by the writer. */
static enum nereus_status write_range(const struct range_write *write, int kind,
                                      struct nereus_range bytes, range_writer *writer,
                                      const void *what, struct nereus_error *err)
{
    char name[NEREUS_CHECKPOINT_FILE_MAX];
    struct write_behind *write_behind = write->all_data->write_behind;
    const struct range_target target = {
        .folder = write->all_data->path,
        .name = nereus_datum_file_name(&get_job(write)->registry, write->datum, kind, name),
        .offset = bytes.first,
        .bytes = bytes.count,
        .sum = &write->all_data->sums[write->datum * DATUM_FILE_COUNT + kind]};
    if (write_behind != NULL && writer == write_memory &&
        is_constant_memory(get_datum(write), what))
        return nereus_write_behind_add_constant(write_behind, &target,
                                                ((const struct bytes *)what)->data, err);
    return nereus_write_behind_range(write_behind, &target, writer, what, err);
}

static enum nereus_status write_bytes(const struct range_write *write, int64_t offset,
                                      const void *data, int64_t bytes, struct nereus_error *err)
{
    return write_range(write, DATUM_FILE_VALUES, (struct nereus_range){offset, bytes}, write_memory,
                       &(const struct bytes){data, bytes}, err);
}

/* A list of `count` numbers base + from[i]. */
struct numbers {
    const int64_t *from;
    int64_t count, base;
};

static enum nereus_status write_offset_numbers(struct data_file *file, const void *what,
                                               struct nereus_error *err)
{
    const struct numbers *numbers = what;
    int64_t chunk[CHUNK_NUMBERS];
    for (int64_t done = 0; done < numbers->count;) {
        const int64_t left = numbers->count - done, n = left < CHUNK_NUMBERS ? left : CHUNK_NUMBERS;
        for (int64_t i = 0; i < n; i++)
            chunk[i] = numbers->base + numbers->from[done + i];
        NEREUS_TRY(nereus_data_file_write(file, chunk, n * (int64_t)sizeof *chunk, err));
        done += n;
    }
    return NEREUS_OK;
}

/* @param first  index of the first number in the file */
static enum nereus_status write_numbers(const struct range_write *write, int kind, int64_t first,
                                        const struct numbers *numbers, struct nereus_error *err)
{
    const int64_t each = (int64_t)sizeof *numbers->from;
    return write_range(write, kind, (struct nereus_range){first * each, numbers->count * each},
                       write_offset_numbers, numbers, err);
}

/* Count the bounds that this process writes: one per element, and one more if it also writes the
 * end of the last element. */
static int64_t count_bounds(const struct range_write *write, int64_t elements)
{
    return elements + nereus_datum_has_end(get_job(write), get_datum(write));
}

/* The pointers of a process count from its first non-zero; those in the file count from the first
 * non-zero of the matrix. The next datum, the indices, has the offset in its range. */
static enum nereus_status write_pointers(const struct range_write *write, struct nereus_error *err)
{
    const struct datum *datum = get_datum(write);
    const struct numbers pointers = {(const int64_t *)(const void *)datum->part,
                                     count_bounds(write, datum->range.count), datum[1].range.first};
    return write_numbers(write, DATUM_FILE_VALUES, datum->range.first, &pointers, err);
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* Own elements of a box without its halo, collected into few writes. */
struct box_write {
    struct data_file *file;
    const struct box *box;
    unsigned char *buffer;
    int64_t filled;
    enum nereus_status status;
    struct nereus_error *err;
};

static void flush_box(struct box_write *to)
{
    if (to->status == NEREUS_OK)
        to->status = nereus_data_file_write(to->file, to->buffer, to->filled, to->err);
    to->filled = 0;
}

static void write_run(struct box_visit *visit, int64_t at_a, int64_t at_b, int64_t count)
{
    struct box_write *to = visit->user;
    const unsigned char *from = to->box->part + at_a * visit->element_bytes;
    (void)at_b;
    for (int64_t left = count * visit->element_bytes; left > 0;) {
        const int64_t space = chunk_bytes - to->filled, now = left < space ? left : space;
        memcpy(to->buffer + to->filled, from, (size_t)now);
        to->filled += now;
        from += now;
        left -= now;
        if (to->filled == chunk_bytes)
            flush_box(to);
    }
}

static enum nereus_status write_box(struct data_file *file, const void *what,
                                    struct nereus_error *err)
{
    const struct range_write *write = what;
    const struct datum *datum = get_datum(write);
    const struct box box = nereus_datum_box(&get_job(write)->registry, datum, false);
    struct box_write to = {file, &box, malloc((size_t)chunk_bytes), 0, NEREUS_OK, err};
    struct box_visit visit =
        nereus_box_visit_of(&box, box.grid, box.place, datum->entry.element_bytes);
    NEREUS_TRY_MEMORY(to.buffer, err, "to write '%s'", datum->entry.name);
    visit.run = write_run;
    visit.user = &to;
    if (datum->range.count > 0)
        nereus_box_visit(&visit);
    flush_box(&to);
    free(to.buffer);
    return to.status;
}

/* Boxes follow each other in box order. */
static enum nereus_status write_field(const struct range_write *write, struct nereus_error *err)
{
    const struct datum *datum = get_datum(write);
    const int64_t each = datum->entry.element_bytes;
    return write_range(write, DATUM_FILE_VALUES,
                       (struct nereus_range){datum->range.first * each, datum->range.count * each},
                       write_box, write, err);
}

/* ---- custom data ----------------------------------------------------------------------------- */

static enum nereus_status write_index(const struct range_write *write,
                                      const struct custom_sizes *sizes, struct nereus_error *err)
{
    int64_t offset = sizes->offset_bytes;
    int64_t *offsets = malloc(((size_t)sizes->elements.count + 1) * sizeof *offsets);
    NEREUS_TRY_MEMORY(offsets, err, "for the index of '%s'", get_datum(write)->entry.name);
    for (int64_t i = 0; i < sizes->elements.count; offset += sizes->sizes[i++])
        offsets[i] = offset;
    offsets[sizes->elements.count] = offset;
    const struct numbers numbers = {offsets, count_bounds(write, sizes->elements.count), 0};
    const enum nereus_status status =
        write_numbers(write, DATUM_FILE_INDEX, sizes->elements.first, &numbers, err);
    free(offsets);
    return status;
}

struct packing {
    const struct range_write *write;
    const struct custom_sizes *sizes;
    unsigned char *buffer;
    int64_t capacity;
};

/* Pack elements into the buffer, which is written when the next one does not fit. */
static enum nereus_status write_packed_elements(struct data_file *file, const void *what,
                                                struct nereus_error *err)
{
    const struct packing *packing = what;
    const struct custom_sizes *sizes = packing->sizes;
    int64_t filled = 0;
    for (int64_t i = 0; i < sizes->elements.count; i++) {
        const struct nereus_range element = {sizes->elements.first + i, 1};
        if (filled + sizes->sizes[i] > packing->capacity) {
            NEREUS_TRY(nereus_data_file_write(file, packing->buffer, filled, err));
            filled = 0;
        }
        NEREUS_TRY(nereus_custom_pack_piece(get_datum(packing->write), element,
                                            packing->buffer + filled, sizes->sizes[i], err));
        filled += sizes->sizes[i];
    }
    return nereus_data_file_write(file, packing->buffer, filled, err);
}

static enum nereus_status write_packed(const struct range_write *write,
                                       const struct custom_sizes *sizes, struct nereus_error *err)
{
    const int64_t capacity = nereus_max(sizes->largest_bytes, chunk_bytes);
    const struct packing packing = {
        write, sizes, malloc((size_t)(capacity + NEREUS_CUSTOM_SLACK_BYTES)), capacity};
    NEREUS_TRY_MEMORY(packing.buffer, err, "to pack '%s'", get_datum(write)->entry.name);
    const enum nereus_status status = write_range(
        write, DATUM_FILE_VALUES, (struct nereus_range){sizes->offset_bytes, sizes->total_bytes},
        write_packed_elements, &packing, err);
    free(packing.buffer);
    return status;
}

static enum nereus_status write_custom(const struct range_write *write,
                                       struct nereus_error *own_error, struct nereus_error *err)
{
    const struct datum *datum = get_datum(write);
    struct custom_sizes sizes = {.sizes = NULL};
    if (own_error->status == NEREUS_OK &&
        nereus_custom_measure(get_job(write), datum, &sizes, own_error) != NEREUS_OK)
        sizes.total_bytes = 0;
    const enum nereus_status status = nereus_custom_find_offset(get_job(write), datum, &sizes, err);
    if (status == NEREUS_OK && own_error->status == NEREUS_OK &&
        write_index(write, &sizes, own_error) == NEREUS_OK) {
        if (datum->claimed)
            write_packed(write, &sizes, own_error);
        else
            write_bytes(write, sizes.offset_bytes, datum->part, sizes.total_bytes, own_error);
    }
    nereus_custom_sizes_fini(&sizes);
    return status;
}

/* ---- all data -------------------------------------------------------------------------------- */

/* Write data of fixed length. Rank 0 writes replicated values; the application writes the data that
 * it moves itself (mover_file.c). */
static enum nereus_status write_fixed(const struct range_write *write, struct nereus_error *err)
{
    const struct datum *datum = get_datum(write);
    const struct nereus_data_entry *entry = &datum->entry;
    if (entry->placement == NEREUS_MOVED_BY_APPLICATION)
        return NEREUS_OK;
    if (entry->placement == NEREUS_REPLICATED)
        return get_job(write)->rank != 0
                   ? NEREUS_OK
                   : write_bytes(write, 0, nereus_datum_values(datum),
                                 nereus_datum_bytes(&get_job(write)->registry, datum), err);
    if (entry->shape == NEREUS_CSR || entry->shape == NEREUS_CSC)
        return write_pointers(write, err);
    if (entry->shape == NEREUS_FIELD &&
        nereus_grid_has_halo(&nereus_datum_before(&get_job(write)->registry, datum)->grid))
        return write_field(write, err);
    return write_bytes(write, datum->range.first * entry->element_bytes, datum->part,
                       datum->range.count * entry->element_bytes, err);
}

enum nereus_status nereus_write_data(const struct data_write *all_data,
                                     struct nereus_error *own_error, struct nereus_error *err)
{
    for (int64_t i = 0; i < all_data->job->registry.count; i++) {
        const struct range_write write = {all_data, i};
        if (all_data->job->registry.data[i].entry.shape == NEREUS_CUSTOM)
            NEREUS_TRY(write_custom(&write, own_error, err));
        else if (own_error->status == NEREUS_OK)
            write_fixed(&write, own_error);
    }
    return NEREUS_OK;
}
