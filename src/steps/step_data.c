/** @file step_data.c  Runs the steps "allocate" and "redistribute". */
#include "overlap.h"
#include "src/util/fault.h"
#include "steps.h"
#include "transfer.h"

/* Allocate the new parts, then the transfers, which point to them. */
static enum nereus_status allocate_parts(struct reconfiguration *reconfig, struct nereus_error *err)
{
    const bool lacks = reconfig->role == NEREUS_WOKEN || reconfig->role == NEREUS_SPAWNED;
    if (reconfig->target_rank >= 0)
        NEREUS_TRY(nereus_registry_prepare(&reconfig->job->registry, reconfig->plan.nt,
                                           reconfig->target_rank, lacks, err));
    NEREUS_TRY(nereus_transfers_reserve(reconfig, err));
    return nereus_plan_overlaps(&reconfig->plan) ? NEREUS_OK : nereus_mover_prepare(reconfig, err);
}

/* Allocate, after an overlap, data whose size has changed since the decision, and mover data. One
 * process may fail, so that an agreement follows. */
static enum nereus_status allocate_deferred(struct reconfiguration *reconfig)
{
    if (reconfig->failure.status == NEREUS_OK &&
        nereus_transfer_renew(reconfig, reconfig->step, &reconfig->failure) == NEREUS_OK)
        nereus_mover_prepare(reconfig, &reconfig->failure);
    return nereus_run_agree(reconfig);
}

enum nereus_status nereus_run_allocate(struct reconfiguration *reconfig)
{
    if (nereus_fault_applies(NEREUS_STEP_ALLOCATE, nereus_reconfig_rank(reconfig))) {
        nereus_fault_report(NEREUS_STEP_ALLOCATE, &reconfig->failure);
        return NEREUS_OK;
    }
    if (reconfig->failure.status != NEREUS_OK)
        return NEREUS_OK; /* will be cancelled */
    allocate_parts(reconfig, &reconfig->failure);
    return NEREUS_OK; /* a failure is agreed on next */
}

enum nereus_status nereus_run_redistribute(struct reconfiguration *reconfig)
{
    if (nereus_transfer_is_deferred(reconfig, reconfig->step))
        NEREUS_TRY(allocate_deferred(reconfig));
    if (reconfig->step->thread == NEREUS_AT_POINTS) {
        NEREUS_TRY(nereus_overlap_run(reconfig, reconfig->step));
    } else {
        NEREUS_TRY(nereus_transfer_begin(reconfig, reconfig->step));
        NEREUS_TRY(nereus_exchange_finish(nereus_transfer_of_step(reconfig, reconfig->step),
                                          reconfig->wait_mode, &reconfig->error));
    }
    nereus_transfer_end(reconfig, reconfig->step);
    return nereus_mover_move(reconfig);
}
