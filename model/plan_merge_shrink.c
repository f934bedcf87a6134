/*
 * Merge, shrinking by zombies (zs): data moves to the first NT sources, the others fall asleep and are woken
 * by the next expansion or at the end of the job.
 *
 * RT = T_split(NS) + T_gather(NS) (spawning-methods, equation 3). It starts nothing, so it wins nearly
 * always; it gives no node back, as a world ends only as a whole.
 */
#include "plan_build.h"

enum nereus_status nereus_plan_build_merge_shrink(const struct nereus_request *request,
                                                  struct nereus_plan *plan, struct nereus_error *err)
{
    (void)err;
    plan->leaving = request->ns - request->nt;
    nereus_plan_append(plan, NEREUS_STEP_DECIDE, NEREUS_SOURCES);
    nereus_plan_append_data(request, plan, NEREUS_SOURCES, NEREUS_STAYING);
    nereus_plan_append(plan, NEREUS_STEP_SPLIT, NEREUS_SOURCES);
    nereus_plan_append(plan, NEREUS_STEP_GATHER, NEREUS_SOURCES);
    nereus_plan_append(plan, NEREUS_STEP_AGREE, NEREUS_SOURCES);
    nereus_plan_append_commit(request, plan, NEREUS_SOURCES, 0);
    nereus_plan_append(plan, NEREUS_STEP_SLEEP, NEREUS_SOURCES);
    return NEREUS_OK;
}
