/**
 * @file read.c
 * All processes read their ranges, compare checksums with the manifest, and agree.
 */
#include <sys/mman.h>
#include <sys/stat.h>

#include "checksums.h"
#include "own_data.h"
#include "src/mpi/large_counts.h"
#include "src/util/agree.h"
#include "src/util/clock.h"

/* ---- one datum: values, fields, sparse rows, custom elements, replicated values ---- */

/* A block is read in pieces that stay in the processor's cache. */
static const int64_t piece_bytes = 1 << 20;

/* This process' range of one datum. */
struct range_read {
    nereus_job *job;
    const char *path;
    int64_t datum;
    struct range_sum *sums;
};

static struct datum *get_datum(const struct range_read *read)
{
    return &read->job->registry.data[read->datum];
}

/* Read bytes first .. first + bytes - 1 of a file. */
static enum nereus_status read_bytes(const struct range_read *read, int kind, int64_t first,
                                     void *data, int64_t bytes, struct nereus_error *err)
{
    char name[NAME_MAX + 1];
    struct data_file file;
    nereus_datum_file_name(&read->job->registry, read->datum, kind, name);
    NEREUS_TRY(nereus_data_file_open(read->path, name, false, first, &file, err));
    const enum nereus_status status = nereus_data_file_read(&file, data, bytes, err);
    read->sums[read->datum * DATUM_FILE_COUNT + kind] = nereus_range_sum(&file);
    nereus_data_file_close(&file, err);
    return status;
}

/* Allocate memory for a part that is not of its final length; nothing for 0 bytes. */
static enum nereus_status allocate_part(struct datum *datum, int64_t bytes,
                                        struct nereus_error *err)
{
    if (bytes == 0)
        return NEREUS_OK;
    datum->part = nereus_part_new((size_t)bytes, false);
    NEREUS_TRY_MEMORY(datum->part, err, "for %lld bytes of '%s'", (long long)bytes,
                      datum->entry.name);
    return NEREUS_OK;
}

/* Read the bounds of this process' elements. All also read the end of their last element. Only the
 * last process counts it in its checksum, as for the others it is the beginning of the next
 * process' first element. */
static enum nereus_status read_bounds(const struct range_read *read, int kind, int64_t first,
                                      int64_t count, int64_t *bounds, struct nereus_error *err)
{
    const int64_t bytes = (int64_t)sizeof *bounds;
    const bool has_end = nereus_datum_has_end(read->job, get_datum(read));
    struct range_sum *sum = &read->sums[read->datum * DATUM_FILE_COUNT + kind];
    NEREUS_TRY(read_bytes(read, kind, first * bytes, bounds, (count + has_end) * bytes, err));
    if (!has_end) {
        const struct range_sum own = *sum;
        NEREUS_TRY(read_bytes(read, kind, (first + count) * bytes, bounds + count, bytes, err));
        *sum = own;
    }
    for (int64_t i = 0; i < count; i++)
        if (bounds[i + 1] < bounds[i] || bounds[i] < 0)
            return nereus_fail(err, NEREUS_ERR_PARSE, "the checkpoint of '%s' is damaged",
                               get_datum(read)->entry.name);
    return NEREUS_OK;
}

/* ---- sparse matrices ------------------------------------------------------------------------- */

static enum nereus_status read_pointers(const struct range_read *read, int64_t *first_nonzero,
                                        struct nereus_error *err)
{
    struct datum *datum = get_datum(read);
    const int64_t count = datum->range.count;
    NEREUS_TRY(allocate_part(datum, (count + 1) * datum->entry.element_bytes, err));
    int64_t *pointers = (int64_t *)(void *)datum->part;
    NEREUS_TRY(read_bounds(read, DATUM_FILE_VALUES, datum->range.first, count, pointers, err));
    *first_nonzero = pointers[0];
    for (int64_t i = 0; i <= count; i++)
        pointers[i] -= *first_nonzero;
    return NEREUS_OK;
}

