/*
 * Merge, shrinking: data moves to the sources that stay, and the others leave; nothing is started.
 *
 *   zs  who leaves falls asleep, to be woken by the next expansion or at the end of the job. RT = T_split(NS) +
 *       T_gather(NS) (spawning-methods, equation 3). It gives no node back, as a world ends only as a whole.
 *   ts  whole worlds leave and end, and their nodes are free (parallel-spawning 4.7). Zombies that there are hold
 *       communicators with them, and are roused to let go.
 *
 * Either wins nearly always against a respawn. Both may happen at once: part of a node sleeps, other worlds end.
 */
#include <stdlib.h>
#include <string.h>

#include "plan_build.h"

/* Who leaves: as the request says, else the highest ranks, in the way that the method names. */
static enum nereus_status list_leavers(const struct nereus_request *request, struct nereus_plan *plan,
                                       struct nereus_error *err)
{
    const int64_t count = request->leaver_count > 0 ? request->leaver_count : 1;
    int64_t leaving = 0;
    plan->leavers = malloc((size_t)count * sizeof *plan->leavers);
    if (plan->leavers == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a plan");
    plan->leavers[0] =
        (struct nereus_leavers){request->nt, request->ns - request->nt, request->method.shrink == NEREUS_TS};
    if (request->leaver_count > 0)
        memcpy(plan->leavers, request->leavers, (size_t)count * sizeof *plan->leavers);
    plan->leaver_count = count;
    for (int64_t i = 0; i < count; i++)
        leaving += plan->leavers[i].count;
    plan->leaving = leaving;
    if (leaving != request->ns - request->nt)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "%lld of %lld processes are to leave, but %lld to stay",
                           (long long)leaving, (long long)request->ns, (long long)request->nt);
    return NEREUS_OK;
}

static int64_t count_leavers(const struct nereus_plan *plan, bool ends)
{
    int64_t count = 0;
    for (int64_t i = 0; i < plan->leaver_count; i++)
        if ((plan->leavers[i].ends != 0) == ends)
            count += plan->leavers[i].count;
    return count;
}

static void append_split(struct nereus_plan *plan, bool sleepers)
{
    nereus_plan_append(plan, NEREUS_STEP_SPLIT, NEREUS_SOURCES);
    if (sleepers)
        nereus_plan_append(plan, NEREUS_STEP_GATHER, NEREUS_SOURCES);
}

enum nereus_status nereus_plan_build_merge_shrink(const struct nereus_request *request,
                                                  struct nereus_plan *plan, struct nereus_error *err)
{
    const enum nereus_status status = list_leavers(request, plan, err);
    if (status != NEREUS_OK)
        return status;
    const int64_t ending = count_leavers(plan, true), sleeping = count_leavers(plan, false);
    const int64_t roused = ending > 0 ? request->zombies : 0;
    nereus_plan_append(plan, NEREUS_STEP_DECIDE, NEREUS_SOURCES);
    if (plan->method.async)
        append_split(plan, sleeping > 0);
    nereus_plan_append_beside(request, plan, NEREUS_SOURCES);
    if (roused > 0)
        nereus_plan_append(plan, NEREUS_STEP_WAKE, NEREUS_SOURCES | NEREUS_ROUSED)->new_processes = roused;
    nereus_plan_append_data(request, plan, NEREUS_SOURCES);
    if (!plan->method.async)
        append_split(plan, sleeping > 0);
    nereus_plan_append(plan, NEREUS_STEP_AGREE, NEREUS_SOURCES);
    nereus_plan_append_commit(request, plan, NEREUS_SOURCES, 0);
    if (ending > 0) {
        struct nereus_step *end = nereus_plan_append(
            plan, NEREUS_STEP_TERMINATE, roused > 0 ? NEREUS_SOURCES | NEREUS_ROUSED : NEREUS_SOURCES);
        end->new_processes = ending;
    }
    if (sleeping > 0) /* afterwards, as who sleeps cannot part from others */
        nereus_plan_append(plan, NEREUS_STEP_SLEEP, NEREUS_SOURCES);
    return NEREUS_OK;
}
