/**
 * @file data.c
 * Registers the application's data: arrays, matrices and replicated values.
 */
#include "data.h"

#include "src/mpi/large_counts.h"
#include "src/mpi/mpi_library.h"

/* Find the number of a predefined type; TYPE_NOT_PREDEFINED: only its size is known. */
static enum nereus_status find_type_number(MPI_Datatype type, int64_t *number,
                                           struct nereus_error *err)
{
    /* large counts, as the types of mpi4py have them */
    MPI_Count integers, addresses, counts, types;
    int combiner;
    NEREUS_MPI(MPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner),
               err);
    *number =
        combiner == MPI_COMBINER_NAMED ? nereus_mpi_number_of_type(type) : TYPE_NOT_PREDEFINED;
    return NEREUS_OK;
}

/* Find the bytes of one element. The padding of a predefined pair (MPI_DOUBLE_INT) is part of the
 * element, as in a C struct; a gap in a derived type may contain other data. */
static enum nereus_status measure_element(MPI_Datatype type, const char *name, int64_t *bytes,
                                          struct nereus_error *err)
{
    MPI_Count size, lower, extent;
    int64_t number = TYPE_NOT_PREDEFINED;
    if (type == MPI_DATATYPE_NULL) /* check first: MPI's default error handler would end the job */
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "'%s': MPI_DATATYPE_NULL is no type of elements", name);
    NEREUS_MPI(MPI_Type_size_x(type, &size), err);
    NEREUS_MPI(MPI_Type_get_extent_x(type, &lower, &extent), err);
    NEREUS_TRY(find_type_number(type, &number, err));
    if (size < 1 || lower != 0 || (extent != size && number == TYPE_NOT_PREDEFINED))
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "'%s': its type has gaps (size %lld, extent %lld): register elements of as many bytes "
            "as they take in memory (MPI_Type_contiguous of MPI_BYTE)",
            name, (long long)size, (long long)extent);
    *bytes = (int64_t)extent;
    return NEREUS_OK;
}

enum nereus_status nereus_check_name(const char *name, struct nereus_error *err)
{
    if (name != NULL && name[0] != '\0' && strlen(name) < NEREUS_DATA_NAME_MAX)
        return NEREUS_OK;
    return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                       "registered data needs a name of 1 to %d characters, not '%s'",
                       NEREUS_DATA_NAME_MAX - 1, name == NULL ? "" : name);
}

enum { PRINTING_RANKS = 4, NAMES_MAX = 3 };

void nereus_report_unclaimed(const nereus_job *job)
{
    const struct registry *registry = &job->registry;
    char names[NAMES_MAX * (NEREUS_DATA_NAME_MAX + 8) + 32] = "";
    int64_t unclaimed = 0;
    int world_rank = 0;
    size_t length = 0;
    for (int64_t i = 0; i < registry->count; i++) {
        if (registry->data[i].claimed || ++unclaimed > NAMES_MAX)
            continue;
        length += (size_t)snprintf(names + length, sizeof names - length, "%s'%s'",
                                   unclaimed > 1 ? ", " : "", registry->data[i].entry.name);
    }
    if (unclaimed > NAMES_MAX)
        snprintf(names + length, sizeof names - length, " and %lld more",
                 (long long)(unclaimed - NAMES_MAX));
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    if (unclaimed > 0 && world_rank < PRINTING_RANKS)
        nereus_log("rank %d joined and came to its first point, but has not registered %s, which "
                   "it received: register in a joined process all that the others have registered",
                   job->rank, names);
}

/* A new name is refused while received data is unclaimed: the name is probably misspelt. Without
 * this check a new sparse matrix would wait for the other processes, and a new array would be
 * zero. */
static enum nereus_status check_all_claimed(const struct registry *registry, const char *name,
                                            struct nereus_error *err)
{
    for (int64_t i = 0; i < registry->count; i++)
        if (!registry->data[i].claimed)
            return nereus_fail(
                err, NEREUS_ERR_MISMATCH,
                "'%s' was not received by this process, which joined later, and '%s', which was, "
                "is not registered yet: register first all that was received, then what is new",
                name, registry->data[i].entry.name);
    return NEREUS_OK;
}