/* Compute the bounds of the non-zeros from those of the rows. A process that has not read its
 * pointers sends -1, and all fail.
 * @param bounds  one more than processes */
static enum nereus_status compute_nonzero_bounds(const struct range_read *read, int64_t *bounds,
                                                 struct nereus_error *own_error)
{
    struct datum *indices = get_datum(read) + 1;
    struct registry *registry = &read->job->registry;
    struct index_space *space = &registry->spaces[indices->entry.partition - 1];
    const int size = read->job->size;
    struct nereus_partition partition;
    bounds[size] = indices->entry.count;
    for (int k = 0; k < size; k++)
        if (bounds[k] < 0)
            return own_error->status != NEREUS_OK
                       ? own_error->status
                       : nereus_fail(own_error, NEREUS_ERR_PARSE, "process %d could not read '%s'",
                                     k, get_datum(read)->entry.name);
    if (own_error->status != NEREUS_OK)
        return own_error->status;
    NEREUS_TRY(nereus_partition_make(bounds[size], size, bounds, NULL, &partition, own_error));
    nereus_partition_fini(&space->partition);
    space->partition = partition;
    for (int i = 0; i < 2; i++)
        indices[i].range = nereus_datum_range(registry, &indices[i], size, read->job->rank);
    return NEREUS_OK;
}

static enum nereus_status read_sparse(const struct range_read *read, struct nereus_error *own_error,
                                      struct nereus_error *err)
{
    int64_t first_nonzero = -1;
    int64_t *bounds = calloc((size_t)read->job->size + 1, sizeof *bounds);
    if (bounds == NULL) {
        nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the bounds of '%s'",
                    get_datum(read)->entry.name);
        nereus_abort_job(err); /* the others are in the gather */
    }
    if (own_error->status == NEREUS_OK &&
        read_pointers(read, &first_nonzero, own_error) != NEREUS_OK)
        first_nonzero = -1;
    const int code =
        MPI_Allgather(&first_nonzero, 1, MPI_INT64_T, bounds, 1, MPI_INT64_T, read->job->control);
    if (code == MPI_SUCCESS)
        compute_nonzero_bounds(read, bounds, own_error);
    free(bounds);
    return code == MPI_SUCCESS ? NEREUS_OK : nereus_mpi_failed(code, "MPI_Allgather", err);
}

/* ---- custom data ----------------------------------------------------------------------------- */

/* List the pieces: each element is one piece, as it was packed separately. */
static enum nereus_status list_pieces(struct datum *datum, struct nereus_range elements,
                                      const int64_t *offsets, struct nereus_error *err)
{
    datum->pieces = calloc((size_t)elements.count + 1, sizeof *datum->pieces);
    NEREUS_TRY_MEMORY(datum->pieces, err, "for the elements of '%s'", datum->entry.name);
    datum->elements = elements;
    datum->piece_count = elements.count;
    for (int64_t i = 0; i < elements.count; i++)
        datum->pieces[i] = (struct piece){.elements = {elements.first + i, 1},
                                          .bytes = offsets[i + 1] - offsets[i]};
    return NEREUS_OK;
}

