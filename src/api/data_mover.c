/**
 * @file data_mover.c
 * Registers data that the application moves itself (steps/mover.c calls it): the plan gets
 * the number of bytes from its entry.
 */

#include "data.h"

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
