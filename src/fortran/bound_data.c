/**
 * @file bound_data.c
 * Binds registered data: MPI datatypes of elements, and the type that a Fortran pointer to each
 * datum must have.
 */

#include "bound.h"

MPI_Datatype nereus_fortran_type(int element)
{
    switch (element) {
    case 1:
        return MPI_INT32_T;
    case 2:
        return MPI_INT64_T;
    case 3:
        return MPI_FLOAT;
    case 4:
        return MPI_DOUBLE;
    default:
        return MPI_DATATYPE_NULL;
    }
}

const char *nereus_fortran_type_name(int element)
{
    static const char *const names[] = {"another type", "nereus_int32", "nereus_int64",
                                        "nereus_real32", "nereus_real64"};
    return element > 0 && element < 5 ? names[element] : names[0];
}

/* Types of elements by id; width 0: not registered by the module. One table, as a process has one
 * job. */
static struct registered {
    int element;
    int64_t width;
} * registered;
static int registered_count;

void nereus_fortran_store_type(int id, int element, int64_t width)
{
    if (id >= registered_count) {
        registered = nereus_fortran_memory(nereus_grow_by(
            registered, registered_count, id + 1 - registered_count, sizeof *registered));
        memset(registered + registered_count, 0,
               (size_t)(id + 1 - registered_count) * sizeof *registered);
        registered_count = id + 1;
    }
    registered[id] = (struct registered){element, width};
}

int nereus_fortran_element_of(int id)
{
    return id >= 0 && id < registered_count ? registered[id].element : 0;
}

int nereus_fortran_fail(nereus_job *job, const char *sentence)
{
    job->error.status = NEREUS_ERR_ARGUMENT;
    snprintf(job->error.text, sizeof job->error.text, "%s", sentence);
    return NEREUS_ERR_ARGUMENT;
}

int nereus_fortran_register_array(nereus_job *job, const char *name, int element, int64_t width,
                                  int64_t count, int partition, int kind, int *id)
{
    const MPI_Datatype one = nereus_fortran_type(element);
    MPI_Datatype type;
    if (one == MPI_DATATYPE_NULL || width < 1 || width > INT32_MAX)
        return nereus_fortran_fail(
            job, "an array needs a type of elements, nereus_int32 to nereus_real64, and "
                 "a width from 1 on");
    if (MPI_Type_contiguous((int)width, one, &type) != MPI_SUCCESS)
        return NEREUS_ERR_MPI;
    const enum nereus_status status = nereus_register_array_in(job, name, type, count, partition,
                                                               (enum nereus_data_kind)kind, id);
    MPI_Type_free(&type);
    if (status == NEREUS_OK)
        nereus_fortran_store_type(*id, element, width);
    return (int)status;
}

int nereus_fortran_register_matrix(nereus_job *job, const char *name, int element, int64_t rows,
                                   int64_t columns, int shape, int partition, int kind, int *id)
{
    const MPI_Datatype type = nereus_fortran_type(element);
    if (type == MPI_DATATYPE_NULL)
        return nereus_fortran_fail(
            job, "a matrix needs a type of elements, nereus_int32 to nereus_real64");
    const enum nereus_status status =
        nereus_register_matrix(job, name, type, rows, columns, (enum nereus_data_shape)shape,
                               partition, (enum nereus_data_kind)kind, id);
    if (status == NEREUS_OK)
        nereus_fortran_store_type(*id, element, shape == NEREUS_BY_ROWS ? columns : rows);
    return (int)status;
}

/* Convert pointers to count from 0; NULL if they do not begin with 1, or an index is below 1. */
static int64_t *shift_to_zero(int64_t count, const int64_t *pointers, const int64_t *indices)
{
    if (count < 1 || pointers[0] != 1)
        return NULL;
    for (int64_t k = 0; k < pointers[count - 1] - 1; k++)
        if (indices[k] < 1)
            return NULL;
    int64_t *copy = nereus_fortran_memory(malloc((size_t)count * sizeof *copy));
    for (int64_t i = 0; i < count; i++)
        copy[i] = pointers[i] - 1;
    return copy;
}

/* Indices still count from 1: C sees one more column (row), the first, which is empty. If this part
 * is invalid C gets a null pointer, so that the collective call fails in all processes. */
