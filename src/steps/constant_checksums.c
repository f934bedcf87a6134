/* Packed data (custom and mover data) is not checked. */
#include "constant_checksums.h"

#include <stdlib.h>

#include "src/util/process_settings.h"

static bool is_checked(const struct datum *datum)
{
    return datum->entry.kind == NEREUS_CONSTANT && datum->entry.shape != NEREUS_CUSTOM &&
           nereus_datum_bytes(datum) > 0;
}

static uint64_t sum_of(const struct datum *datum)
{
    const void *values =
        datum->entry.placement == NEREUS_DISTRIBUTED ? datum->part : nereus_datum_values(datum);
    return nereus_hash(values, (size_t)nereus_datum_bytes(datum));
}

void nereus_constant_checksums_store(struct reconfiguration *rc)
{
    const struct registry *registry = &rc->job->registry;
    if (!nereus_checks() || rc->source_rank < 0 || rc->constants != NULL)
        return;
    rc->constants = calloc((size_t)registry->count + 1, sizeof *rc->constants);
    for (int64_t i = 0; rc->constants != NULL && i < registry->count; i++)
        if (is_checked(&registry->data[i]))
            rc->constants[i] = sum_of(&registry->data[i]);
}

void nereus_constant_checksums_compare(struct reconfiguration *rc)
{
    const struct registry *registry = &rc->job->registry;
    for (int64_t i = 0; rc->constants != NULL && i < registry->count; i++) {
        const struct datum *datum = &registry->data[i];
        if (rc->failure.status == NEREUS_OK && is_checked(datum) &&
            sum_of(datum) != rc->constants[i])
            nereus_fail(
                &rc->failure, NEREUS_ERR_STATE,
                "rank %d has written '%s' while it moved, which is constant: register it as "
                "NEREUS_VARIABLE, or do not write it after the first point",
                rc->source_rank, datum->entry.name);
    }
}
