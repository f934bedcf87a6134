/**
 * @file datum_files.c
 * Names of a datum's files, and the order of the processes' ranges in them.
 */
#include "datum_files.h"

#include "nereus/checkpoint.h"

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

int nereus_datum_rank_at(const nereus_job *job, const struct datum *datum, int64_t k)
{
    const struct index_space *space = nereus_datum_elements(&job->registry, datum);
    return (int)(space == NULL ? k : nereus_partition_range_rank(&space->now, k));
}

bool nereus_datum_has_end(const nereus_job *job, const struct datum *datum)
{
    return nereus_datum_rank_at(job, datum, job->size - 1) == job->rank;
}
