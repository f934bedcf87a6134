/**
 * @file read.c
 * All processes read their ranges, compare checksums with the manifest, and agree.
 */
#include "read.h"

#include <string.h>

#include "model/util/text.h"
#include "mover_file.h"
#include "read_data.h"
#include "src/util/agree.h"
#include "src/util/clock.h"
#include "src/util/error.h"

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
        NEREUS_TRY(compare_file(job, sums, i, FILE_VALUES, &object->values, err));
        if (object->entry.shape == NEREUS_CUSTOM)
            NEREUS_TRY(compare_file(job, sums, i, FILE_INDEX, &object->index, err));
    }
    return NEREUS_OK;
}

static enum nereus_status read_all(const struct checkpoint_source *source, struct mover_file *file,
                                   double *read_s, struct nereus_error *mine,
                                   struct nereus_error *err)
{
    nereus_job *job = file->job;
    struct nereus_error verdict;
    struct range_sums sums;
    nereus_sums_init(job, &sums);
    enum nereus_status status = nereus_mover_file_access(file, sums.mine, mine, err);
    if (status == NEREUS_OK)
        status = nereus_read_data(job, source->path, sums.mine, mine, err);
    *read_s = nereus_skewed_monotonic_s();
    if (status == NEREUS_OK)
        status = nereus_sums_gather(job, &sums, err);
    if (status == NEREUS_OK) /* a process that could not read has no checksums */
        status = nereus_agree_intra(job->control, mine, 0, NEREUS_WAITING_ASLEEP, &verdict, err);
    if (status == NEREUS_OK && job->rank == 0 && verdict.status == NEREUS_OK)
        compare_data(job, &sums, source->checkpoint, mine);
    for (int64_t i = 0; i < job->registry.count; i++)
        if (job->registry.data[i].entry.placement == NEREUS_DISTRIBUTED)
            job->registry.coming_bytes += sums.mine[i * FILES_PER_DATUM + FILE_VALUES].bytes;
    nereus_sums_fini(&sums);
    return status;
}

enum nereus_status nereus_read_checkpoint(nereus_job *job, const struct checkpoint_source *source,
                                          double *read_s, struct nereus_error *verdict,
                                          struct nereus_error *err)
{
    struct mover_file file = {job, source->path, source->before, false};
    struct nereus_error mine = *source->failure;
    if (mine.status == NEREUS_OK)
        nereus_mover_file_check(job, &mine);
    /* A process without a registry takes part in no collective operation from here on. */
    NEREUS_TRY(nereus_agree_intra(job->control, &mine, (uint64_t)job->registry.count,
                                  NEREUS_WAITING, verdict, err));
    if (verdict->status != NEREUS_OK)
        return NEREUS_OK;
    NEREUS_TRY(read_all(source, &file, read_s, &mine, err));
    NEREUS_TRY(nereus_agree_intra(job->control, &mine, 0, NEREUS_WAITING_ASLEEP, verdict, err));
    nereus_mover_file_end(&file, verdict->status == NEREUS_OK);
    return NEREUS_OK;
}
