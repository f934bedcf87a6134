/* The step "agree": precedes everything that cannot be undone. */
#include "constant_checksums.h"
#include "src/util/agree.h"
#include "src/util/error.h"
#include "src/util/fault.h"
#include "steps.h"

/* If new processes may be lost each side agrees separately, and the two roots exchange messages, as
 * over an inter-communicator. */
static enum nereus_status agree_on_plan(struct reconfiguration *rc)
{
    struct nereus_error *err = &rc->error;
    const bool is_new = rc->role == NEREUS_SPAWNED, watched = nereus_is_watched(rc);
    if (!rc->plan.inter && !watched)
        return nereus_agree_intra(rc->comms.merged, &rc->failure, rc->plan.hash, rc->waiting,
                                  &rc->verdict, err);
    const MPI_Comm olds = watched ? rc->detector.sources : rc->comms.parents;
    return nereus_agree_inter(is_new ? rc->comms.own : olds, rc->comms.inter, !is_new, &rc->failure,
                              rc->plan.hash, rc->waiting, &rc->verdict, err);
}

enum nereus_status nereus_run_agree(struct reconfiguration *rc)
{
    struct nereus_error *err = &rc->error;
    if (rc->step[1].kind ==
        NEREUS_STEP_COMMIT) { /* there is a next step: no plan ends with an agreement */
        nereus_constant_checksums_compare(rc);
        NEREUS_TRY(nereus_rc_complete_next(rc, err));
    }
    if (!nereus_is_watched(rc))
        NEREUS_TRY(nereus_sleeping_barrier(rc->plan.inter ? rc->comms.inter : rc->comms.merged,
                                           rc->waiting, err));
    NEREUS_TRY(nereus_wait_for_new_processes(rc));
    nereus_fault_die(NEREUS_FAULT_STATEMENT, nereus_rc_rank(rc));
    if (nereus_fault(NEREUS_STEP_AGREE, nereus_rc_rank(rc)))
        nereus_fault_report(NEREUS_STEP_AGREE, &rc->failure);
    NEREUS_TRY(agree_on_plan(rc));
    return rc->verdict.status;
}
