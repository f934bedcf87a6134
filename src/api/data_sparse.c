/**
 * @file data_sparse.c
 * Registers sparse matrices. Rows (or columns) are the elements of one partition, non-zeros those
 * of another, derived from it. Pointers, indices and values are therefore three arrays that move
 * like any other, and every process computes from the record how many non-zeros it receives from
 * each process (Martín-Álvarez et al. (2023), section 3, sends these sizes in messages with tag
 * 77).
 */

#include "data.h"
#include "src/job/calls.h"

enum { INDICES = 1, VALUES = 2, COMPONENTS = 3 };

/* The part of a sparse matrix that the application has passed in this process. */
struct given {
    const int64_t *pointers, *indices;
    const void *values;
    int64_t rows, nonzeros;
};

/* Check that the arrays are a valid part of the matrix. `across` is the length of a row. */
static enum nereus_status check_given(const char *name, struct given *given, int64_t across,
                                      struct nereus_error *err)
{
    if (given->pointers == NULL || given->pointers[0] != 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "'%s': the pointers of a process' own rows have to begin with 0", name);
    for (int64_t i = 0; i < given->rows; i++)
        if (given->pointers[i + 1] < given->pointers[i])
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "'%s': pointer %lld is below the one before it", name,
                               (long long)(i + 1));
    given->nonzeros = given->pointers[given->rows];
    if (given->nonzeros > 0 && (given->indices == NULL || given->values == NULL))
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "'%s': %lld non-zero%s without indices or values", name,
                           (long long)given->nonzeros, nereus_plural_s(given->nonzeros));
    for (int64_t i = 0; i < given->nonzeros; i++)
        if (given->indices[i] < 0 || given->indices[i] >= across)
            return nereus_fail(err, NEREUS_ERR_ARGUMENT, "'%s': index %lld is outside 0 .. %lld",
                               name, (long long)given->indices[i], (long long)(across - 1));
    return NEREUS_OK;
}

static enum nereus_status copy_part(struct datum *datum, const void *from, int64_t count,
                                    struct nereus_error *err)
{
    const size_t bytes = (size_t)(count * datum->entry.element_bytes);
    if (bytes == 0)
        return NEREUS_OK;
    datum->part = nereus_part_new(bytes, false);
    if (datum->part == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %zu bytes of '%s'", bytes,
                           datum->entry.name);
    memcpy(datum->part, from, bytes);
    return NEREUS_OK;
}

static enum nereus_status copy_given(struct datum *matrix, const struct given *given,
                                     struct nereus_error *err)
{
    NEREUS_TRY(copy_part(matrix, given->pointers, given->rows + 1, err));
    NEREUS_TRY(copy_part(matrix + INDICES, given->indices, given->nonzeros, err));
    return copy_part(matrix + VALUES, given->values, given->nonzeros, err);
}

/* Compute the bounds of the non-zeros from the number in each process, by a prefix sum.
 * @param[out] bounds  by position */
static enum nereus_status compute_nonzero_bounds(const struct nereus_partition *rows,
                                                 const int64_t *counts, int64_t *bounds,
                                                 const char *name, struct nereus_error *err)
{
    bounds[0] = 0;
    for (int64_t place = 0; place < rows->processes; place++) {
        const int64_t count = counts[nereus_partition_range_rank(rows, place)];
        if (count < 0)
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "'%s': process %lld could not register its part", name,
                               (long long)nereus_partition_range_rank(rows, place));
        bounds[place + 1] = bounds[place] + count;
    }
    return NEREUS_OK;
}

/* Partition the non-zeros by the number that each process has; own_nonzeros -1: this process has
 * failed. Without memory the job is aborted, as the others wait in the collective. */
