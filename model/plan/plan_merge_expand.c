/*
 * Merge, expanding: sources stay; zombies are woken first, and only what is then still missing is spawned and
 * merged.
 *
 * RT = T_spawn(NS, NT - NS) + T_merge(NT) (spawning-methods, equation 2), with "single" T_spawn(1, NT - NS) +
 * T_connect + T_merge (equation 5). It loses to baseline only where nearly all processes are new (NS = 1).
 */
#include "plan_build.h"

enum nereus_status nereus_plan_build_merge_expand(const struct nereus_request *request,
                                                  struct nereus_plan *plan, struct nereus_error *err)
{
    const int64_t missing = request->nt - request->ns;
    plan->woken = request->zombies < missing ? request->zombies : missing;
    plan->spawned = missing - plan->woken;
    unsigned all = NEREUS_STAYING;
    nereus_plan_append(plan, NEREUS_STEP_DECIDE, NEREUS_STAYING);
    if (plan->woken > 0) {
        all |= NEREUS_WOKEN;
        nereus_plan_append(plan, NEREUS_STEP_WAKE, all)->new_processes = plan->woken;
    }
    if (plan->spawned > 0) {
        const int64_t parents = request->ns + plan->woken;
        const enum nereus_status status = nereus_plan_append_gain(request, plan, all, parents, parents, err);
        if (status != NEREUS_OK)
            return status;
        all |= NEREUS_SPAWNED;
        struct nereus_step *merge = nereus_plan_append(plan, NEREUS_STEP_MERGE, all);
        merge->old_processes = parents;
        merge->new_processes = plan->spawned;
        merge->first_new = parents;
    }
    nereus_plan_append_beside(request, plan, all);
    nereus_plan_append_data(request, plan, all);
    nereus_plan_append(plan, NEREUS_STEP_AGREE, all)->new_processes = missing;
    nereus_plan_append_commit(request, plan, all, missing);
    return NEREUS_OK;
}
