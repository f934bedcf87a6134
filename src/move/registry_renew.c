/** @file registry_renew.c  Sets registered data back to the values of a checkpoint. */

#include "registry.h"

static enum nereus_status compare_with_checkpoint(const struct registry *registry,
                                                  const struct registry *old_registry,
                                                  struct nereus_error *err)
{
    bool same = registry->count == old_registry->count &&
                registry->space_count == old_registry->space_count;
    for (int64_t i = 0; same && i < registry->count; i++)
        same = nereus_entry_hash(&registry->data[i].entry, 0) ==
               nereus_entry_hash(&old_registry->data[i].entry, 0);
    return same ? NEREUS_OK
                : nereus_fail(err, NEREUS_ERR_MISMATCH,
                              "other data were registered when the checkpoint was written");
}

static void claim_space(struct index_space *space, const struct index_space *old_space)
{
    space->claimed = old_space->claimed;
    space->weigh = old_space->weigh;
    space->user = old_space->user;
}

static void claim_datum(struct datum *datum, struct datum *old_datum, int rank, int64_t point)
{
    datum->claimed = old_datum->claimed;
    datum->received = old_datum->received;
    datum->type = old_datum->type;
    datum->custom = old_datum->custom;
    datum->values = old_datum->values;
    if (datum->entry.placement == NEREUS_REPLICATED && datum->claimed) {
        if (datum->part != NULL) /* NULL: no elements */
            memcpy(datum->values, datum->part,
                   (size_t)(datum->entry.count * datum->entry.element_bytes));
        nereus_part_free(datum->part);
        datum->part = NULL;
    }
    nereus_part_name(datum->part, datum->entry.name, rank);
    nereus_part_retire(old_datum->part, old_datum->entry.name, rank, point);
    old_datum->part = NULL;
}

enum nereus_status nereus_registry_renew(struct registry *registry, struct registry *old_registry,
                                         int rank, int64_t point, struct nereus_error *err)
{
    NEREUS_TRY(compare_with_checkpoint(registry, old_registry, err));
    for (int64_t i = 0; i < registry->space_count; i++)
        claim_space(&registry->spaces[i], &old_registry->spaces[i]);
    for (int64_t i = 0; i < registry->count; i++)
        claim_datum(&registry->data[i], &old_registry->data[i], rank, point);
    return nereus_custom_deliver_all(registry, err);
}