static enum nereus_status partition_nonzeros(nereus_job *job, struct datum *matrix,
                                             int64_t own_nonzeros, struct nereus_error *err)
{
    struct registry *registry = &job->registry;
    struct index_space *rows = &registry->spaces[matrix->entry.partition - 1];
    struct index_space *nonzeros = &registry->spaces[matrix[INDICES].entry.partition - 1];
    int64_t *counts = malloc((2 * (size_t)job->size + 1) * sizeof *counts);
    struct nereus_partition partition;
    if (counts == NULL) {
        nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %d numbers", 2 * job->size);
        nereus_abort_job(err); /* the others are waiting */
        return err->status;
    }
    int64_t *bounds = counts + job->size;
    nereus_call_enter(job, matrix->entry.shape == NEREUS_CSR ? "nereus_register_csr"
                                                             : "nereus_register_csc");
    const int code =
        MPI_Allgather(&own_nonzeros, 1, MPI_INT64_T, counts, 1, MPI_INT64_T, job->control);
    nereus_call_leave(job);
    enum nereus_status status =
        code == MPI_SUCCESS ? NEREUS_OK : nereus_mpi_failed(code, "MPI_Allgather", err);
    if (status == NEREUS_OK && own_nonzeros >= 0)
        status = compute_nonzero_bounds(&rows->partition, counts, bounds, matrix->entry.name, err);
    if (status == NEREUS_OK && own_nonzeros >= 0)
        status = nereus_partition_make(bounds[job->size], job->size, bounds, rows->partition.order,
                                       &partition, err);
    if (status == NEREUS_OK && own_nonzeros >= 0) {
        nonzeros->partition = partition;
        matrix[INDICES].entry.count = matrix[VALUES].entry.count = partition.n;
    }
    free(counts);
    return own_nonzeros >= 0 ? status : err->status;
}

/* Describe the entry of the indices or of the values, named after the matrix. */
static enum nereus_status describe_component(const struct nereus_data_entry *matrix, int component,
                                             int64_t bytes, int64_t space,
                                             struct nereus_data_entry *entry,
                                             struct nereus_error *err)
{
    static const char *const suffixes[] = {"", " (indices)", " (values)"};
    *entry =
        (struct nereus_data_entry){.element_bytes = bytes,
                                   .kind = matrix->kind,
                                   .placement = NEREUS_DISTRIBUTED,
                                   .shape = component == INDICES ? NEREUS_INDICES : NEREUS_VALUES,
                                   .partition = space};
    if (strlen(matrix->name) + strlen(suffixes[component]) >= sizeof entry->name)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "'%s': the name of a sparse matrix is at most %d long", matrix->name,
                           NEREUS_DATA_NAME_MAX - 11);
    strcpy(entry->name, matrix->name);
    strcat(entry->name, suffixes[component]);
    return NEREUS_OK;
}

static void remove_added(struct registry *registry, int64_t data, int64_t spaces)
{
    while (registry->count > data)
        nereus_part_free(registry->data[--registry->count].part);
    while (registry->space_count > spaces)
        nereus_partition_fini(&registry->spaces[--registry->space_count].partition);
}

/* Add a matrix that is new in all processes. Collective. */
static enum nereus_status add_matrix(nereus_job *job, const struct nereus_data_entry *entries,
                                     struct given *given, struct nereus_error *err)
{
    struct registry *registry = &job->registry;
    const int64_t data = registry->count, spaces = registry->space_count;
    char name[NEREUS_DATA_NAME_MAX];
    struct nereus_error failure = {0};
    const struct nereus_range rows =
        nereus_partition_range(&registry->spaces[entries->partition - 1].partition, job->rank);
    enum nereus_status status = NEREUS_OK;
    snprintf(name, sizeof name, "%.*s (nz)", NEREUS_DATA_NAME_MAX - 6, entries->name);
    for (int c = 0; c < COMPONENTS && status == NEREUS_OK; c++)
        status = nereus_registry_add(registry, &entries[c], err);
    if (status == NEREUS_OK)
        status = nereus_space_add(registry, name, 0, job->size, entries->partition, err);
    if (status != NEREUS_OK) {
        nereus_abort_job(err); /* the others would wait */
        return status;
    }
    struct datum *matrix = &registry->data[data];
    given->rows = rows.count;
    status = check_given(entries->name, given, entries->undistributed, &failure);
    if (status == NEREUS_OK)
        status = copy_given(matrix, given, &failure);
    if (status != NEREUS_OK)
        *err = failure;
    status = partition_nonzeros(job, matrix, status == NEREUS_OK ? given->nonzeros : -1, err);
    for (int c = 0; c < COMPONENTS; c++) {
        matrix[c].claimed = true;
        nereus_part_name(matrix[c].part, entries->name, job->rank);
        matrix[c].range = nereus_datum_range(registry, &matrix[c], job->size, job->rank);
    }
    if (status != NEREUS_OK)
        remove_added(registry, data, spaces);
    return status;
}

