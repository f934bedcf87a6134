/*
 * How new processes come in: one row a strategy. Whatever the way, there is one inter-communicator between the parents and
 * all new processes in the end, and the rest of a plan is the same for all.
 *
 *   plain      all parents spawn one world                     T_spw(NS, n)                 spawning-methods, eq. 1, 2
 *   single     the root spawns one world; then a connection    T_spw(1, n) + T_con          eq. 4, 5
 *   multiple   all parents spawn world after world; the worlds are connected with each other, then with the parents
 *   hypercube  every process that exists starts a world on a node of its own, step after step; then as above
 *   diffusive  the same for groups of any size                                              parallel-spawning 4.1 to 4.6
 *   launch     the launcher starts a world a node; then as above
 *
 * One world is cheapest to make and can only leave as a whole; a world a node costs rounds of connections and can be given back
 * node by node.
 */
#include <stdlib.h>

#include "plan_build.h"

/* What all steps of this part have in common. */
struct gain {
    const struct nereus_request *request;
    struct nereus_plan *plan;
    unsigned parents;
    int64_t old_processes, new_processes, first_new;
};

static struct nereus_step *append(const struct gain *gain, enum nereus_step_kind kind, unsigned who)
{
    struct nereus_step *step = nereus_plan_append(gain->plan, kind, who);
    step->old_processes = gain->old_processes;
    step->new_processes = gain->new_processes;
    step->first_new = gain->first_new;
    return step;
}

/* Sizes of the groups; one of all where the request names none. Sum and places must fit the plan. */
static int64_t *list_sizes(const struct gain *gain, int64_t *count, struct nereus_error *err)
{
    const struct nereus_request *request = gain->request;
    int64_t sum = 0;
    *count = request->group_count > 0 ? request->group_count : 1;
    int64_t *sizes = malloc((size_t)*count * sizeof *sizes);
    if (sizes == NULL) {
        nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for %lld groups", (long long)*count);
        return NULL;
    }
    sizes[0] = gain->new_processes;
    for (int64_t i = 0; i < request->group_count; i++)
        sum += sizes[i] = request->groups[i].processes;
    if (request->group_count > 0 && sum != gain->new_processes) {
        nereus_fail(err, NEREUS_ERR_ARGUMENT, "the groups have %lld processes, the plan starts %lld",
                    (long long)sum, (long long)gain->new_processes);
        free(sizes);
        return NULL;
    }
    return sizes;
}

enum nereus_status nereus_plan_check_equal(const struct nereus_request *request, struct nereus_error *err)
{
    const struct nereus_group *groups = request->groups;
    for (int64_t i = 1; i < request->group_count; i++)
        if (groups[i].processes != groups[0].processes)
            return nereus_fail(
                err, NEREUS_ERR_ILLEGAL,
                "hypercube spawning needs groups of equal size (parallel-spawning 4.1; 4.6 for "
                "oversubscription), but group 0 would get %lld processes and group %lld "
                "%lld: use diffusive",
                (long long)groups[0].processes, (long long)i, (long long)groups[i].processes);
    return NEREUS_OK;
}

static enum nereus_status make_tree(const struct gain *gain, struct nereus_error *err)
{
    const enum nereus_strategy strategy = gain->plan->method.strategy;
    int64_t count;
    int64_t *sizes = list_sizes(gain, &count, err);
    if (sizes == NULL)
        return err != NULL ? err->status : NEREUS_ERR_ARGUMENT;
    enum nereus_status status =
        strategy == NEREUS_HYPERCUBE ? nereus_plan_check_equal(gain->request, err) : NEREUS_OK;
    if (status == NEREUS_OK)
        status = strategy == NEREUS_HYPERCUBE || strategy == NEREUS_DIFFUSIVE
                     ? nereus_tree_parallel(gain->old_processes, sizes, count, &gain->plan->tree, err)
                     : nereus_tree_flat(gain->old_processes, sizes, count, &gain->plan->tree, err);
    free(sizes);
    return status;
}

