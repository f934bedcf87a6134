/* The step "agree": before anything that cannot be taken back. */
#include "constants.h"
#include "src/util/agree.h"
#include "src/util/error.h"
#include "src/util/fault.h"
#include "steps.h"

/* Where new processes may be lost each side agrees among itself, and only the roots exchange
 * messages, as over an inter-communicator. */
static enum nereus_status agree(struct reconfiguration *rc)
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
    if (rc->step[1].kind == NEREUS_STEP_COMMIT) { /* a plan never ends with an agreement */
        nereus_constants_compare(rc);
        NEREUS_TRY(nereus_rc_complete_next(rc, err));
    }
    if (!nereus_is_watched(rc))
        NEREUS_TRY(
            nereus_meet(rc->plan.inter ? rc->comms.inter : rc->comms.merged, rc->waiting, err));
    NEREUS_TRY(nereus_await_new(rc));
    nereus_fault_die(NEREUS_FAULT_STATEMENT, nereus_rc_rank(rc));
    if (nereus_fault(NEREUS_STEP_AGREE, nereus_rc_rank(rc)))
        nereus_fault_report(NEREUS_STEP_AGREE, &rc->failure);
    NEREUS_TRY(agree(rc));
    return rc->verdict.status;
}