int nereus_fortran_register_sparse(nereus_job *job, const char *name, int element, bool by_columns,
                                   int64_t rows, int64_t columns, int partition,
                                   int64_t pointer_count, const int64_t *pointers,
                                   const int64_t *indices, const void *values, int kind, int *id)
{
    const MPI_Datatype type = nereus_fortran_type(element);
    int64_t *own = shift_to_zero(pointer_count, pointers, indices);
    const enum nereus_data_kind constancy = (enum nereus_data_kind)kind;
    const enum nereus_status status =
        by_columns ? nereus_register_csc(job, name, type, rows + 1, columns, partition, own,
                                         indices, values, constancy, id)
                   : nereus_register_csr(job, name, type, rows, columns + 1, partition, own,
                                         indices, values, constancy, id);
    if (status == NEREUS_OK)
        nereus_fortran_store_type(*id, element, NEREUS_FORTRAN_SPARSE);
    else if (own == NULL && status == NEREUS_ERR_ARGUMENT)
        snprintf(job->error.text, sizeof job->error.text,
                 "'%s': the pointers of a process' own rows have to begin with 1, and indices are "
                 "from 1 on",
                 name);
    free(own);
    return (int)status;
}

int nereus_fortran_local_sparse(nereus_job *job, int id, int element, int64_t *first,
                                int64_t *count, int64_t *nonzeros, const int64_t **pointers,
                                int64_t **indices, void **values)
{
    struct nereus_sparse local;
    char sentence[256];
    if (id < 0 || id >= registered_count || registered[id].width != NEREUS_FORTRAN_SPARSE ||
        nereus_local_sparse(job, id, &local) != NEREUS_OK)
        return nereus_fortran_fail(job,
                                   "nereus_local_sparse: this id is not that of a sparse matrix");
    if (registered[id].element != element) {
        snprintf(sentence, sizeof sentence,
                 "nereus_local_sparse: '%s' was registered with values of %s; the variable is for "
                 "values of %s",
                 job->registry.data[id].entry.name,
                 nereus_fortran_type_name(registered[id].element),
                 nereus_fortran_type_name(element));
        return nereus_fortran_fail(job, sentence);
    }
    *first = local.first;
    *count = local.count;
    *nonzeros = local.nonzeros;
    *pointers = local.pointers;
    *indices = local.indices;
    *values = local.values;
    return NEREUS_OK;
}

int nereus_fortran_part_of(nereus_job *job, int id, int rank, int64_t *first, int64_t *count)
{
    if (nereus_part_of(job, id, rank, first, count) == NEREUS_OK)
        return NEREUS_OK;
    return nereus_fortran_fail(
        job, "nereus_part_of: this id is not that of distributed data, or there is no such "
             "rank");
}

int nereus_fortran_owner_of(nereus_job *job, int id, int64_t element, int *rank)
{
    if (nereus_owner_of(job, id, element, rank) == NEREUS_OK)
        return NEREUS_OK;
    return nereus_fortran_fail(
        job, "nereus_owner_of: this id is not that of distributed data, or there is no such "
             "element (they count from 1)");
}

int nereus_fortran_local(nereus_job *job, int id, int element, int64_t width, void **part,
                         int64_t *first, int64_t *count)
{
    char sentence[256];
    if (id < 0 || id >= registered_count || registered[id].width < 1)
        return nereus_fortran_fail(job, "nereus_local: this id is not that of a registered array");
    if (registered[id].element != element || registered[id].width != width) {
        snprintf(sentence, sizeof sentence,
                 "nereus_local: '%s' was registered with elements of %lld values of %s; the "
                 "pointer is for %lld "
                 "of %s",
                 job->registry.data[id].entry.name, (long long)registered[id].width,
                 nereus_fortran_type_name(registered[id].element), (long long)width,
                 nereus_fortran_type_name(element));
        return nereus_fortran_fail(job, sentence);
    }
    return (int)nereus_local(job, id, part, first, count);
}

int nereus_fortran_swap(nereus_job *job, int a, int b)
{
    char sentence[256];
    const bool known = a >= 0 && a < registered_count && b >= 0 && b < registered_count &&
                       registered[a].width > 0 && registered[b].width > 0;
    if (known && (registered[a].element != registered[b].element ||
                  registered[a].width != registered[b].width)) {
        snprintf(
            sentence, sizeof sentence,
            "nereus_swap: elements of %lld values of %s cannot be swapped with elements of %lld "
            "of %s",
            (long long)registered[a].width, nereus_fortran_type_name(registered[a].element),
            (long long)registered[b].width, nereus_fortran_type_name(registered[b].element));
        return nereus_fortran_fail(job, sentence);
    }
    return (int)nereus_swap(job, a, b);
}

int nereus_fortran_register_replicated(nereus_job *job, const char *name, int element,
                                       int64_t count, int kind, void *values, int *id)
{
    const MPI_Datatype type = nereus_fortran_type(element);
    if (type == MPI_DATATYPE_NULL)
        return nereus_fortran_fail(job,
                                   "replicated values need a type, nereus_int32 to nereus_real64");
    return (int)nereus_register_replicated(job, name, type, count, (enum nereus_data_kind)kind,
                                           values, id);
}