enum nereus_status nereus_check_new(const nereus_job *job, const char *name,
                                    struct nereus_error *err)
{
    if (job->under_way != NULL)
        return nereus_fail(
            err, NEREUS_ERR_BUSY,
            "'%s' is registered while a reconfiguration is under way: register it before, or after",
            name);
    return check_all_claimed(&job->registry, name, err);
}

enum { NO_SPACE = -2 };

/* Choose the index space for n elements, by the application's handle.
 * @param[out] number  from 1 */
static enum nereus_status choose_space(nereus_job *job, const struct nereus_description *d,
                                       int64_t *number, struct nereus_error *err)
{
    struct registry *registry = &job->registry;
    int64_t index = d->partition;
    if (d->partition == NEREUS_BY_LENGTH) {
        index = nereus_space_find(registry, "", d->count);
        if (index < 0 && nereus_registry_find(registry, d->name) >= 0)
            index = NO_SPACE; /* registered with another length: the claim reports it */
        else if (index < 0) {
            NEREUS_TRY(nereus_check_new(job, d->name, err));
            NEREUS_TRY(nereus_space_add(registry, "", d->count, job->size, 0, err));
            index = registry->space_count - 1;
        }
    } else if (index < 0 || index >= registry->space_count || registry->spaces[index].parent != 0) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "'%s': %d is no partition", d->name,
                           d->partition);
    } else if (nereus_partition_is_grid(&registry->spaces[index].partition) !=
               (d->shape == NEREUS_FIELD)) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "'%s': fields are registered in a grid (nereus_register_field), and "
                           "other data in a partition that is none",
                           d->name);
    } else if (registry->spaces[index].partition.n != d->count) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "'%s': %lld element%s %s not fit a partition of %lld", d->name,
                           (long long)d->count, nereus_plural_s(d->count),
                           nereus_choose_plural(d->count, "does", "do"),
                           (long long)registry->spaces[index].partition.n);
    }
    *number = index + 1;
    return NEREUS_OK;
}

enum nereus_status nereus_describe(nereus_job *job, const struct nereus_description *description,
                                   struct nereus_data_entry *entry, struct nereus_error *err)
{
    int64_t size = 0;
    memset(entry, 0, sizeof *entry);
    NEREUS_TRY(nereus_callback_check_outside("registering data", err));
    NEREUS_TRY(nereus_check_name(description->name, err));
    if (description->kind != NEREUS_CONSTANT && description->kind != NEREUS_VARIABLE)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "'%s': the kind is NEREUS_CONSTANT or NEREUS_VARIABLE, not %d",
                           description->name, (int)description->kind);
    if (description->count < 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "'%s': %lld element%s; the number must be 0 or more", description->name,
                           (long long)description->count, nereus_plural_s(description->count));
    NEREUS_TRY(measure_element(description->type, description->name, &size, err));
    /* A sparse matrix stores non-zeros only. */
    const bool dense =
        description->shape == NEREUS_BY_ROWS || description->shape == NEREUS_BY_COLUMNS;
    const int64_t across = dense ? description->across : 1;
    if (across > INT64_MAX / size || description->count > INT64_MAX / (across * size))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "'%s': %lld element%s of %lld bytes are more than can be addressed",
                           description->name, (long long)description->count,
                           nereus_plural_s(description->count), (long long)size);
    strcpy(entry->name, description->name);
    entry->element_bytes = across * size;
    entry->undistributed = description->across;
    entry->count = description->count;
    entry->kind = description->kind;
    entry->placement = description->placement;
    entry->shape = description->shape;
    return description->placement == NEREUS_DISTRIBUTED
               ? choose_space(job, description, &entry->partition, err)
               : NEREUS_OK;
}

static bool have_same_kind(const struct nereus_data_entry *a, const struct nereus_data_entry *b)
{
    return a->element_bytes == b->element_bytes &&
           (a->count == b->count || a->shape == NEREUS_CUSTOM) && a->placement == b->placement &&
           a->kind == b->kind && a->shape == b->shape && a->undistributed == b->undistributed &&
           a->partition == b->partition;
}

/* Format as "as the partition 'rows'" */
static void format_partition(const struct registry *registry, const struct nereus_data_entry *entry,
                             char *text, size_t size)
{
    const struct index_space *space =
        entry->partition > 0 ? &registry->spaces[entry->partition - 1] : NULL;
    if (space == NULL || space->name[0] == '\0')
        snprintf(text, size, "by its length");
    else
        snprintf(text, size, "as the partition '%s'", space->name);
}

