/*
 * Baseline: NT new processes are started, data goes to them, and the sources end.
 *
 * RT = T_spawn(NS, NT) (spawning-methods, equation 1), with "single" T_spawn(1, NT) + T_connect(NS, NT)
 * (equation 4); here with the steps that the paper leaves out: joining, data, agreement, parting. It loses
 * where NT is close to NS, and wherever old and new processes share cores. It works from any state of the
 * job, gives every node back, and NS = NT is a full respawn.
 *
 * baseline-intra merges old and new processes first, so that data moves within one communicator (data-redistribution 4:
 * only the blocking alltoallv between two groups is pairwise, and one-sided communication needs one group).
 */
#include "plan_build.h"

/* Old and new in one communicator: the sources first. */
static void append_merge(const struct nereus_request *request, struct nereus_plan *plan, unsigned all)
{
    struct nereus_step *merge = nereus_plan_append(plan, NEREUS_STEP_MERGE, all);
    merge->old_processes = request->ns;
    merge->new_processes = request->nt;
}

enum nereus_status nereus_plan_build_baseline(const struct nereus_request *request, struct nereus_plan *plan,
                                              struct nereus_error *err)
{
    const unsigned all = NEREUS_LEAVING | NEREUS_SPAWNED;
    plan->intra = plan->method.process == NEREUS_BASELINE_INTRA;
    plan->inter = !plan->intra;
    plan->spawned = request->nt;
    plan->leaving = request->ns;
    nereus_plan_append(plan, NEREUS_STEP_DECIDE, NEREUS_LEAVING);
    const enum nereus_status status =
        nereus_plan_append_gain(request, plan, NEREUS_LEAVING, request->ns, 0, err);
    if (status != NEREUS_OK)
        return status;
    if (plan->intra)
        append_merge(request, plan, all);
    nereus_plan_append_beside(request, plan, all);
    nereus_plan_append_data(request, plan, all);
    nereus_plan_append(plan, NEREUS_STEP_AGREE, all)->new_processes = request->nt;
    nereus_plan_append_commit(request, plan, all, request->nt);
    nereus_plan_append(plan, NEREUS_STEP_DISCONNECT, all)->new_processes = request->nt;
    return NEREUS_OK;
}
