/**
 * @file custom_sizes.c
 * Queries the application for the size of each element, and finds where each process begins: custom
 * data is packed element by element, so that any number of processes can read it.
 */

#include "checksums.h"
#include "own_data.h"
#include "src/util/callback.h"

/* Measure received data that the application has not registered. Only the application can split a
 * piece into elements, so that the data can be stored only if each piece is one element, as after
 * reading a checkpoint. */
static enum nereus_status measure_unclaimed(const struct datum *datum, struct custom_sizes *sizes,
                                            struct nereus_error *err)
{
    for (int64_t i = 0; i < datum->piece_count; i++) {
        if (datum->pieces[i].elements.count != 1)
            return nereus_fail(err, NEREUS_ERR_STATE,
                               "'%s' was received, but is not registered yet in this process, and "
                               "a checkpoint stores it element by element: register it first",
                               datum->entry.name);
        sizes->sizes[i] = datum->pieces[i].bytes;
    }
    return NEREUS_OK;
}

static enum nereus_status query_sizes(const struct datum *datum, struct custom_sizes *sizes,
                                      struct nereus_error *err)
{
    int64_t bytes = 0, i;
    nereus_callback_enter("nereus_custom.bytes");
    for (i = 0; i < sizes->elements.count && bytes >= 0; i++)
        sizes->sizes[i] = bytes =
            datum->custom.bytes(datum->custom.user, sizes->elements.first + i, 1);
    nereus_callback_leave();
    return bytes >= 0 ? NEREUS_OK
                      : nereus_fail(err, NEREUS_ERR_STATE,
                                    "the application does not know how many bytes element %lld of "
                                    "'%s' has (nereus_custom: bytes returned %lld)",
                                    (long long)(sizes->elements.first + i - 1), datum->entry.name,
                                    (long long)bytes);
}

enum nereus_status nereus_custom_measure(const nereus_job *job, const struct datum *datum,
                                         struct custom_sizes *sizes, struct nereus_error *err)
{
    const struct index_space *space = nereus_datum_elements(&job->registry, datum);
    *sizes =
        (struct custom_sizes){.elements = nereus_partition_range(&space->partition, job->rank)};
    sizes->sizes = calloc((size_t)sizes->elements.count + 1, sizeof *sizes->sizes);
    NEREUS_TRY_MEMORY(sizes->sizes, err, "for the sizes of '%s'", datum->entry.name);
    NEREUS_TRY(datum->claimed ? query_sizes(datum, sizes, err)
                              : measure_unclaimed(datum, sizes, err));
    for (int64_t i = 0; i < sizes->elements.count; i++) {
        sizes->total_bytes += sizes->sizes[i];
        if (sizes->sizes[i] > sizes->largest_bytes)
            sizes->largest_bytes = sizes->sizes[i];
    }
    return NEREUS_OK;
}

enum nereus_status nereus_custom_find_offset(const nereus_job *job, const struct datum *datum,
                                             struct custom_sizes *sizes, struct nereus_error *err)
{
    const struct index_space *space = nereus_datum_elements(&job->registry, datum);
    int64_t *totals = calloc((size_t)job->size, sizeof *totals);
    if (totals == NULL) {
        nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the sizes of %d processes", job->size);
        nereus_abort_job(err); /* the others are in the gather */
    }
    const int code =
        MPI_Allgather(&sizes->total_bytes, 1, MPI_INT64_T, totals, 1, MPI_INT64_T, job->control);
    const int64_t own_place = nereus_partition_place_of(&space->partition, job->rank);
    sizes->offset_bytes = 0;
    for (int64_t k = 0; k < own_place && code == MPI_SUCCESS; k++)
        sizes->offset_bytes += totals[nereus_partition_range_rank(&space->partition, k)];
    free(totals);
    return code == MPI_SUCCESS ? NEREUS_OK : nereus_mpi_failed(code, "MPI_Allgather", err);
}

void nereus_custom_sizes_fini(struct custom_sizes *sizes)
{
    free(sizes->sizes);
    *sizes = (struct custom_sizes){.sizes = NULL};
}
