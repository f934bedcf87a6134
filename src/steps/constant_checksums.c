/**
 * @file constant_checksums.c
 * Computes checksums of constant data before and after its move, which are compared before the
 * commit. Packed data (custom data, and data of a mover) has no checksum.
 */

#include "src/util/process_settings.h"
#include "transfer.h"

static bool is_checked(const struct registry *registry, const struct datum *datum)
{
    return datum->entry.kind == NEREUS_CONSTANT && datum->entry.shape != NEREUS_CUSTOM &&
           nereus_datum_bytes(registry, datum) > 0;
}

struct checksum {
    const unsigned char *part;
    uint64_t sum;
};

static void add_run(struct box_visit *visit, int64_t first, int64_t same, int64_t count)
{
    struct checksum *checksum = visit->user;
    (void)same;
    checksum->sum = checksum->sum * 31 + nereus_hash(checksum->part + first * visit->element_bytes,
                                                     (size_t)(count * visit->element_bytes));
}

/* Checksum of the own elements: the program may modify the halo. */
static uint64_t compute_box_checksum(const struct registry *registry, const struct datum *datum)
{
    const struct box box = nereus_datum_box(registry, datum, false);
    struct checksum checksum = {.part = box.part};
    struct box_visit visit =
        nereus_box_visit_of(&box, box.grid, box.place, datum->entry.element_bytes);
    visit.run = add_run;
    visit.user = &checksum;
    nereus_box_visit(&visit);
    return checksum.sum;
}

static uint64_t compute_checksum(const struct registry *registry, const struct datum *datum)
{
    if (datum->entry.shape == NEREUS_FIELD)
        return compute_box_checksum(registry, datum);
    const void *values =
        datum->entry.placement == NEREUS_DISTRIBUTED ? datum->part : nereus_datum_values(datum);
    return nereus_hash(values, (size_t)nereus_datum_bytes(registry, datum));
}

void nereus_constant_checksums_store(struct reconfiguration *reconfig)
{
    const struct registry *registry = &reconfig->job->registry;
    if (!nereus_process_settings.checks || reconfig->source_rank < 0 || reconfig->constants != NULL)
        return;
    reconfig->constants = calloc((size_t)registry->count + 1, sizeof *reconfig->constants);
    for (int64_t i = 0; reconfig->constants != NULL && i < registry->count; i++)
        if (is_checked(registry, &registry->data[i]))
            reconfig->constants[i] = compute_checksum(registry, &registry->data[i]);
}

void nereus_constant_checksums_compare(struct reconfiguration *reconfig)
{
    const struct registry *registry = &reconfig->job->registry;
    for (int64_t i = 0; reconfig->constants != NULL && i < registry->count; i++) {
        const struct datum *datum = &registry->data[i];
        if (reconfig->failure.status == NEREUS_OK && is_checked(registry, datum) &&
            compute_checksum(registry, datum) != reconfig->constants[i])
            nereus_fail(
                &reconfig->failure, NEREUS_ERR_STATE,
                "rank %d has written '%s' while it moved, which is constant: register it as "
                "NEREUS_VARIABLE, or do not write it after the first point",
                reconfig->source_rank, datum->entry.name);
    }
}
