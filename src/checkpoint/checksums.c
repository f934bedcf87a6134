/** @file checksums.c  Names the files of a datum, orders their ranges, and combines the checksums
 * of all ranges file by file. */
#include "checksums.h"

#include "model/util/crc32.h"
#include "nereus/checkpoint.h"

char *nereus_datum_file_name(const struct registry *registry, int64_t datum, int file, char *name)
{
    return nereus_checkpoint_file_name(registry->data[datum].entry.name, datum,
                                       file == DATUM_FILE_INDEX ? ".index" : ".bin", name);
}

const struct index_space *nereus_datum_elements(const struct registry *registry,
                                                const struct datum *datum)
{
    if (datum->entry.partition == 0)
        return NULL;
    const struct index_space *space = &registry->spaces[datum->entry.partition - 1];
    return datum->entry.shape == NEREUS_CUSTOM ? &registry->spaces[space->parent - 1] : space;
}

int nereus_datum_rank_at(const nereus_job *job, const struct datum *datum, int64_t k)
{
    const struct index_space *space = nereus_datum_elements(&job->registry, datum);
    return (int)(space == NULL ? k : nereus_partition_range_rank(&space->partition, k));
}

bool nereus_datum_has_end(const nereus_job *job, const struct datum *datum)
{
    return nereus_datum_rank_at(job, datum, job->size - 1) == job->rank;
}

void nereus_sums_init(const nereus_job *job, struct range_sums *sums)
{
    struct nereus_error err;
    const size_t each = DATUM_FILE_COUNT * (size_t)job->registry.count;
    *sums = (struct range_sums){.data = job->registry.count,
                                .own_sums = calloc(each + 1, sizeof *sums->own_sums)};
    if (job->rank == 0)
        sums->gathered_sums = calloc((size_t)job->size * each + 1, sizeof *sums->gathered_sums);
    if (sums->own_sums != NULL && (job->rank != 0 || sums->gathered_sums != NULL))
        return;
    nereus_fail(&err, NEREUS_ERR_MEMORY, "no memory for the checksums of %d processes", job->size);
    nereus_abort_job(&err);
}

void nereus_sums_fini(struct range_sums *sums)
{
    free(sums->own_sums);
    free(sums->gathered_sums);
    *sums = (struct range_sums){.own_sums = NULL};
}

enum nereus_status nereus_sums_gather(const nereus_job *job, struct range_sums *sums,
                                      struct nereus_error *err)
{
    const int bytes = (int)(DATUM_FILE_COUNT * (size_t)sums->data * sizeof *sums->own_sums);
    NEREUS_MPI(MPI_Gather(sums->own_sums, bytes, MPI_BYTE, sums->gathered_sums, bytes, MPI_BYTE, 0,
                          job->control),
               err);
    return NEREUS_OK;
}

struct range_sum nereus_sums_combine(const nereus_job *job, const struct range_sums *sums,
                                     int64_t datum, int file)
{
    struct range_sum sum = {0, 0};
    for (int64_t k = 0; k < job->size; k++) {
        const int rank = nereus_datum_rank_at(job, &job->registry.data[datum], k);
        const struct range_sum *range =
            &sums->gathered_sums[(rank * sums->data + datum) * DATUM_FILE_COUNT + file];
        if (range->bytes == 0)
            continue;
        sum.crc32 = nereus_crc32_combine((uint32_t)sum.crc32, (uint32_t)range->crc32, range->bytes);
        sum.bytes += range->bytes;
    }
    return sum;
}
