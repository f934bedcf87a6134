#include "write_data.h"

#include <stdlib.h>
#include <string.h>

#include "custom_sizes.h"
#include "src/move/custom.h"
#include "src/util/error.h"

/* Numbers or packed bytes that are collected for one write. */
enum { CHUNK_NUMBERS = 1 << 15 };
static const int64_t CHUNK_BYTES = 1 << 20;

/* Own range of one file. */
struct range_write {
    const nereus_job *job;
    const char *path;
    int64_t datum;
    struct range_sum *sums;
};

static const struct datum *datum_of(const struct range_write *write)
{
    return &write->job->registry.data[write->datum];
}

static enum nereus_status open_file(const struct range_write *write, int kind, int64_t offset,
                                    struct data_file *file, struct nereus_error *err)
{
    char name[NAME_MAX + 1];
    nereus_datum_file_name(&write->job->registry, write->datum, kind, name);
    return nereus_data_file_open(write->path, name, true, offset, file, err);
}

/* Close, also after a failure, which stays the one that is reported. */
static enum nereus_status close_file(const struct range_write *write, int kind,
                                     enum nereus_status status, struct data_file *file,
                                     struct nereus_error *err)
{
    struct nereus_error ignored;
    const enum nereus_status closed =
        nereus_data_file_close(file, status == NEREUS_OK ? err : &ignored);
    write->sums[write->datum * FILES_PER_DATUM + kind] = nereus_range_sum(file);
    return status == NEREUS_OK ? closed : status;
}

/* Bytes that are in memory as they are in the file. */
static enum nereus_status write_bytes(const struct range_write *write, int64_t offset,
                                      const void *data, int64_t bytes, struct nereus_error *err)
{
    struct data_file file;
    NEREUS_TRY(open_file(write, FILE_VALUES, offset, &file, err));
    const enum nereus_status status = nereus_data_file_write(&file, data, bytes, err);
    return close_file(write, FILE_VALUES, status, &file, err);
}

/* Write the numbers base + from[i], of `count`. */
static enum nereus_status write_numbers(struct data_file *file, const int64_t *from, int64_t count,
                                        int64_t base, struct nereus_error *err)
{
    int64_t chunk[CHUNK_NUMBERS];
    for (int64_t done = 0; done < count;) {
        const int64_t n = count - done < CHUNK_NUMBERS ? count - done : CHUNK_NUMBERS;
        for (int64_t i = 0; i < n; i++)
            chunk[i] = base + from[done + i];
        NEREUS_TRY(nereus_data_file_write(file, chunk, n * (int64_t)sizeof *chunk, err));
        done += n;
    }
    return NEREUS_OK;
}

/* Pointers count from the first non-zero of the process; in the file, from that of the matrix. The
 * indices, whose range says where that is, are the next datum. */
static enum nereus_status write_pointers(const struct range_write *write, struct nereus_error *err)
{
    const struct datum *datum = datum_of(write);
    struct data_file file;
    const int64_t count = datum->range.count + nereus_datum_has_end(write->job, datum);
    NEREUS_TRY(
        open_file(write, FILE_VALUES, datum->range.first * datum->entry.element_bytes, &file, err));
    const enum nereus_status status = write_numbers(
        &file, (const int64_t *)(const void *)datum->part, count, datum[1].range.first, err);
    return close_file(write, FILE_VALUES, status, &file, err);
}

/* ---- custom data ----------------------------------------------------------------------------- */

static enum nereus_status write_index(const struct range_write *write,
                                      const struct custom_sizes *sizes, struct nereus_error *err)
{
    const struct datum *datum = datum_of(write);
    struct data_file file;
    int64_t at = sizes->before;
    enum nereus_status status = NEREUS_OK;
    int64_t *offsets = malloc(((size_t)sizes->elements.count + 1) * sizeof *offsets);
    NEREUS_TRY_MEMORY(offsets, err, "for the index of '%s'", datum->entry.name);
    for (int64_t i = 0; i < sizes->elements.count; at += sizes->sizes[i++])
        offsets[i] = at;
    offsets[sizes->elements.count] = at;
    status =
        open_file(write, FILE_INDEX, sizes->elements.first * (int64_t)sizeof *offsets, &file, err);
    if (status == NEREUS_OK) {
        const int64_t count = sizes->elements.count + nereus_datum_has_end(write->job, datum);
        status = write_numbers(&file, offsets, count, 0, err);
        status = close_file(write, FILE_INDEX, status, &file, err);
    }
    free(offsets);
    return status;
}

