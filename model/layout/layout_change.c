/**
 * @file layout_change.c
 * Adds nodes to a job's machine and removes nodes from it. Declared slots change in proportion to
 * the cores: slots that were equal to the cores stay equal, and a declared NEREUS_SLOTS keeps its
 * meaning.
 */

#include "model/util/base.h"
#include "nereus/jobstate.h"

int64_t nereus_machine_find(const struct nereus_machine *machine, const char *name)
{
    for (int64_t node = 0; node < machine->node_count; node++)
        if (strcmp(machine->nodes[node].name, name) == 0)
            return node;
    return -1;
}

/* Update sums over the nodes, and slots, after a change; `cores_before`: sum before the change. */
static void update_totals(struct nereus_machine *machine, int64_t cores_before)
{
    int64_t max = 0;
    for (int64_t i = 0; i < machine->node_count; i++)
        max = nereus_max(max, machine->nodes[i].cores);
    machine->cores_per_node = max;
    if (machine->slots > 0)
        machine->slots = /* rounded, so that a gain and the same loss change nothing */
            nereus_max(1,
                       (machine->slots * nereus_machine_total_cores(machine) + cores_before / 2) /
                           cores_before);
}

static enum nereus_status check_finite(const struct nereus_machine *machine,
                                       struct nereus_error *err)
{
    return machine->node_count > 0
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_ARGUMENT,
                             "a machine without a list of nodes neither gains nor loses one");
}

enum nereus_status nereus_machine_add_nodes(struct nereus_machine *machine,
                                            const struct nereus_node *gains, int64_t count,
                                            int64_t *gained, struct nereus_error *err)
{
    const int64_t each = nereus_machine_cores_per_process(machine);
    const int64_t cores_before = nereus_machine_total_cores(machine);
    struct nereus_machine next = *machine;
    NEREUS_TRY(check_finite(machine, err));
    next.nodes = calloc((size_t)(machine->node_count + count), sizeof *next.nodes);
    NEREUS_TRY_MEMORY(next.nodes, err, "for a machine of %lld nodes",
                      (long long)(machine->node_count + count));
    memcpy(next.nodes, machine->nodes, (size_t)machine->node_count * sizeof *next.nodes);
    for (int64_t i = 0; i < count; i++) {
        struct nereus_node *node = &next.nodes[next.node_count];
        if (nereus_machine_find(&next, gains[i].name) >= 0)
            continue;
        *node = gains[i];
        node->cores /= each;
        if (node->cores < 1) {
            free(next.nodes);
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "the node '%s' has %lld core%s, and each process takes %lld",
                               gains[i].name, (long long)gains[i].cores,
                               nereus_plural_s(gains[i].cores), (long long)each);
        }
        next.node_count++;
    }
    *gained = next.node_count - machine->node_count;
    if (*gained > 0)
        update_totals(&next, cores_before);
    free(machine->nodes);
    *machine = next;
    return NEREUS_OK;
}

static bool is_among(int64_t node, const int64_t *list, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (list[i] == node)
            return true;
    return false;
}

static enum nereus_status check_empty(const struct nereus_machine *machine,
                                      const struct nereus_segment *segments, int64_t count,
                                      const int64_t *lost_nodes, int64_t lost_count,
                                      struct nereus_error *err)
{
    for (int64_t i = 0; i < count; i++)
        if (is_among(segments[i].node, lost_nodes, lost_count))
            return nereus_fail(err, NEREUS_ERR_STATE,
                               "the machine cannot lose the node '%s': processes are there",
                               machine->nodes[segments[i].node].name);
    return NEREUS_OK;
}

/* @param new_numbers  indexed by old number */
static void renumber_nodes(struct nereus_segment *segments, int64_t count,
                           const int64_t *new_numbers)
{
    for (int64_t i = 0; i < count; i++)
        segments[i].node = new_numbers[segments[i].node];
}

static void set_node_span(const struct nereus_segment *segments, int64_t count,
                          struct nereus_world *world)
{
    for (int64_t i = 0; i < count; i++) {
        if (segments[i].world != world->id)
            continue;
        const int64_t first =
            world->nodes > 0 ? nereus_min(world->first_node, segments[i].node) : segments[i].node;
        const int64_t end = nereus_max(world->first_node + world->nodes, segments[i].node + 1);
        world->nodes = (world->nodes > 0 ? end : segments[i].node + 1) - first;
        world->first_node = first;
    }
}

static void renumber_state(struct nereus_jobstate *state, const int64_t *new_numbers)
{
    renumber_nodes(state->segments, state->segment_count, new_numbers);
    renumber_nodes(state->sleepers, state->sleeper_count, new_numbers);
    for (int64_t i = 0; i < state->world_count; i++) {
        state->worlds[i].first_node = state->worlds[i].nodes = 0;
        set_node_span(state->segments, state->segment_count, &state->worlds[i]);
        set_node_span(state->sleepers, state->sleeper_count, &state->worlds[i]);
    }
}

enum nereus_status nereus_machine_remove_nodes(struct nereus_machine *machine,
                                               const int64_t *lost_nodes, int64_t count,
                                               struct nereus_jobstate *state,
                                               struct nereus_error *err)
{
    const int64_t cores_before = nereus_machine_total_cores(machine);
    int64_t kept_count = 0;
    if (count == 0)
        return NEREUS_OK;
    NEREUS_TRY(check_finite(machine, err));
    NEREUS_TRY(check_empty(machine, state->segments, state->segment_count, lost_nodes, count, err));
    NEREUS_TRY(check_empty(machine, state->sleepers, state->sleeper_count, lost_nodes, count, err));
    int64_t *new_numbers = calloc((size_t)machine->node_count, sizeof *new_numbers);
    NEREUS_TRY_MEMORY(new_numbers, err, "to number %lld nodes", (long long)machine->node_count);
    for (int64_t i = 0; i < machine->node_count; i++)
        if (!is_among(i, lost_nodes, count)) {
            machine->nodes[kept_count] = machine->nodes[i];
            new_numbers[i] = kept_count++;
        }
    machine->node_count = kept_count; /* never 0, because nodes with processes stay */
    update_totals(machine, cores_before);
    renumber_state(state, new_numbers);
    state->cores_per_node = machine->cores_per_node;
    free(new_numbers);
    return NEREUS_OK;
}
