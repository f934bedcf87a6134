/* How index spaces are cut, now and after the reconfiguration that is being prepared. */
#include <stdlib.h>
#include <string.h>

#include "registry.h"

int64_t nereus_cut_find(const struct registry *registry, const char *name, int64_t n)
{
    for (int64_t i = 0; i < registry->cut_count; i++)
        if (registry->cuts[i].parent == 0 && strcmp(registry->cuts[i].name, name) == 0 &&
            (name[0] != '\0' || registry->cuts[i].now.n == n))
            return i;
    return -1;
}

enum nereus_status nereus_cut_add(struct registry *registry, const char *name, int64_t n, int64_t processes,
                                  int64_t parent, struct nereus_error *err)
{
    if (registry->cut_count == registry->cut_capacity) {
        const int64_t capacity = registry->cut_capacity == 0 ? 8 : 2 * registry->cut_capacity;
        struct cut *cuts = realloc(registry->cuts, (size_t)capacity * sizeof *cuts);
        if (cuts == NULL)
            return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to register a partition");
        registry->cuts = cuts;
        registry->cut_capacity = capacity;
    }
    struct cut *cut = &registry->cuts[registry->cut_count++];
    *cut = (struct cut){.parent = parent, .now = nereus_partition_block(n, processes)};
    strncpy(cut->name, name, sizeof cut->name - 1);
    return NEREUS_OK;
}

static const struct cut *cut_of(const struct registry *registry, const struct datum *datum)
{
    return datum->entry.partition == 0 ? NULL : &registry->cuts[datum->entry.partition - 1];
}

const struct nereus_partition *nereus_datum_before(const struct registry *registry, const struct datum *datum)
{
    const struct cut *cut = cut_of(registry, datum);
    return cut == NULL ? NULL : &cut->now;
}

const struct nereus_partition *nereus_datum_after(const struct registry *registry, const struct datum *datum)
{
    const struct cut *cut = cut_of(registry, datum);
    return cut == NULL ? NULL : &cut->next;
}

struct nereus_range nereus_datum_range(const struct registry *registry, const struct datum *datum,
                                       int64_t processes, int64_t rank)
{
    const struct cut *cut = cut_of(registry, datum);
    if (cut == NULL)
        return nereus_block(datum->entry.count, processes, rank);
    return nereus_partition_range(&cut->now, rank);
}

/* Custom data are as many bytes as their record says; a source packs its own. */
static enum nereus_status measure_custom(struct registry *registry, int64_t rank, struct nereus_error *err)
{
    for (int64_t i = 0; i < registry->count; i++) {
        struct datum *datum = &registry->data[i];
        if (datum->entry.shape != NEREUS_CUSTOM)
            continue;
        datum->entry.count = registry->cuts[datum->entry.partition - 1].now.n;
        datum->range = (struct nereus_range){0, 0};
        if (rank < 0)
            continue;
        datum->range = nereus_datum_range(registry, datum, 0, rank);
        datum->part = malloc((size_t)datum->range.count + 1);
        if (datum->part == NULL)
            return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to pack %lld bytes of '%s'",
                               (long long)datum->range.count, datum->entry.name);
    }
    return NEREUS_OK;
}

static enum nereus_status follow(struct cut *cut, const struct nereus_data_partition *record,
                                 struct nereus_error *err)
{
    struct nereus_partition now = {0}, next = {0};
    enum nereus_status status = nereus_partition_copy(&record->before, &now, err);
    if (status == NEREUS_OK)
        status = nereus_partition_copy(&record->after, &next, err);
    if (status !=
        NEREUS_OK) { /* the cut stays as it is: what it says now has to be so after a failure, too */
        nereus_partition_fini(&now);
        return status;
    }
    nereus_partition_fini(&cut->now);
    nereus_partition_fini(&cut->next);
    cut->now = now;
    cut->next = next;
    cut->parent = record->parent;
    cut->weights = record->weights;
    return NEREUS_OK;
}

enum nereus_status nereus_cuts_follow(struct registry *registry, const struct nereus_request *request,
                                      int64_t rank, struct nereus_error *err)
{
    for (int64_t i = 0; i < request->partition_count; i++) {
        const struct nereus_data_partition *record = &request->partitions[i];
        enum nereus_status status = NEREUS_OK;
        if (i == registry->cut_count)
            status =
                nereus_cut_add(registry, record->name, record->before.n, request->ns, record->parent, err);
        if (status == NEREUS_OK)
            status = follow(&registry->cuts[i], record, err);
        if (status != NEREUS_OK)
            return status;
    }
    return measure_custom(registry, rank, err);
}

void nereus_cuts_commit(struct registry *registry)
{
    for (int64_t i = 0; i < registry->cut_count; i++) {
        struct cut *cut = &registry->cuts[i];
        if (cut->next.processes == 0)
            continue;
        nereus_partition_fini(&cut->now);
        cut->now = cut->next;
        cut->next = (struct nereus_partition){0};
    }
}

void nereus_cuts_roll_back(struct registry *registry)
{
    for (int64_t i = 0; i < registry->cut_count; i++)
        nereus_partition_fini(&registry->cuts[i].next);
}
