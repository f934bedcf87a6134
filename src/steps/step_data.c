/* The steps "allocate" and "redistribute". */
#include "mover.h"
#include "overlap.h"
#include "src/util/error.h"
#include "src/util/fault.h"
#include "steps.h"
#include "transfer.h"

/* New parts first, as a transfer points to them. */
static enum nereus_status allocate_parts(struct reconfiguration *rc, struct nereus_error *err)
{
    const bool lacks = rc->role == NEREUS_WOKEN || rc->role == NEREUS_SPAWNED;
    if (rc->target_rank >= 0)
        NEREUS_TRY(
            nereus_registry_prepare(&rc->job->registry, rc->plan.nt, rc->target_rank, lacks, err));
    NEREUS_TRY(nereus_transfers_reserve(rc, err));
    return nereus_plan_overlaps(&rc->plan) ? NEREUS_OK : nereus_mover_prepare(rc, err);
}

/* After an overlap: allocate data whose size has changed since the decision, and mover data. One
 * process may fail, so that an agreement follows. */
static enum nereus_status allocate_deferred(struct reconfiguration *rc)
{
    if (rc->failure.status == NEREUS_OK &&
        nereus_transfer_renew(rc, rc->step, &rc->failure) == NEREUS_OK)
        nereus_mover_prepare(rc, &rc->failure);
    return nereus_run_agree(rc);
}

enum nereus_status nereus_run_allocate(struct reconfiguration *rc)
{
    if (nereus_fault(NEREUS_STEP_ALLOCATE, nereus_rc_rank(rc))) {
        nereus_fault_report(NEREUS_STEP_ALLOCATE, &rc->failure);
        return NEREUS_OK;
    }
    if (rc->failure.status != NEREUS_OK)
        return NEREUS_OK; /* will be cancelled */
    allocate_parts(rc, &rc->failure);
    return NEREUS_OK; /* a failure is agreed on next */
}

enum nereus_status nereus_run_redistribute(struct reconfiguration *rc)
{
    if (nereus_transfer_is_deferred(rc, rc->step))
        NEREUS_TRY(allocate_deferred(rc));
    if (rc->step->thread == NEREUS_AT_POINTS) {
        NEREUS_TRY(nereus_overlap_run(rc, rc->step));
    } else {
        NEREUS_TRY(nereus_transfer_begin(rc, rc->step));
        NEREUS_TRY(
            nereus_exchange_finish(nereus_transfer_of_step(rc, rc->step), rc->waiting, &rc->error));
    }
    nereus_transfer_end(rc, rc->step);
    return nereus_mover_move(rc);
}
