#include "checksums.h"

#include <stdlib.h>
#include <string.h>

#include "model/util/crc32.h"
#include "nereus/checkpoint.h"
#include "src/util/error.h"

char *nereus_datum_file_name(const struct registry *registry, int64_t datum, int file, char *name)
{
    return nereus_checkpoint_file_name(registry->data[datum].entry.name, datum,
                                       file == FILE_INDEX ? ".index" : ".bin", name);
}

const struct index_space *nereus_datum_elements(const struct registry *registry,
                                                const struct datum *datum)
{
    if (datum->entry.partition == 0)
        return NULL;
    const struct index_space *space = &registry->spaces[datum->entry.partition - 1];
    return datum->entry.shape == NEREUS_CUSTOM ? &registry->spaces[space->parent - 1] : space;
}

/* The rank whose range is the k-th. */
static int rank_at(const nereus_job *job, const struct datum *datum, int64_t k)
{
    const struct index_space *space = nereus_datum_elements(&job->registry, datum);
    return (int)(space == NULL ? k : nereus_partition_rank_at(&space->now, k));
}

bool nereus_datum_has_end(const nereus_job *job, const struct datum *datum)
{
    return rank_at(job, datum, job->size - 1) == job->rank;
}

enum nereus_status nereus_sums_gather(const nereus_job *job, const struct range_sum *mine,
                                      struct range_sum **all, struct nereus_error *err)
{
    const size_t count = FILES_PER_DATUM * (size_t)job->registry.count;
    const int bytes = (int)(count * sizeof *mine);
    *all = NULL;
    if (job->rank == 0 && (*all = calloc((size_t)job->size * count + 1, sizeof **all)) == NULL) {
        nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the checksums of %d processes",
                    job->size);
        nereus_abort_job(err); /* the others are in the gather */
    }
    NEREUS_MPI(MPI_Gather(mine, bytes, MPI_BYTE, *all, bytes, MPI_BYTE, 0, job->control), err);
    return NEREUS_OK;
}

struct range_sum nereus_sums_combine(const nereus_job *job, const struct range_sum *all,
                                     int64_t datum, int file)
{
    struct range_sum sum = {0, 0};
    for (int64_t k = 0; k < job->size; k++) {
        const int rank = rank_at(job, &job->registry.data[datum], k);
        const struct range_sum *range =
            &all[(rank * job->registry.count + datum) * FILES_PER_DATUM + file];
        if (range->bytes == 0)
            continue;
        sum.crc32 = nereus_crc32_combine((uint32_t)sum.crc32, (uint32_t)range->crc32, range->bytes);
        sum.bytes += range->bytes;
    }
    return sum;
}
