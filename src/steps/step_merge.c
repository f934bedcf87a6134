/* The steps "merge" and "split" make the next communicator. */
#include "src/util/error.h"
#include "src/util/fault.h"
#include "src/util/handshake.h"
#include "steps.h"

enum nereus_status nereus_run_merge(struct reconfiguration *rc)
{
    struct nereus_error *err = &rc->error;
    const bool watched = nereus_is_watched(rc);
    if (!watched)
        NEREUS_TRY(nereus_sleeping_barrier(rc->comms.inter, rc->waiting, err));
    if (watched) /* MPI_Intercomm_merge cannot be tested: detect lost peers before it */
        NEREUS_TRY(
            nereus_handshake_all(rc->comms.inter, rc->role == NEREUS_SPAWNED, rc->waiting, err));
    else
        NEREUS_TRY(nereus_handshake_ordered(rc->comms.inter, rc->role != NEREUS_SPAWNED, err));
    NEREUS_TRY(nereus_wait_for_new_processes(rc));
    nereus_fault_die(NEREUS_FAULT_MERGING, nereus_rc_rank(rc));
    NEREUS_MPI(MPI_Intercomm_merge(rc->comms.inter, rc->role == NEREUS_SPAWNED, &rc->comms.merged),
               err);
    if (!rc->plan.intra) {
        NEREUS_TRY(nereus_rc_set_next(rc, rc->comms.merged, err));
        /* Complete it now: an incomplete duplicate would block all later ones of this process. */
        return watched ? nereus_rc_complete_next(rc, err) : NEREUS_OK;
    }
    NEREUS_MPI(MPI_Comm_set_errhandler(rc->comms.merged, MPI_ERRORS_RETURN), err);
    return NEREUS_OK;
}

/* Group of the staying processes in rank order. */
static enum nereus_status group_of_staying(const struct reconfiguration *rc, MPI_Group *staying,
                                           struct nereus_error *err)
{
    const struct nereus_plan *plan = &rc->plan;
    NEREUS_MPI(MPI_Comm_group(rc->comms.parents, staying), err);
    for (int64_t i = plan->leaver_count; i-- > 0;) { /* backwards, as removal shifts higher ranks */
        const struct nereus_leavers *leavers = &plan->leavers[i];
        int range[1][3] = {{(int)leavers->first, (int)(leavers->first + leavers->count - 1), 1}};
        MPI_Group all = *staying;
        NEREUS_MPI(MPI_Group_range_excl(all, 1, range, staying), err);
        MPI_Group_free(&all);
    }
    return NEREUS_OK;
}

/* The staying ranks are in the plan, so that leaving processes take no part (as they would in
 * MPI_Comm_split). */
enum nereus_status nereus_run_split(struct reconfiguration *rc)
{
    enum { SPLIT_TAG = 44 };
    struct nereus_error *err = &rc->error;
    MPI_Group staying;
    NEREUS_TRY(nereus_hand_over_root(rc, err));
    NEREUS_TRY(nereus_sleeping_barrier(rc->comms.parents, rc->waiting, err));
    if (rc->role != NEREUS_STAYING)
        return NEREUS_OK;
    NEREUS_TRY(group_of_staying(rc, &staying, err));
    NEREUS_MPI(MPI_Comm_create_group(rc->comms.parents, staying, SPLIT_TAG, &rc->comms.next), err);
    MPI_Group_free(&staying);
    return nereus_rc_set_next(rc, rc->comms.next, err);
}
