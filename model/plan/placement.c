/**
 * @file placement.c
 * Completes a request: chooses the nodes of new processes and the processes that leave
 * (placement.h).
 */
#include "placement.h"

#include "model/layout/layout_rounds.h"
#include "placement_build.h"
#include "strategies/strategy.h"

/* Count the processes and zombies on a node. */
static int64_t count_staying(const struct nereus_jobstate *state, int64_t node)
{
    int64_t sum = nereus_jobstate_node_processes(state, node);
    for (int64_t i = 0; i < state->sleeper_count; i++)
        sum += state->sleepers[i].node == node ? state->sleepers[i].count : 0;
    return sum;
}

/* Check that nodes to be given back have neither processes nor zombies: merge moves none. */
static enum nereus_status check_released_empty(const struct nereus_placing *placing,
                                               struct nereus_error *err)
{
    const struct nereus_jobstate *state = placing->state;
    for (int64_t i = 0; i < placing->release_count; i++) {
        const int64_t node = placing->release[i];
        const int64_t staying = count_staying(state, node);
        if (staying > 0)
            return nereus_fail(
                err, NEREUS_ERR_ILLEGAL,
                "node %lld cannot be given back while the job goes from %lld to %lld "
                "process%s by merge, which keeps the %lld that are there: use baseline",
                (long long)node, (long long)placing->request->ns, (long long)placing->request->nt,
                nereus_plural_es(placing->request->nt), (long long)staying);
    }
    return NEREUS_OK;
}

static enum nereus_status place_expand(const struct nereus_placing *placing,
                                       struct nereus_placed *placement, struct nereus_error *err)
{
    const struct nereus_request *request = placing->request;
    const int64_t missing = request->nt - request->ns;
    const int64_t woken = nereus_min(request->zombies, missing);
    struct nereus_placing_nodes nodes = {0};
    enum nereus_status status = check_released_empty(placing, err);
    if (status == NEREUS_OK)
        status = nereus_placing_nodes_init(placing, missing - woken, &nodes, err);
    if (status == NEREUS_OK && missing > woken) {
        nereus_placing_count_used(placing, woken, &nodes);
        status = nereus_placing_assign(placing, missing - woken, &nodes, placement, err);
    }
    free(nodes.cores);
    return status;
}

static enum nereus_status place_baseline(const struct nereus_placing *placing,
                                         struct nereus_placed *placement, struct nereus_error *err)
{
    struct nereus_placing_nodes nodes = {0};
    enum nereus_status status =
        nereus_placing_nodes_init(placing, placing->request->nt, &nodes, err);
    if (status == NEREUS_OK)
        status = nereus_placing_assign(placing, placing->request->nt, &nodes, placement, err);
    free(nodes.cores);
    return status;
}

static enum nereus_status check_nodes(const struct nereus_machine *machine, const char *what,
                                      const struct nereus_segment *list, int64_t count,
                                      struct nereus_error *err)
{
    for (int64_t i = 0; i < count; i++)
        if (list[i].node < 0 || (machine->node_count > 0 && list[i].node >= machine->node_count))
            return nereus_fail(
                err, NEREUS_ERR_ARGUMENT,
                "the job has %s on node %lld, but the machine has %lld node%s (from 0 on)", what,
                (long long)list[i].node, (long long)machine->node_count,
                nereus_plural_s(machine->node_count));
    return NEREUS_OK;
}

static enum nereus_status check_release_list(const struct nereus_placing *placing,
                                             struct nereus_error *err)
{
    const int64_t nodes = placing->machine->node_count;
    for (int64_t i = 0; i < placing->release_count; i++)
        if (placing->release[i] < 0 || (nodes > 0 && placing->release[i] >= nodes))
            return nereus_fail(
                err, NEREUS_ERR_ARGUMENT,
                "node %lld is to be given back, but the machine has %lld node%s (from 0 on)",
                (long long)placing->release[i], (long long)nodes, nereus_plural_s(nodes));
    return NEREUS_OK;
}

static enum nereus_status check_layout(const struct nereus_placing *placing,
                                       struct nereus_error *err)
{
    const int64_t nodes = placing->machine->node_count;
    int64_t sum = 0;
    for (int64_t i = 0; i < placing->layout_count; i++) {
        const struct nereus_group *entry = &placing->layout[i];
        if (entry->node < 0 || entry->node >= nodes || entry->processes < 0)
            return nereus_fail(
                err, NEREUS_ERR_ARGUMENT,
                "a layout with %lld process%s on node %lld, but the machine has %lld node%s (from "
                "0 on)",
                (long long)entry->processes, nereus_plural_es(entry->processes),
                (long long)entry->node, (long long)nodes, nereus_plural_s(nodes));
        sum += entry->processes;
    }
    return placing->layout == NULL || sum == placing->request->nt
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_ARGUMENT,
                             "a layout of %lld process%s does not fit a request for %lld",
                             (long long)sum, nereus_plural_es(sum),
                             (long long)placing->request->nt);
}

static enum nereus_status check_sizes(const struct nereus_placing *placing,
                                      struct nereus_error *err)
{
    const struct nereus_request *request = placing->request;
    const struct nereus_jobstate *state = placing->state;
    const int64_t active = nereus_jobstate_processes(state),
                  asleep = nereus_jobstate_zombies(state);
    if (request->nt < 1 || request->nt > INT_MAX || request->ns != active)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "a request from %lld to %lld process%s does not fit a job of %lld",
                           (long long)request->ns, (long long)request->nt,
                           nereus_plural_es(request->nt), (long long)active);
    if (request->zombies < 0 || request->zombies > asleep)
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT, "a request with %lld zombie%s does not fit a job of %lld",
            (long long)request->zombies, nereus_plural_s(request->zombies), (long long)asleep);
    NEREUS_TRY(check_layout(placing, err));
    NEREUS_TRY(
        check_nodes(placing->machine, "processes", state->segments, state->segment_count, err));
    NEREUS_TRY(
        check_nodes(placing->machine, "zombies", state->sleepers, state->sleeper_count, err));
    return check_release_list(placing, err);
}