/* Pack elements into a buffer, which is written when the next one does not fit. */
static enum nereus_status pack_elements(const struct range_write *write,
                                        const struct custom_sizes *sizes, struct data_file *file,
                                        unsigned char *buffer, struct nereus_error *err)
{
    const int64_t capacity = sizes->largest > CHUNK_BYTES ? sizes->largest : CHUNK_BYTES;
    int64_t filled = 0;
    for (int64_t i = 0; i < sizes->elements.count; i++) {
        const struct nereus_range element = {sizes->elements.first + i, 1};
        if (filled + sizes->sizes[i] > capacity) {
            NEREUS_TRY(nereus_data_file_write(file, buffer, filled, err));
            filled = 0;
        }
        NEREUS_TRY(nereus_custom_pack_piece(datum_of(write), element, buffer + filled,
                                            sizes->sizes[i], err));
        filled += sizes->sizes[i];
    }
    return nereus_data_file_write(file, buffer, filled, err);
}

static enum nereus_status write_packed(const struct range_write *write,
                                       const struct custom_sizes *sizes, struct nereus_error *err)
{
    struct data_file file;
    const int64_t capacity = sizes->largest > CHUNK_BYTES ? sizes->largest : CHUNK_BYTES;
    unsigned char *buffer = malloc((size_t)(capacity + NEREUS_CUSTOM_SLACK_BYTES));
    NEREUS_TRY_MEMORY(buffer, err, "to pack '%s'", datum_of(write)->entry.name);
    enum nereus_status status = open_file(write, FILE_VALUES, sizes->before, &file, err);
    if (status == NEREUS_OK) {
        status = pack_elements(write, sizes, &file, buffer, err);
        status = close_file(write, FILE_VALUES, status, &file, err);
    }
    free(buffer);
    return status;
}

static enum nereus_status write_custom(const struct range_write *write, struct nereus_error *mine,
                                       struct nereus_error *err)
{
    const struct datum *datum = datum_of(write);
    struct custom_sizes sizes = {.sizes = NULL};
    if (mine->status == NEREUS_OK &&
        nereus_custom_measure(write->job, datum, &sizes, mine) != NEREUS_OK)
        sizes.total = 0;
    const enum nereus_status status = nereus_custom_place(write->job, datum, &sizes, err);
    if (status == NEREUS_OK && mine->status == NEREUS_OK &&
        write_index(write, &sizes, mine) == NEREUS_OK) {
        if (datum->claimed)
            write_packed(write, &sizes, mine);
        else
            write_bytes(write, sizes.before, datum->part, sizes.total, mine);
    }
    nereus_custom_sizes_fini(&sizes);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Data of fixed length. A replicated one is written by rank 0; what the application moves, by
 * itself (mover_file.h). */
static enum nereus_status write_fixed(const struct range_write *write, struct nereus_error *err)
{
    const struct datum *datum = datum_of(write);
    const struct nereus_data_entry *entry = &datum->entry;
    if (entry->placement == NEREUS_MOVED_BY_APPLICATION)
        return NEREUS_OK;
    if (entry->placement == NEREUS_REPLICATED)
        return write->job->rank != 0 ? NEREUS_OK
                                     : write_bytes(write, 0, nereus_datum_values(datum),
                                                   nereus_datum_bytes(datum), err);
    if (entry->shape == NEREUS_CSR || entry->shape == NEREUS_CSC)
        return write_pointers(write, err);
    return write_bytes(write, datum->range.first * entry->element_bytes, datum->part,
                       datum->range.count * entry->element_bytes, err);
}

enum nereus_status nereus_write_data(const nereus_job *job, const char *path,
                                     struct range_sum *sums, struct nereus_error *mine,
                                     struct nereus_error *err)
{
    for (int64_t i = 0; i < job->registry.count; i++) {
        const struct range_write write = {job, path, i, sums};
        if (job->registry.data[i].entry.shape == NEREUS_CUSTOM)
            NEREUS_TRY(write_custom(&write, mine, err));
        else if (mine->status == NEREUS_OK)
            write_fixed(&write, mine);
    }
    return NEREUS_OK;
}
