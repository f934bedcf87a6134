/**
 * @file step_agree.c
 * Runs the step "agree", which precedes everything that cannot be undone; and broadcasts the root's
 * verdict to the parents.
 */
#include "src/util/agree.h"
#include "src/util/fault.h"
#include "steps.h"
#include "transfer.h"

/* If new processes may be lost each side agrees separately, and the two roots exchange messages, as
 * over an inter-communicator. */
static enum nereus_status agree_on_plan(struct reconfiguration *reconfig)
{
    struct nereus_error *err = &reconfig->error;
    const bool is_new = reconfig->role == NEREUS_SPAWNED, watched = nereus_is_watched(reconfig);
    if (!reconfig->plan.inter && !watched)
        return nereus_agree_intra(reconfig->comms.merged, &reconfig->failure, reconfig->plan.hash,
                                  reconfig->wait_mode, &reconfig->verdict, err);
    const MPI_Comm olds = watched ? reconfig->detector.sources : reconfig->comms.parents;
    const struct nereus_sides sides = {is_new ? reconfig->comms.new_processes : olds,
                                       reconfig->comms.inter, !is_new};
    return nereus_agree_inter(sides, &reconfig->failure, reconfig->plan.hash, reconfig->wait_mode,
                              &reconfig->verdict, err);
}

enum nereus_status nereus_run_agree(struct reconfiguration *reconfig)
{
    struct nereus_error *err = &reconfig->error;
    /* There is a next step: no plan ends with an agreement. */
    if (reconfig->step[1].kind == NEREUS_STEP_COMMIT) {
        nereus_constant_checksums_compare(reconfig);
        NEREUS_TRY(nereus_reconfig_complete_next(reconfig, err));
    }
    if (!nereus_is_watched(reconfig))
        NEREUS_TRY(nereus_sleeping_barrier(reconfig->plan.inter ? reconfig->comms.inter
                                                                : reconfig->comms.merged,
                                           reconfig->wait_mode, err));
    NEREUS_TRY(nereus_wait_for_new_processes(reconfig));
    nereus_fault_die(NEREUS_FAULT_STATEMENT, nereus_reconfig_rank(reconfig));
    if (nereus_fault_applies(NEREUS_STEP_AGREE, nereus_reconfig_rank(reconfig)))
        nereus_fault_report(NEREUS_STEP_AGREE, &reconfig->failure);
    NEREUS_TRY(agree_on_plan(reconfig));
    return reconfig->verdict.status;
}

enum nereus_status nereus_broadcast_verdict(struct reconfiguration *reconfig,
                                            const struct nereus_error *failure,
                                            struct nereus_wait_mode wait_mode)
{
    struct nereus_error shared = *failure;
    NEREUS_TRY(nereus_broadcast(&shared, sizeof shared, 0, reconfig->comms.parents, wait_mode,
                                &reconfig->error));
    reconfig->verdict = shared;
    return shared.status;
}