static enum nereus_status place_processes(const struct nereus_placing *placing,
                                          struct nereus_placed *placement, struct nereus_error *err)
{
    const struct nereus_request *request = placing->request;
    const bool shrinks = !nereus_request_respawns(request) && request->nt < request->ns;
    if (placing->layout != NULL && !shrinks)
        return nereus_place_layout(placing, placement, err);
    if (request->method.process != NEREUS_MERGE)
        return place_baseline(placing, placement, err);
    if (nereus_request_respawns(request))
        return nereus_place_respawn(placing, placement, err);
    if (shrinks)
        return nereus_place_shrink(placing, placement, err);
    return place_expand(placing, placement, err);
}

static bool has_equal_groups(const struct nereus_request *request)
{
    for (int64_t i = 1; i < request->group_count; i++)
        if (request->groups[i].processes != request->groups[0].processes)
            return false;
    return true;
}

/* Set the chosen shrink kind, and replace a strategy that does not fit this kind. */
static void resolve_shrink(enum nereus_shrink kind, struct nereus_request *request)
{
    struct nereus_method *method = &request->method;
    const struct nereus_strategy_ops *const strategy = nereus_strategy_ops_of(method->strategy);
    method->shrink = kind;
    if (kind != NEREUS_SS || strategy->refuses_ss != NULL)
        method->strategy = NEREUS_PLAIN;
    else if (strategy->equal_groups != NULL && !has_equal_groups(request))
        method->strategy = nereus_strategy_for_respawn();
}

/* Find a used node in an allocation of its own; NULL: none. */
static const struct nereus_node *find_node_of_own_allocation(const struct nereus_machine *machine,
                                                             const struct nereus_jobstate *state,
                                                             const struct nereus_request *request)
{
    for (int64_t i = 0; i < machine->node_count; i++) {
        const struct nereus_node *node = &machine->nodes[i];
        if (node->allocation[0] == '\0')
            continue;
        bool used = count_staying(state, i) > 0;
        for (int64_t k = 0; k < request->group_count; k++)
            used = used || request->groups[k].node == i;
        if (used)
            return node;
    }
    return NULL;
}

/* The launcher that MPI_Comm_spawn uses reaches only the allocation of the calling process. */
static enum nereus_status check_allocations(const struct nereus_placing *placing,
                                            const struct nereus_request *request,
                                            struct nereus_error *err)
{
    const struct nereus_node *node =
        request->group_count == 0 || nereus_strategy_of(&request->method)->isolated
            ? NULL
            : find_node_of_own_allocation(placing->machine, placing->state, request);
    return node == NULL
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_ILLEGAL,
                             "the node '%s' is in an allocation of its own (%s), which only a "
                             "launcher started there reaches: use the strategy launch, as in "
                             "merge-launch",
                             node->name, node->allocation);
}

static enum nereus_status complete_request(const struct nereus_placing *placing,
                                           struct nereus_request *request, struct nereus_error *err)
{
    struct nereus_placed placement = {.shrink = request->method.shrink};
    struct nereus_request next = *request;
    enum nereus_status status = check_sizes(placing, err);
    if (status == NEREUS_OK)
        status = place_processes(placing, &placement, err);
    next.groups = placement.groups;
    next.group_count = placement.group_count;
    next.leavers = placement.leavers;
    next.leaver_count = placement.leaver_count;
    if (status == NEREUS_OK && request->method.shrink != placement.shrink)
        resolve_shrink(placement.shrink, &next);
    if (status == NEREUS_OK)
        status = check_allocations(placing, &next, err);
    const struct nereus_request *dropped = status == NEREUS_OK ? request : &next;
    free(dropped->groups);
    free(dropped->leavers);
    if (status == NEREUS_OK)
        *request = next;
    return status;
}

static enum nereus_status place_by_machine_layout(const struct nereus_machine *machine,
                                                  const struct nereus_jobstate *state,
                                                  struct nereus_request *request,
                                                  struct nereus_error *err)
{
    const int64_t nodes = machine->node_count;
    struct nereus_group *list = malloc((size_t)nodes * sizeof *list + 1);
    NEREUS_TRY_MEMORY(list, err, "for a layout of %lld nodes", (long long)nodes);
    for (int64_t i = 0; i < nodes; i++)
        list[i] = (struct nereus_group){i, machine->layout->targets[i]};
    const enum nereus_status status =
        nereus_request_place_layout(machine, state, list, nodes, request, err);
    free(list);
    return status;
}

enum nereus_status nereus_request_place(const struct nereus_machine *machine,
                                        const struct nereus_jobstate *state, const int64_t *release,
                                        int64_t release_count, struct nereus_request *request,
                                        struct nereus_error *err)
{
    if (machine->layout != NULL && release_count == 0)
        return place_by_machine_layout(machine, state, request, err);
    const struct nereus_placing placing = {.machine = machine,
                                           .state = state,
                                           .release = release,
                                           .release_count = release_count,
                                           .request = request};
    return complete_request(&placing, request, err);
}

enum nereus_status nereus_request_place_layout(const struct nereus_machine *machine,
                                               const struct nereus_jobstate *state,
                                               const struct nereus_group *layout, int64_t count,
                                               struct nereus_request *request,
                                               struct nereus_error *err)
{
    const struct nereus_placing placing = {.machine = machine,
                                           .state = state,
                                           .layout = layout,
                                           .layout_count = count,
                                           .request = request};
    return complete_request(&placing, request, err);
}
