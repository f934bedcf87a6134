/**
 * @file data_custom.c
 * Registers custom data, which move/custom.c moves, and data that the application moves itself
 * (steps/mover.c calls it).
 */

#include "data.h"

static const char suffix[] = " (bytes)";

/* Find or make the index space of the packed bytes.
 * @param[in] elements  handle of the elements' space */
static enum nereus_status make_byte_space(nereus_job *job, const char *custom, int64_t elements,
                                          int64_t *number, struct nereus_error *err)
{
    struct registry *registry = &job->registry;
    char name[NEREUS_DATA_NAME_MAX];
    const int64_t received = nereus_registry_find(registry, custom);
    if (received >= 0) {
        const struct nereus_data_entry *entry = &registry->data[received].entry;
        *number = entry->partition;
        if (entry->shape == NEREUS_CUSTOM &&
            registry->spaces[entry->partition - 1].parent != elements)
            return nereus_fail(err, NEREUS_ERR_MISMATCH, "'%s' was received in another partition",
                               custom);
        return NEREUS_OK; /* a mismatch is reported with the entry */
    }
    snprintf(name, sizeof name, "%s%s", custom, suffix);
    NEREUS_TRY(nereus_check_new(job, custom, err));
    NEREUS_TRY(nereus_space_add(registry, name, 0, job->size, elements, err));
    *number = registry->space_count;
    return NEREUS_OK;
}

/* A custom datum is one entry with two index spaces: its elements, and the packed bytes, whose
 * bounds are derived from those of the elements. */
static enum nereus_status make_entry(nereus_job *job, const struct nereus_description *d,
                                     struct nereus_data_entry *entry, struct nereus_error *err)
{
    const int longest = NEREUS_DATA_NAME_MAX - (int)sizeof suffix;
    if (d->name != NULL && strlen(d->name) > (size_t)longest)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "'%s': the name of custom data is at most %d long", d->name, longest);
    NEREUS_TRY(nereus_describe(job, d, entry, err));
    NEREUS_TRY(make_byte_space(job, d->name, entry->partition, &entry->partition, err));
    entry->count = 0; /* bytes, once they are packed */
    return NEREUS_OK;
}

enum nereus_status nereus_register_custom(nereus_job *job, const char *name, int64_t n,
                                          int partition, const struct nereus_custom *custom,
                                          enum nereus_data_kind kind, int *id)
{
    const struct nereus_description d = {name,          MPI_BYTE, n, 0, kind, NEREUS_DISTRIBUTED,
                                         NEREUS_CUSTOM, partition};
    struct nereus_data_entry entry;
    bool received;
    int64_t index;
    if (custom == NULL || custom->size != sizeof *custom || custom->bytes == NULL ||
        custom->pack == NULL || custom->unpack == NULL)
        return nereus_fail(&job->error, NEREUS_ERR_ARGUMENT,
                           "'%s': custom data needs the functions bytes, pack and unpack",
                           name == NULL ? "" : name);
    NEREUS_TRY(make_entry(job, &d, &entry, &job->error));
    NEREUS_TRY(nereus_add_or_claim(job, &entry, &received, &index, &job->error));
    job->registry.data[index].custom = (struct custom_calls){
        custom->bytes, custom->pack, custom->resize, custom->unpack, custom->user};
    *id = (int)index;
    return received ? nereus_custom_deliver(&job->registry.data[index], &job->error) : NEREUS_OK;
}

/* ---- data that the application moves; the plan gets the number of bytes from its entry ---- */

enum nereus_status nereus_check_mover(const struct nereus_mover *mover, struct nereus_error *err)
{
    if (mover == NULL || (mover->size == sizeof *mover && mover->bytes != NULL &&
                          mover->prepare != NULL && mover->move != NULL && mover->end != NULL))
        return NEREUS_OK;
    return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                       "options.mover needs the functions bytes, prepare, move and end (begin with "
                       "NEREUS_MOVER_INIT)");
}

enum nereus_status nereus_register_mover(nereus_job *job, struct nereus_error *err)
{
    struct nereus_data_entry entry = {
        .element_bytes = 1, .kind = NEREUS_VARIABLE, .placement = NEREUS_MOVED_BY_APPLICATION};
    if (job->callbacks.mover.move == NULL)
        return NEREUS_OK;
    snprintf(entry.name, sizeof entry.name, "options.mover");
    return nereus_registry_add(&job->registry, &entry, err);
}
