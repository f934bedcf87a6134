/*
 * Baseline: NT new processes are spawned by all sources; data goes over the inter-communicator; the sources
 * end.
 *
 * RT = T_spawn(NS, NT) (spawning-methods, equation 1), with "single" T_spawn(1, NT) + T_connect(NS, NT)
 * (equation 4); here with the steps that the paper leaves out: joining, data, agreement, parting. It loses
 * where NT is close to NS, and wherever old and new processes share cores. It works from any state of the
 * job, gives every node back, and NS = NT is a full respawn.
 */
#include "plan_build.h"

enum nereus_status nereus_plan_build_baseline(const struct nereus_request *request, struct nereus_plan *plan,
                                              struct nereus_error *err)
{
    const unsigned all = NEREUS_LEAVING | NEREUS_SPAWNED;
    (void)err;
    plan->inter = true;
    plan->spawned = request->nt;
    plan->leaving = request->ns;
    nereus_plan_append(plan, NEREUS_STEP_DECIDE, NEREUS_LEAVING);
    nereus_plan_append_spawn(plan, NEREUS_LEAVING, request->ns, request->nt, 0);
    nereus_plan_append_data(request, plan, all, NEREUS_SPAWNED);
    nereus_plan_append(plan, NEREUS_STEP_AGREE, all)->new_processes = request->nt;
    nereus_plan_append_commit(request, plan, all, request->nt);
    nereus_plan_append(plan, NEREUS_STEP_DISCONNECT, all)->new_processes = request->nt;
    return NEREUS_OK;
}
