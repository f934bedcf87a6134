/* The application's side of the registered data. */
#include <stdlib.h>
#include <string.h>

#include "job.h"

/* Bytes of one element; only types without gaps can be moved as bytes. */
static enum nereus_status element_bytes(MPI_Datatype type, const char *name, int64_t *bytes,
                                        struct nereus_error *err)
{
    MPI_Count size, lower, extent;
    NEREUS_MPI(MPI_Type_size_x(type, &size), err);
    NEREUS_MPI(MPI_Type_get_extent_x(type, &lower, &extent), err);
    if (size < 1 || lower != 0 || extent != size)
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "'%s': its type has gaps (size %lld, extent %lld): register data of a type without", name,
            (long long)size, (long long)extent);
    *bytes = (int64_t)size;
    return NEREUS_OK;
}

static enum nereus_status make_entry(const char *name, MPI_Datatype type, int64_t count,
                                     enum nereus_data_kind kind, enum nereus_data_placement placement,
                                     struct nereus_data_entry *entry, struct nereus_error *err)
{
    memset(entry, 0, sizeof *entry);
    if (name == NULL || name[0] == '\0' || strlen(name) >= NEREUS_DATA_NAME_MAX)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "registered data needs a name of 1 to %d characters, not '%s'",
                           NEREUS_DATA_NAME_MAX - 1, name == NULL ? "" : name);
    if (count < 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "'%s': %lld elements; the number must be 0 or more",
                           name, (long long)count);
    NEREUS_TRY(element_bytes(type, name, &entry->element_bytes, err));
    if (count > INT64_MAX / entry->element_bytes)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "'%s': %lld elements of %lld bytes are more than can be addressed", name,
                           (long long)count, (long long)entry->element_bytes);
    strcpy(entry->name, name);
    entry->count = count;
    entry->kind = kind;
    entry->placement = placement;
    return NEREUS_OK;
}

/* A received datum that the application of this process now asks for: it must be what was received. */
static enum nereus_status claim(struct datum *datum, const struct nereus_data_entry *entry,
                                struct nereus_error *err)
{
    const struct nereus_data_entry *have = &datum->entry;
    if (datum->claimed)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "'%s' is registered already", entry->name);
    if (have->element_bytes != entry->element_bytes || have->count != entry->count ||
        have->placement != entry->placement || have->kind != entry->kind)
        return nereus_fail(
            err, NEREUS_ERR_MISMATCH,
            "'%s' was received as %lld %s elements of %lld bytes and cannot be registered as %lld of %lld",
            entry->name, (long long)have->count,
            have->placement == NEREUS_DISTRIBUTED ? "distributed" : "replicated",
            (long long)have->element_bytes, (long long)entry->count, (long long)entry->element_bytes);
    datum->claimed = true;
    return NEREUS_OK;
}

/* New in this process: append it; received: claim it. */
static enum nereus_status enter(nereus_job *job, const struct nereus_data_entry *entry, bool *received,
                                int64_t *index, struct nereus_error *err)
{
    *index = nereus_registry_find(&job->registry, entry->name);
    *received = *index >= 0;
    if (*received)
        return claim(&job->registry.data[*index], entry, err);
    NEREUS_TRY(nereus_registry_add(&job->registry, entry, err));
    *index = job->registry.count - 1;
    job->registry.data[*index].claimed = true;
    return NEREUS_OK;
}

enum nereus_status nereus_register_array(nereus_job *job, const char *name, MPI_Datatype type, int64_t count,
                                         enum nereus_data_kind kind, int *id)
{
    struct nereus_data_entry entry;
    bool received;
    int64_t index;
    NEREUS_TRY(make_entry(name, type, count, kind, NEREUS_DISTRIBUTED, &entry, &job->error));
    NEREUS_TRY(enter(job, &entry, &received, &index, &job->error));
    struct datum *datum = &job->registry.data[index];
    if (!received) {
        datum->range = nereus_block(count, job->size, job->rank);
        if (datum->range.count > 0)
            datum->part = calloc((size_t)datum->range.count, (size_t)entry.element_bytes);
        if (datum->range.count > 0 && datum->part == NULL) {
            job->registry.count--;
            return nereus_fail(&job->error, NEREUS_ERR_MEMORY,
                               "no memory for the local part of '%s' (%lld bytes)", name,
                               (long long)(datum->range.count * entry.element_bytes));
        }
    }
    *id = (int)index;
    return NEREUS_OK;
}

enum nereus_status nereus_register_replicated(nereus_job *job, const char *name, MPI_Datatype type,
                                              int64_t count, enum nereus_data_kind kind, void *values,
                                              int *id)
{
    struct nereus_data_entry entry;
    bool received;
    int64_t index;
    if (values == NULL && count > 0)
        return nereus_fail(&job->error, NEREUS_ERR_ARGUMENT,
                           "'%s': replicated values need memory of the caller", name == NULL ? "" : name);
    NEREUS_TRY(make_entry(name, type, count, kind, NEREUS_REPLICATED, &entry, &job->error));
    NEREUS_TRY(enter(job, &entry, &received, &index, &job->error));
    struct datum *datum = &job->registry.data[index];
    datum->values = values;
    if (received && count > 0)
        memcpy(values, datum->part, (size_t)(count * entry.element_bytes));
    free(datum->part);
    datum->part = NULL;
    *id = (int)index;
    return NEREUS_OK;
}

enum nereus_status nereus_local(const nereus_job *job, int id, void **part, int64_t *first, int64_t *count)
{
    if (id < 0 || id >= job->registry.count || job->registry.data[id].entry.placement != NEREUS_DISTRIBUTED)
        return NEREUS_ERR_ARGUMENT;
    const struct datum *datum = &job->registry.data[id];
    if (part != NULL)
        *part = datum->part;
    if (first != NULL)
        *first = datum->range.first;
    if (count != NULL)
        *count = datum->range.count;
    return NEREUS_OK;
}
