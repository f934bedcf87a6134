/* The application's side of custom data (custom.c moves them). */
#include <stdlib.h>
#include <string.h>

#include "data.h"

/* Its elements, and the bytes that they are packed to: those are cut where the elements are. */
static enum nereus_status make_entry(nereus_job *job, const struct nereus_description *d,
                                     struct nereus_data_entry *entry, struct nereus_error *err)
{
    char name[NEREUS_DATA_NAME_MAX];
    NEREUS_TRY(nereus_describe(job, d, entry, err));
    const int64_t elements = entry->partition;
    snprintf(name, sizeof name, "%.*s (bytes)", NEREUS_DATA_NAME_MAX - 9, d->name);
    int64_t cut = nereus_cut_find(&job->registry, name, 0);
    if (cut < 0) {
        NEREUS_TRY(nereus_check_quiet(job, d->name, err));
        NEREUS_TRY(nereus_cut_add(&job->registry, name, 0, job->size, elements, err));
        cut = job->registry.cut_count - 1;
    } else if (job->registry.cuts[cut].parent != elements) {
        return nereus_fail(err, NEREUS_ERR_MISMATCH, "'%s' was received in another partition", d->name);
    }
    entry->partition = cut + 1;
    entry->count = 0; /* bytes, once they are packed */
    return NEREUS_OK;
}

enum nereus_status nereus_register_custom(nereus_job *job, const char *name, int64_t n, int partition,
                                          const struct nereus_custom *custom, enum nereus_data_kind kind,
                                          int *id)
{
    const struct nereus_description d = {name,          MPI_BYTE, n, 0, kind, NEREUS_DISTRIBUTED,
                                         NEREUS_CUSTOM, partition};
    struct nereus_data_entry entry;
    bool received;
    int64_t index;
    if (custom == NULL || custom->size != sizeof *custom || custom->bytes == NULL || custom->pack == NULL ||
        custom->unpack == NULL)
        return nereus_fail(&job->error, NEREUS_ERR_ARGUMENT,
                           "'%s': custom data needs the functions bytes, pack and unpack",
                           name == NULL ? "" : name);
    NEREUS_TRY(make_entry(job, &d, &entry, &job->error));
    NEREUS_TRY(nereus_enter(job, &entry, &received, &index, &job->error));
    job->registry.data[index].custom =
        (struct custom_calls){custom->bytes, custom->pack, custom->resize, custom->unpack, custom->user};
    *id = (int)index;
    return received ? nereus_custom_deliver(&job->registry.data[index], &job->error) : NEREUS_OK;
}