static enum nereus_status claim_matrix(nereus_job *job, struct nereus_data_entry *entries,
                                       int64_t index, struct nereus_error *err)
{
    bool received;
    for (int c = 0; c < COMPONENTS; c++) {
        if (index + c >= job->registry.count)
            return nereus_fail(err, NEREUS_ERR_MISMATCH, "'%s' was not received as a sparse matrix",
                               entries->name);
        /* A joined process takes the number of non-zeros that it received. */
        if (c > 0) {
            entries[c].count = job->registry.data[index + c].entry.count;
            entries[c].partition = job->registry.data[index + c].entry.partition;
        }
        int64_t at;
        NEREUS_TRY(nereus_add_or_claim(job, &entries[c], &received, &at, err));
    }
    return NEREUS_OK;
}

static enum nereus_status register_sparse(nereus_job *job, const struct nereus_description *d,
                                          MPI_Datatype values, struct given given, int *id)
{
    struct nereus_error *err = &job->error;
    struct nereus_data_entry entries[COMPONENTS], value;
    struct nereus_description of_values = *d;
    of_values.type = values;
    NEREUS_TRY(nereus_describe(job, d, &entries[0], err));
    NEREUS_TRY(nereus_describe(job, &of_values, &value, err));
    const int64_t index = nereus_registry_find(&job->registry, d->name);
    if (index < 0)
        NEREUS_TRY(nereus_check_new(job, d->name, err));
    const int64_t space = job->registry.space_count + 1;
    NEREUS_TRY(
        describe_component(entries, INDICES, (int64_t)sizeof(int64_t), space, &entries[1], err));
    NEREUS_TRY(describe_component(entries, VALUES, value.element_bytes, space, &entries[2], err));
    NEREUS_TRY(index >= 0 ? claim_matrix(job, entries, index, err)
                          : add_matrix(job, entries, &given, err));
    *id = (int)(index >= 0 ? index : job->registry.count - COMPONENTS);
    return NEREUS_OK;
}

enum nereus_status nereus_register_csr(nereus_job *job, const char *name, MPI_Datatype type,
                                       int64_t rows, int64_t columns, int partition,
                                       const int64_t *pointers, const int64_t *indices,
                                       const void *values, enum nereus_data_kind kind, int *id)
{
    const struct nereus_description d = {name, MPI_INT64_T,        rows,       columns,
                                         kind, NEREUS_DISTRIBUTED, NEREUS_CSR, partition};
    return register_sparse(job, &d, type, (struct given){pointers, indices, values, 0, 0}, id);
}

enum nereus_status nereus_register_csc(nereus_job *job, const char *name, MPI_Datatype type,
                                       int64_t rows, int64_t columns, int partition,
                                       const int64_t *pointers, const int64_t *indices,
                                       const void *values, enum nereus_data_kind kind, int *id)
{
    const struct nereus_description d = {name, MPI_INT64_T,        columns,    rows,
                                         kind, NEREUS_DISTRIBUTED, NEREUS_CSC, partition};
    return register_sparse(job, &d, type, (struct given){pointers, indices, values, 0, 0}, id);
}

enum nereus_status nereus_local_sparse(const nereus_job *job, int id, struct nereus_sparse *local)
{
    const struct datum *matrix = nereus_datum_of(job, id, 1u << NEREUS_CSR | 1u << NEREUS_CSC);
    if (matrix == NULL)
        return NEREUS_ERR_ARGUMENT;
    *local = (struct nereus_sparse){
        .first = matrix->range.first,
        .count = matrix->range.count,
        .first_nonzero = matrix[INDICES].range.first,
        .nonzeros = matrix[INDICES].range.count,
        .pointers = (const int64_t *)(const void *)matrix->part,
        .indices = (int64_t *)(void *)matrix[INDICES].part,
        .values = matrix[VALUES].part,
    };
    return NEREUS_OK;
}