static enum nereus_status fail_different_form(const struct registry *registry,
                                              const struct nereus_data_entry *have,
                                              const struct nereus_data_entry *entry,
                                              struct nereus_error *err)
{
    char received[120], wanted[120];
    nereus_entry_format(have, received, sizeof received);
    nereus_entry_format(entry, wanted, sizeof wanted);
    if (strcmp(received, wanted) != 0)
        return nereus_fail(err, NEREUS_ERR_MISMATCH,
                           "'%s' was received as %s and cannot be registered as %s", entry->name,
                           received, wanted);
    format_partition(registry, have, received, sizeof received);
    format_partition(registry, entry, wanted, sizeof wanted);
    return nereus_fail(err, NEREUS_ERR_MISMATCH,
                       "'%s' was received cut %s and cannot be registered cut %s: a process that "
                       "joins registers the partitions that the others have, too",
                       entry->name, received, wanted);
}

/* The application registers a datum that this process has received: both must agree. */
static enum nereus_status claim_received(const struct registry *registry, struct datum *datum,
                                         const struct nereus_data_entry *entry,
                                         struct nereus_error *err)
{
    if (datum->claimed)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "'%s' is registered already", entry->name);
    if (!have_same_kind(&datum->entry, entry))
        return fail_different_form(registry, &datum->entry, entry, err);
    datum->claimed = datum->received = true;
    return NEREUS_OK;
}

enum nereus_status nereus_add_or_claim(nereus_job *job, const struct nereus_data_entry *entry,
                                       bool *received, int64_t *index, struct nereus_error *err)
{
    *index = nereus_registry_find(&job->registry, entry->name);
    *received = *index >= 0;
    if (*received)
        return claim_received(&job->registry, &job->registry.data[*index], entry, err);
    NEREUS_TRY(nereus_check_new(job, entry->name, err));
    NEREUS_TRY(nereus_registry_add(&job->registry, entry, err));
    *index = job->registry.count - 1;
    job->registry.data[*index].claimed = true;
    return NEREUS_OK;
}

/* Set the type, which must be the type in the checkpoint: with another type of the same size the
 * bytes would be read as wrong values. */
static enum nereus_status set_type(struct datum *datum, MPI_Datatype type, struct nereus_error *err)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length;
    NEREUS_TRY(find_type_number(type, &datum->type, err));
    if (datum->type == TYPE_NOT_PREDEFINED || datum->written_type[0] == '\0')
        return NEREUS_OK;
    NEREUS_MPI(MPI_Type_get_name(type, name, &length), err);
    return strcmp(name, datum->written_type) == 0
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_MISMATCH,
                             "'%s' is of %s in the checkpoint, and cannot be registered as %s",
                             datum->entry.name, datum->written_type, name);
}

enum nereus_status nereus_register_dense(nereus_job *job,
                                         const struct nereus_description *description, int *id)
{
    struct nereus_data_entry entry;
    bool received;
    int64_t index;
    NEREUS_TRY(nereus_describe(job, description, &entry, &job->error));
    NEREUS_TRY(nereus_add_or_claim(job, &entry, &received, &index, &job->error));
    struct datum *datum = &job->registry.data[index];
    NEREUS_TRY(set_type(datum, description->type, &job->error));
    if (!received) {
        nereus_datum_locate(&job->registry, datum, job->size, job->rank);
        const enum nereus_status status =
            nereus_datum_allocate(&job->registry, datum, true, &job->error);
        if (status != NEREUS_OK) {
            job->registry.count--;
            return status;
        }
    }
    nereus_part_name(datum->part, entry.name, job->rank);
    *id = (int)index;
    return NEREUS_OK;
}

enum nereus_status nereus_register_array(nereus_job *job, const char *name, MPI_Datatype type,
                                         int64_t count, enum nereus_data_kind kind, int *id)
{
    return nereus_register_array_in(job, name, type, count, NEREUS_BY_LENGTH, kind, id);
}

enum nereus_status nereus_register_array_in(nereus_job *job, const char *name, MPI_Datatype type,
                                            int64_t count, int partition,
                                            enum nereus_data_kind kind, int *id)
{
    const struct nereus_description d = {name,         type,     count, 0, kind, NEREUS_DISTRIBUTED,
                                         NEREUS_ARRAY, partition};
    return nereus_register_dense(job, &d, id);
}

