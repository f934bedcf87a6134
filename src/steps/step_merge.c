/** @file step_merge.c  Runs the steps "merge" and "split", which make the next communicator. */
#include "src/util/fault.h"
#include "src/util/handshake.h"
#include "src/util/tags.h"
#include "steps.h"

enum nereus_status nereus_run_merge(struct reconfiguration *reconfig)
{
    struct nereus_error *err = &reconfig->error;
    const bool watched = nereus_is_watched(reconfig);
    if (!watched)
        NEREUS_TRY(nereus_sleeping_barrier(reconfig->comms.inter, reconfig->wait_mode, err));
    if (watched) /* MPI_Intercomm_merge cannot be tested: detect lost peers before it */
        NEREUS_TRY(nereus_handshake_all(reconfig->comms.inter, reconfig->role == NEREUS_SPAWNED,
                                        reconfig->wait_mode, err));
    else
        NEREUS_TRY(
            nereus_handshake_ordered(reconfig->comms.inter, reconfig->role != NEREUS_SPAWNED, err));
    NEREUS_TRY(nereus_wait_for_new_processes(reconfig));
    nereus_fault_die(NEREUS_FAULT_MERGING, nereus_reconfig_rank(reconfig));
    NEREUS_MPI(MPI_Intercomm_merge(reconfig->comms.inter, reconfig->role == NEREUS_SPAWNED,
                                   &reconfig->comms.merged),
               err);
    if (!reconfig->plan.intra) {
        NEREUS_TRY(nereus_reconfig_set_next(reconfig, reconfig->comms.merged, err));
        /* Complete the duplicate now: an incomplete one would block all later duplicates of this
         * process. */
        return watched ? nereus_reconfig_complete_next(reconfig, err) : NEREUS_OK;
    }
    NEREUS_MPI(MPI_Comm_set_errhandler(reconfig->comms.merged, MPI_ERRORS_RETURN), err);
    return NEREUS_OK;
}

/* Make the group of the staying processes in rank order. */
static enum nereus_status make_staying_group(const struct reconfiguration *reconfig,
                                             MPI_Group *staying, struct nereus_error *err)
{
    const struct nereus_plan *plan = &reconfig->plan;
    NEREUS_MPI(MPI_Comm_group(reconfig->comms.parents, staying), err);
    /* Backwards, as removal shifts higher ranks. */
    for (int64_t i = plan->leaver_count; i-- > 0;) {
        const struct nereus_leavers *leavers = &plan->leavers[i];
        int range[1][3] = {{(int)leavers->first, (int)(leavers->first + leavers->count - 1), 1}};
        MPI_Group all_group = *staying;
        NEREUS_MPI(MPI_Group_range_excl(all_group, 1, range, staying), err);
        MPI_Group_free(&all_group);
    }
    return NEREUS_OK;
}

/* The staying ranks are in the plan, so that leaving processes take no part (as they would in
 * MPI_Comm_split). */
enum nereus_status nereus_run_split(struct reconfiguration *reconfig)
{
    struct nereus_error *err = &reconfig->error;
    MPI_Group staying;
    NEREUS_TRY(nereus_hand_over_root(reconfig, err));
    NEREUS_TRY(nereus_sleeping_barrier(reconfig->comms.parents, reconfig->wait_mode, err));
    if (reconfig->role != NEREUS_STAYING)
        return NEREUS_OK;
    NEREUS_TRY(make_staying_group(reconfig, &staying, err));
    NEREUS_MPI(
        MPI_Comm_create_group(reconfig->comms.parents, staying, SPLIT_TAG, &reconfig->comms.next),
        err);
    MPI_Group_free(&staying);
    return nereus_reconfig_set_next(reconfig, reconfig->comms.next, err);
}