static enum nereus_status read_custom(const struct range_read *read, struct nereus_error *err)
{
    struct datum *datum = get_datum(read);
    const struct index_space *space = nereus_datum_elements(&read->job->registry, datum);
    const struct nereus_range elements = nereus_partition_range(&space->partition, read->job->rank);
    int64_t *offsets = calloc((size_t)elements.count + 1, sizeof *offsets);
    NEREUS_TRY_MEMORY(offsets, err, "for the index of '%s'", datum->entry.name);
    enum nereus_status status =
        read_bounds(read, DATUM_FILE_INDEX, elements.first, elements.count, offsets, err);
    if (status == NEREUS_OK)
        status = list_pieces(datum, elements, offsets, err);
    const int64_t bytes = offsets[elements.count] - offsets[0];
    if (status == NEREUS_OK)
        status = allocate_part(datum, bytes, err);
    if (status == NEREUS_OK)
        status = read_bytes(read, DATUM_FILE_VALUES, offsets[0], datum->part, bytes, err);
    free(offsets);
    return status;
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* Read a block of the file for its checksum: the own box is not contiguous in a file of another
 * process grid. */
static enum nereus_status check_block(const struct range_read *read, struct nereus_error *err)
{
    const struct nereus_data_entry *entry = &get_datum(read)->entry;
    const struct nereus_range block = nereus_block(entry->count, read->job->size, read->job->rank);
    const int64_t bytes = block.count * entry->element_bytes;
    struct range_sum *sum = &read->sums[read->datum * DATUM_FILE_COUNT + DATUM_FILE_VALUES];
    struct data_file file;
    char name[NAME_MAX + 1];
    unsigned char *piece = malloc((size_t)piece_bytes);
    NEREUS_TRY_MEMORY(piece, err, "to read '%s'", entry->name);
    nereus_datum_file_name(&read->job->registry, read->datum, DATUM_FILE_VALUES, name);
    enum nereus_status status = nereus_data_file_open(
        read->path, name, false, block.first * entry->element_bytes, &file, err);
    for (int64_t done = 0; status == NEREUS_OK && done < bytes; done = file.bytes)
        status = nereus_data_file_read(&file, piece, nereus_min(piece_bytes, bytes - done), err);
    *sum = nereus_range_sum(&file);
    nereus_data_file_close(&file, err);
    free(piece);
    return status;
}

/* Copy from the boxes in the file, which have no halo, to the own box. */
static void copy_boxes(const struct range_read *read, unsigned char *mapped)
{
    struct datum *datum = get_datum(read);
    const struct box own_box = nereus_datum_box(&read->job->registry, datum, false);
    struct nereus_grid written =
        read->job->registry.spaces[datum->entry.partition - 1].written_grid;
    const struct nereus_range peers = nereus_grid_peers(own_box.grid, own_box.place, &written);
    memset(written.halo, 0, sizeof written.halo);
    for (int64_t place = peers.first; place < peers.first + peers.count; place++) {
        const struct box from = {&written, place,
                                 mapped + nereus_grid_range(&written, place).first *
                                              datum->entry.element_bytes};
        int64_t slice = 0, done = 0;
        nereus_box_copy(&from, &own_box, datum->entry.element_bytes, INT64_MAX, &slice, &done);
    }
}

static enum nereus_status read_field(const struct range_read *read, struct nereus_error *err)
{
    struct datum *datum = get_datum(read);
    const int64_t bytes = datum->entry.count * datum->entry.element_bytes;
    char name[NAME_MAX + 1];
    struct data_file file;
    NEREUS_TRY(nereus_datum_allocate(&read->job->registry, datum, false, err));
    NEREUS_TRY(check_block(read, err));
    nereus_datum_file_name(&read->job->registry, read->datum, DATUM_FILE_VALUES, name);
    NEREUS_TRY(nereus_data_file_open(read->path, name, false, 0, &file, err));
    struct stat found;
    void *mapped = MAP_FAILED;
    enum nereus_status status = NEREUS_OK;
    if (fstat(file.descriptor, &found) == 0 && found.st_size < bytes) {
        /* boxes reach beyond this process' block, and a mapping beyond the end into SIGBUS */
        status = nereus_fail(err, NEREUS_ERR_IO, "'%.300s' ends after %lld bytes, too early",
                             file.path, (long long)found.st_size);
    } else {
        mapped = mmap(NULL, (size_t)bytes, PROT_READ, MAP_PRIVATE, file.descriptor, 0);
        if (mapped == MAP_FAILED)
            status = nereus_fail(err, NEREUS_ERR_IO, "'%.300s' cannot be mapped: %s", file.path,
                                 strerror(errno));
    }
    if (status == NEREUS_OK) {
        copy_boxes(read, mapped);
        munmap(mapped, (size_t)bytes);
    }
    nereus_data_file_close(&file, err);
    return status;
}

/* ---- other data ------------------------------------------------------------------------------ */

/* Rank 0 reads replicated values and broadcasts them: one access to the file system. */
static enum nereus_status read_replicated(const struct range_read *read,
                                          struct nereus_error *own_error, struct nereus_error *err)
{
    struct datum *datum = get_datum(read);
    const int64_t bytes = datum->entry.count * datum->entry.element_bytes;
    if (datum->part == NULL && allocate_part(datum, bytes, err) != NEREUS_OK)
        nereus_abort_job(err); /* the others are in the broadcast */
    if (read->job->rank == 0 && own_error->status == NEREUS_OK)
        read_bytes(read, DATUM_FILE_VALUES, 0, datum->part, bytes, own_error);
    if (bytes > 0)
        NEREUS_MPI(MPI_Bcast_c(datum->part, (MPI_Count)bytes, MPI_BYTE, 0, read->job->control),
                   err);
    return NEREUS_OK;
}

static enum nereus_status read_range(const struct range_read *read, struct nereus_error *err)
{
    struct datum *datum = get_datum(read);
    const int64_t bytes = datum->range.count * datum->entry.element_bytes;
    NEREUS_TRY(nereus_datum_allocate(&read->job->registry, datum, false, err));
    return read_bytes(read, DATUM_FILE_VALUES, datum->range.first * datum->entry.element_bytes,
                      datum->part, bytes, err);
}

static enum nereus_status read_datum(const struct range_read *read, struct nereus_error *own_error,
                                     struct nereus_error *err)
{
    struct datum *datum = get_datum(read);
    const struct nereus_data_entry *entry = &datum->entry;
    if (entry->placement == NEREUS_MOVED_BY_APPLICATION) /* mover_file.c */
        return NEREUS_OK;
    if (entry->placement == NEREUS_REPLICATED)
        return read_replicated(read, own_error, err);
    if (entry->shape != NEREUS_CUSTOM)
        nereus_datum_locate(&read->job->registry, datum, read->job->size, read->job->rank);
    if (entry->shape == NEREUS_CSR || entry->shape == NEREUS_CSC)
        return read_sparse(read, own_error, err);
    if (own_error->status == NEREUS_OK && entry->shape == NEREUS_CUSTOM)
        read_custom(read, own_error);
    else if (own_error->status == NEREUS_OK && entry->shape == NEREUS_FIELD)
        read_field(read, own_error);
    else if (own_error->status == NEREUS_OK)
        read_range(read, own_error);
    return NEREUS_OK;
}

/* Read all data, into a registry that has been set to the checkpoint's data (state_file.h).
 * @param[out] sums     DATUM_FILE_COUNT of each datum, zeroed by the caller
 * @param[in,out] own_error  a failure of this process, before or during the call: it still takes
 * part in the collectives, but reads nothing more Collective over control. */
static enum nereus_status read_data(nereus_job *job, const char *path, struct range_sum *sums,
                                    struct nereus_error *own_error, struct nereus_error *err)
{
    for (int64_t i = 0; i < job->registry.count; i++)
        NEREUS_TRY(read_datum(&(const struct range_read){job, path, i, sums}, own_error, err));
    return NEREUS_OK;
}

/* ---- all data ---- */

/* Rank 0: compare the form of a datum with the manifest's entry of its name. */
static enum nereus_status compare_form(const struct datum *datum,
                                       const struct nereus_checkpoint_object *object,
                                       struct nereus_error *err)
{
    if (strcmp(datum->entry.name, object->entry.name) == 0)
        return NEREUS_OK;
    return nereus_fail(err, NEREUS_ERR_PARSE,
                       "manifest and state of the checkpoint do not fit each other ('%s', '%s')",
                       object->entry.name, datum->entry.name);
}

static enum nereus_status compare_file(const nereus_job *job, const struct range_sums *sums,
                                       int64_t datum, int kind,
                                       const struct nereus_checkpoint_file *file,
                                       struct nereus_error *err)
{
    const struct range_sum sum = nereus_sums_combine(job, sums, datum, kind);
    if (sum.bytes == file->bytes && sum.crc32 == (int64_t)file->crc32)
        return NEREUS_OK;
    return nereus_fail(err, NEREUS_ERR_PARSE, "its file '%s' is damaged: %s is wrong", file->name,
                       sum.bytes != file->bytes ? "its length" : "the checksum");
}

static enum nereus_status compare_data(const nereus_job *job, const struct range_sums *sums,
                                       const struct nereus_checkpoint *checkpoint,
                                       struct nereus_error *err)
{
    for (int64_t i = 0; i < job->registry.count; i++) {
        const struct nereus_checkpoint_object *object = &checkpoint->objects[i];
        NEREUS_TRY(compare_form(&job->registry.data[i], object, err));
        nereus_text_copy(object->type, job->registry.data[i].written_type,
                         sizeof job->registry.data[i].written_type);
        NEREUS_TRY(compare_file(job, sums, i, DATUM_FILE_VALUES, &object->values, err));
        if (object->entry.shape == NEREUS_CUSTOM)
            NEREUS_TRY(compare_file(job, sums, i, DATUM_FILE_INDEX, &object->index, err));
    }
    return NEREUS_OK;
}

static enum nereus_status read_all(const struct checkpoint_source *source, struct mover_file *file,
                                   double *read_s, struct nereus_error *own_error,
                                   struct nereus_error *err)
{
    nereus_job *job = file->job;
    struct nereus_error verdict;
    struct range_sums sums;
    nereus_sums_init(job, &sums);
    enum nereus_status status = nereus_mover_file_access(file, sums.own_sums, own_error, err);
    if (status == NEREUS_OK)
        status = read_data(job, source->path, sums.own_sums, own_error, err);
    *read_s = nereus_skewed_monotonic_s();
    if (status == NEREUS_OK)
        status = nereus_sums_gather(job, &sums, err);
    if (status == NEREUS_OK) /* a process that could not read has no checksums */
        status = nereus_agree_intra(job->control, own_error, 0, NEREUS_WAIT_ASLEEP, &verdict, err);
    if (status == NEREUS_OK && job->rank == 0 && verdict.status == NEREUS_OK)
        compare_data(job, &sums, source->checkpoint, own_error);
    for (int64_t i = 0; i < job->registry.count; i++)
        if (job->registry.data[i].entry.placement == NEREUS_DISTRIBUTED)
            job->registry.coming_bytes +=
                sums.own_sums[i * DATUM_FILE_COUNT + DATUM_FILE_VALUES].bytes;
    nereus_sums_fini(&sums);
    return status;
}

enum nereus_status nereus_read_checkpoint(nereus_job *job, const struct checkpoint_source *source,
                                          double *read_s, struct nereus_error *verdict,
                                          struct nereus_error *err)
{
    struct mover_file file = {job, source->path, source->writers, false};
    struct nereus_error own_error = *source->failure;
    if (own_error.status == NEREUS_OK)
        nereus_mover_file_check(job, &own_error);
    /* A process without a registry takes part in no collective operation from here on. */
    NEREUS_TRY(nereus_agree_intra(job->control, &own_error, (uint64_t)job->registry.count,
                                  NEREUS_WAIT_AWAKE, verdict, err));
    if (verdict->status != NEREUS_OK)
        return NEREUS_OK;
    NEREUS_TRY(read_all(source, &file, read_s, &own_error, err));
    NEREUS_TRY(nereus_agree_intra(job->control, &own_error, 0, NEREUS_WAIT_ASLEEP, verdict, err));
    nereus_mover_file_end(&file, verdict->status == NEREUS_OK);
    return NEREUS_OK;
}