enum nereus_status nereus_register_matrix(nereus_job *job, const char *name, MPI_Datatype type,
                                          int64_t rows, int64_t columns,
                                          enum nereus_data_shape shape, int partition,
                                          enum nereus_data_kind kind, int *id)
{
    const bool by_rows = shape == NEREUS_BY_ROWS;
    const struct nereus_description d = {name,
                                         type,
                                         by_rows ? rows : columns,
                                         by_rows ? columns : rows,
                                         kind,
                                         NEREUS_DISTRIBUTED,
                                         shape,
                                         partition};
    if (!by_rows && shape != NEREUS_BY_COLUMNS)
        return nereus_fail(
            &job->error, NEREUS_ERR_ARGUMENT,
            "'%s': a matrix is cut by rows or by columns (NEREUS_BY_ROWS, NEREUS_BY_COLUMNS)",
            name == NULL ? "" : name);
    if (d.across < 1)
        return nereus_fail(&job->error, NEREUS_ERR_ARGUMENT,
                           "'%s': a matrix of %lld x %lld has no element to hold",
                           name == NULL ? "" : name, (long long)rows, (long long)columns);
    return nereus_register_dense(job, &d, id);
}

enum nereus_status nereus_register_replicated(nereus_job *job, const char *name, MPI_Datatype type,
                                              int64_t count, enum nereus_data_kind kind,
                                              void *values, int *id)
{
    const struct nereus_description d = {
        name, type, count, 0, kind, NEREUS_REPLICATED, NEREUS_ARRAY, NEREUS_BY_LENGTH};
    struct nereus_data_entry entry;
    bool received;
    int64_t index;
    if (values == NULL && count > 0)
        return nereus_fail(&job->error, NEREUS_ERR_ARGUMENT,
                           "'%s': replicated values need memory of the caller",
                           name == NULL ? "" : name);
    NEREUS_TRY(nereus_describe(job, &d, &entry, &job->error));
    NEREUS_TRY(nereus_add_or_claim(job, &entry, &received, &index, &job->error));
    struct datum *datum = &job->registry.data[index];
    NEREUS_TRY(set_type(datum, type, &job->error));
    datum->values = values;
    if (received && count > 0)
        memcpy(values, datum->part, (size_t)(count * entry.element_bytes));
    nereus_part_free(datum->part);
    datum->part = NULL;
    *id = (int)index;
    return NEREUS_OK;
}

struct datum *nereus_datum_of(const nereus_job *job, int id, unsigned shapes)
{
    static const char *const kinds[] = {
        [NEREUS_ARRAY] = "an array",
        [NEREUS_BY_ROWS] = "a dense matrix",
        [NEREUS_BY_COLUMNS] = "a dense matrix",
        [NEREUS_CSR] = "a sparse matrix",
        [NEREUS_CSC] = "a sparse matrix",
        [NEREUS_CUSTOM] = "custom data, of which nereus_part_of tells the range",
        [NEREUS_FIELD] = "a field, of which nereus_local_box tells the box"};
    /* const calls report errors in the job, too. */
    struct nereus_error *err = &((nereus_job *)job)->error;
    if (id < 0 || id >= job->registry.count) {
        nereus_fail(err, NEREUS_ERR_ARGUMENT, "no data is registered with the id %d", id);
        return NULL;
    }
    struct datum *datum = &job->registry.data[id];
    const struct nereus_data_entry *entry = &datum->entry;
    const bool cut = entry->placement == NEREUS_DISTRIBUTED;
    if (cut && (shapes & 1u << entry->shape))
        return datum;
    nereus_fail(err, NEREUS_ERR_ARGUMENT, "'%s' has no part for this call: it is %s", entry->name,
                cut ? kinds[entry->shape] : "replicated");
    return NULL;
}

enum nereus_status nereus_local(const nereus_job *job, int id, void **part, int64_t *first,
                                int64_t *count)
{
    const struct datum *datum = nereus_datum_of(
        job, id, 1u << NEREUS_ARRAY | 1u << NEREUS_BY_ROWS | 1u << NEREUS_BY_COLUMNS);
    if (datum == NULL)
        return NEREUS_ERR_ARGUMENT;
    if (part != NULL)
        *part = datum->part;
    if (first != NULL)
        *first = datum->range.first;
    if (count != NULL)
        *count = datum->range.count;
    return NEREUS_OK;
}
