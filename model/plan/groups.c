/**
 * @file groups.c
 * Makes the groups of new processes, from a request's list or from sizes and cores.
 */
#include "groups.h"

#include "emit.h"
#include "model/layout/jobstate_segments.h"
#include "strategies/strategy.h"

/* Do the processes fill the nodes in rank order, one per core? */
static bool fills_unbounded_nodes(const struct nereus_jobstate *state, int64_t cores)
{
    int64_t rank = 0;
    for (int64_t i = 0; i < state->segment_count; i++) {
        const struct nereus_segment *s = &state->segments[i];
        if (rank < s->node * cores || rank + s->count > (s->node + 1) * cores)
            return false;
        rank += s->count;
    }
    return true;
}

static bool fills_listed_nodes(const struct nereus_jobstate *state,
                               const struct nereus_machine *machine)
{
    int64_t rank = 0, node = 0, cores_before = 0;
    for (int64_t i = 0; i < state->segment_count; i++) {
        const struct nereus_segment *s = &state->segments[i];
        while (node < machine->node_count && rank >= cores_before + machine->nodes[node].cores)
            cores_before += machine->nodes[node++].cores;
        if (node >= machine->node_count || s->node != node ||
            rank + s->count > cores_before + machine->nodes[node].cores)
            return false;
        rank += s->count;
    }
    return true;
}

static bool is_compact(const struct nereus_machine *machine, const struct nereus_jobstate *state,
                       int64_t ns, int64_t nt)
{
    if (machine->layout != NULL)
        return false;
    if (nt > INT_MAX || nereus_machine_count_nodes(machine, ns + nt) > NEREUS_SEGMENTS_MAX)
        return false; /* nereus_request_place refuses such sizes with a message */
    if (machine->node_count > 1 && ns + nt > nereus_machine_total_cores(machine))
        return false; /* oversubscribed processes do not continue a compact placement */
    if (state == NULL || (state->sleeper_count == 0 && machine->node_count == 1))
        return state == NULL || nereus_jobstate_processes(state) == ns;
    return state->sleeper_count == 0 && nereus_jobstate_processes(state) == ns &&
           (machine->node_count == 0 ? fills_unbounded_nodes(state, machine->cores_per_node)
                                     : fills_listed_nodes(state, machine));
}

/* Check that groups have equal sizes; the message names the first that differs. */
static enum nereus_status check_sizes(const struct nereus_groups *groups, const char *equal_groups,
                                      struct nereus_error *err)
{
    struct nereus_groups walk = *groups;
    const int64_t first = walk.count > 0 ? nereus_groups_advance(&walk, 1) : 0;
    for (int64_t i = 1; equal_groups != NULL && i < walk.count; i++) {
        const int64_t size = nereus_groups_advance(&walk, 1);
        if (size != first)
            return err == NULL
                       ? NEREUS_ERR_ILLEGAL /* no caller reads the message */
                       : nereus_fail(
                             err, NEREUS_ERR_ILLEGAL,
                             "%s, but group 0 would get %lld process%s and group %lld %lld: "
                             "use diffusive",
                             equal_groups, (long long)first, nereus_plural_es(first), (long long)i,
                             (long long)size);
    }
    return NEREUS_OK;
}

enum nereus_status nereus_groups_from_request(const struct nereus_request *request,
                                              int64_t new_processes, struct nereus_groups *groups,
                                              struct nereus_error *err)
{
    int64_t sum = 0;
    *groups = (struct nereus_groups){.count = request->group_count > 0 ? request->group_count : 1,
                                     .new_processes = new_processes,
                                     .list = request->group_count > 0 ? request->groups : NULL};
    for (int64_t i = 0; i < request->group_count; i++)
        sum += request->groups[i].processes;
    if (request->group_count > 0 && sum != new_processes)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "the groups have %lld process%s, the plan starts %lld", (long long)sum,
                           nereus_plural_es(sum), (long long)new_processes);
    return check_sizes(groups, nereus_strategy_of(&request->method)->equal_groups, err);
}

/* Count the groups: one per node, or with batches one per process, because a prediction does not
 * know their size. */
static int64_t count_compact_groups(const struct nereus_groups *g,
                                    const struct nereus_strategy_ops *strategy)
{
    struct nereus_load load;
    if (strategy->batched)
        return g->new_processes;
    nereus_placement_find_load(
        g->machine,
        &(struct nereus_placement){0, g->first_new, g->new_processes, g->new_processes, false},
        &load);
    return load.new_nodes;
}

static enum nereus_status place_groups(const struct nereus_machine *machine,
                                       const struct nereus_jobstate *state,
                                       const struct nereus_outline *outline,
                                       struct nereus_groups *g, struct nereus_error *err)
{
    struct nereus_jobstate initial = {0};
    enum nereus_status status = NEREUS_OK;
    g->placed = (struct nereus_request){.version = NEREUS_RECORD_VERSION,
                                        .number = 1,
                                        .ns = outline->ns,
                                        .nt = outline->nt,
                                        .zombies = nereus_jobstate_zombies(state),
                                        .next_world_id = state != NULL ? state->next_world_id : 1,
                                        .method = outline->method};
    if (state == NULL)
        status = nereus_jobstate_initial(machine, outline->ns, &initial, err);
    if (status == NEREUS_OK)
        status = nereus_request_place(machine, state != NULL ? state : &initial, NULL, 0,
                                      &g->placed, err);
    nereus_jobstate_fini(&initial);
    g->list = g->placed.groups;
    g->count = g->placed.group_count;
    return status;
}

enum nereus_status nereus_groups_make(const struct nereus_machine *machine,
                                      const struct nereus_jobstate *state,
                                      const struct nereus_outline *outline,
                                      struct nereus_groups *groups, struct nereus_error *err)
{
    const struct nereus_strategy_ops *const strategy =
        nereus_strategy_ops_of(outline->method.strategy);
    struct nereus_groups g = {
        .machine = machine,
        .total = nereus_machine_total_cores(machine),
        .first_new = outline->method.process == NEREUS_MERGE ? outline->ns + outline->woken : 0,
        .new_processes = outline->spawned};
    enum nereus_status status = NEREUS_OK;
    if (is_compact(machine, state, outline->ns, outline->nt))
        g.count = count_compact_groups(&g, strategy);
    else
        status = place_groups(machine, state, outline, &g, err);
    if (status == NEREUS_OK)
        status = check_sizes(&g, strategy->equal_groups, err);
    if (status == NEREUS_OK)
        *groups = g;
    else
        nereus_request_fini(&g.placed);
    return status;
}

void nereus_groups_fini(struct nereus_groups *groups)
{
    nereus_request_fini(&groups->placed);
}
