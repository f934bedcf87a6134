/* The steps "merge" and "split": the next communicator. */
#include "src/util/error.h"
#include "src/util/fault.h"
#include "src/util/handshake.h"
#include "steps.h"

enum nereus_status nereus_run_merge(struct reconfiguration *rc)
{
    struct nereus_error *err = &rc->error;
    const bool watched = nereus_is_watched(rc);
    if (!watched)
        NEREUS_TRY(nereus_meet(rc->comms.inter, rc->waiting, err));
    if (watched) /* MPI_Intercomm_merge cannot be tested: detect lost peers before it */
        NEREUS_TRY(
            nereus_handshake_all(rc->comms.inter, rc->role == NEREUS_SPAWNED, rc->waiting, err));
    else
        NEREUS_TRY(nereus_handshake_ordered(rc->comms.inter, rc->role != NEREUS_SPAWNED, err));
    NEREUS_TRY(nereus_await_new(rc));
    nereus_fault_die(NEREUS_FAULT_MERGING, nereus_rc_rank(rc));
    NEREUS_MPI(MPI_Intercomm_merge(rc->comms.inter, rc->role == NEREUS_SPAWNED, &rc->comms.merged),
               err);
    if (!rc->plan.intra) {
        NEREUS_TRY(nereus_rc_set_next(rc, rc->comms.merged, err));
        /* A duplicate that is never completed would make all later ones of this process wait. */
        return watched ? nereus_rc_complete_next(rc, err) : NEREUS_OK;
    }
    NEREUS_MPI(MPI_Comm_set_errhandler(rc->comms.merged, MPI_ERRORS_RETURN), err);
    return NEREUS_OK;
}

enum nereus_status nereus_run_split(struct reconfiguration *rc)
{
    struct nereus_error *err = &rc->error;
    const int color = rc->role == NEREUS_STAYING ? 0 : MPI_UNDEFINED;
    NEREUS_TRY(nereus_hand_over_root(rc, err));
    NEREUS_TRY(nereus_meet(rc->comms.parents, rc->waiting, err));
    NEREUS_MPI(MPI_Comm_split(rc->comms.parents, color, rc->source_rank, &rc->comms.next), err);
    return rc->comms.next == MPI_COMM_NULL ? NEREUS_OK
                                           : nereus_rc_set_next(rc, rc->comms.next, err);
}