/* The groups of a level start at the same time, each from one process. */
static void append_levels(const struct gain *gain)
{
    const struct nereus_tree *tree = &gain->plan->tree;
    for (int64_t level = 1; level <= tree->levels; level++) {
        int64_t first, count;
        nereus_tree_level(tree, level, &first, &count);
        const int64_t before = nereus_tree_processes(tree, level - 1),
                      after = nereus_tree_processes(tree, level);
        const unsigned who = level == 1 ? gain->parents : gain->parents | NEREUS_SPAWNED;
        const enum nereus_step_kind kinds[2] = {NEREUS_STEP_SPAWN, NEREUS_STEP_JOIN};
        for (int k = 0; k < 2; k++) {
            struct nereus_step *step = append(gain, kinds[k], k == 0 ? who : who | NEREUS_SPAWNED);
            step->old_processes = before;
            step->new_processes = after - before;
            step->first_new = gain->first_new + tree->groups[first].first;
            step->repeat = count;
            step->level = level;
        }
    }
}

/* World after world, all started by the root of the parents. */
static void append_flat(const struct gain *gain, enum nereus_step_kind kind)
{
    const int64_t groups = gain->plan->tree.group_count;
    struct nereus_step *start = append(gain, kind, gain->parents);
    struct nereus_step *join = append(gain, NEREUS_STEP_JOIN, gain->parents | NEREUS_SPAWNED);
    if (kind == NEREUS_STEP_LAUNCH)
        start->repeat = groups;
    else
        start->times = groups;
    start->level = join->level = 1;
    join->times = groups;
}

/* The groups learn that all ports are open, and become one (parallel-spawning 4.3 to 4.5). */
static void append_connections(const struct gain *gain)
{
    const int64_t groups = gain->plan->tree.group_count, depth = gain->plan->tree.levels;
    append(gain, NEREUS_STEP_SYNCHRONISE, gain->parents | NEREUS_SPAWNED)->level = depth;
    append(gain, NEREUS_STEP_SYNCHRONISE, gain->parents | NEREUS_SPAWNED)->level = -depth;
    for (int64_t round = 1; round <= nereus_connect_rounds(groups); round++) {
        struct nereus_step *connect = append(gain, NEREUS_STEP_CONNECT, NEREUS_SPAWNED);
        connect->level = round;
        connect->repeat = nereus_connect_left(groups, round) / 2;
    }
    if (groups > 1)
        append(gain, NEREUS_STEP_REORDER, NEREUS_SPAWNED);
}

enum nereus_status nereus_plan_append_gain(const struct nereus_request *request, struct nereus_plan *plan,
                                           unsigned parents, int64_t old_processes, int64_t first_new,
                                           struct nereus_error *err)
{
    const struct gain gain = {request, plan, parents, old_processes, plan->spawned, first_new};
    const enum nereus_strategy strategy = plan->method.strategy;
    const bool several = strategy != NEREUS_PLAIN && strategy != NEREUS_SINGLE;
    if (several) {
        const enum nereus_status status = make_tree(&gain, err);
        if (status != NEREUS_OK)
            return status;
    }
    if (strategy == NEREUS_HYPERCUBE || strategy == NEREUS_DIFFUSIVE) {
        append_levels(&gain);
    } else if (several) {
        append_flat(&gain, strategy == NEREUS_LAUNCH ? NEREUS_STEP_LAUNCH : NEREUS_STEP_SPAWN);
    } else {
        append(&gain, NEREUS_STEP_SPAWN, parents);
    }
    if (several)
        append_connections(&gain);
    else
        append(&gain, NEREUS_STEP_JOIN, parents | NEREUS_SPAWNED);
    if (strategy != NEREUS_PLAIN)
        append(&gain, NEREUS_STEP_CONNECT, parents | NEREUS_SPAWNED);
    return NEREUS_OK;
}
