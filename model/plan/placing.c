/** @file placing.c  Chooses the nodes of new processes, and makes the groups in which they start.
 */

#include "model/layout/jobstate_segments.h"
#include "placement_build.h"
#include "strategies/strategy.h"

bool nereus_placing_is_released(const struct nereus_placing *placing, int64_t node)
{
    for (int64_t i = 0; i < placing->release_count; i++)
        if (placing->release[i] == node)
            return true;
    return false;
}

/* Count the nodes to choose from; on an unbounded machine: nodes in use or given back, and as many
 * as the new processes may need. */
static int64_t count_nodes(const struct nereus_placing *placing, int64_t processes)
{
    const struct nereus_jobstate *state = placing->state;
    int64_t in_use = placing->release_count;
    if (placing->machine->node_count > 0)
        return placing->machine->node_count;
    for (int64_t i = 0; i < state->segment_count; i++)
        in_use = nereus_max(in_use, state->segments[i].node + 1);
    for (int64_t i = 0; i < state->sleeper_count; i++)
        in_use = nereus_max(in_use, state->sleepers[i].node + 1);
    return in_use + placing->release_count +
           nereus_divide_up(processes, placing->machine->cores_per_node);
}

enum nereus_status nereus_placing_nodes_init(const struct nereus_placing *placing,
                                             int64_t processes, struct nereus_placing_nodes *nodes,
                                             struct nereus_error *err)
{
    nodes->count = count_nodes(placing, processes);
    if (nodes->count > NEREUS_SEGMENTS_MAX)
        return nereus_segments_fail_too_many(err);
    nodes->cores = calloc(3 * (size_t)nodes->count, sizeof *nodes->cores);
    NEREUS_TRY_MEMORY(nodes->cores, err, "to place processes on %lld nodes",
                      (long long)nodes->count);
    nodes->used_cores = nodes->cores + nodes->count;
    nodes->given_cores = nodes->used_cores + nodes->count;
    for (int64_t i = 0; i < nodes->count; i++)
        nodes->cores[i] = nereus_machine_cores(placing->machine, i);
    for (int64_t i = 0; i < placing->release_count; i++)
        if (placing->release[i] < nodes->count)
            nodes->cores[placing->release[i]] = 0;
    return NEREUS_OK;
}

void nereus_placing_count_used(const struct nereus_placing *placing, int64_t woken,
                               struct nereus_placing_nodes *nodes)
{
    const struct nereus_jobstate *state = placing->state;
    for (int64_t i = 0; i < state->segment_count; i++)
        nodes->used_cores[state->segments[i].node] += state->segments[i].count;
    for (int64_t i = state->sleeper_count - 1; i >= 0 && woken > 0; i--) {
        const int64_t awake = nereus_min(woken, state->sleepers[i].count);
        nodes->used_cores[state->sleepers[i].node] += awake;
        woken -= awake;
    }
}

bool nereus_request_respawns(const struct nereus_request *request)
{
    return nereus_method_resolve(&request->method).process != NEREUS_MERGE;
}

bool nereus_request_has_world_per_group(const struct nereus_request *request)
{
    return nereus_strategy_of(&request->method)->several_worlds;
}

static int64_t get_group_limit(const struct nereus_request *request)
{
    if (!nereus_strategy_of(&request->method)->batched)
        return INT64_MAX;
    return nereus_max(1, request->batch);
}

enum nereus_status nereus_placing_groups(const struct nereus_request *request,
                                         const struct nereus_placing_nodes *nodes,
                                         struct nereus_placed *placement, struct nereus_error *err)
{
    const int64_t batch = get_group_limit(request);
    int64_t count = 0;
    for (int64_t i = 0; i < nodes->count; i++)
        count += nereus_divide_up(nodes->given_cores[i], batch);
    placement->groups = calloc((size_t)count + 1, sizeof *placement->groups);
    NEREUS_TRY_MEMORY(placement->groups, err, "for %lld groups of processes", (long long)count);
    for (int64_t i = 0; i < nodes->count; i++)
        for (int64_t left = nodes->given_cores[i]; left > 0; left -= batch)
            placement->groups[placement->group_count++] =
                (struct nereus_group){i, nereus_min(left, batch)};
    return NEREUS_OK;
}

enum nereus_status nereus_placing_assign(const struct nereus_placing *placing, int64_t n,
                                         struct nereus_placing_nodes *nodes,
                                         struct nereus_placed *placement, struct nereus_error *err)
{
    int64_t cores = 0;
    for (int64_t i = 0; i < nodes->count; i++)
        cores += nodes->cores[i];
    if (cores == 0)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "%lld process%s %s no node to be on: all are to be given back",
                           (long long)n, nereus_plural_es(n),
                           nereus_choose_plural(n, "has", "have"));
    nereus_assign_processes(nodes->cores, nodes->used_cores, nodes->count, n, nodes->given_cores);
    return nereus_placing_groups(placing->request, nodes, placement, err);
}
