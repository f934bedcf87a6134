/** @file jobstate_segments.c  Assigns processes to nodes beside others, as lists of segments. */
#include "jobstate_segments.h"

#include "layout_rounds.h"

enum nereus_status nereus_segments_fail_too_many(struct nereus_error *err)
{
    return nereus_fail(
        err, NEREUS_ERR_ARGUMENT,
        "a job on more than %d nodes (2^24; a node counts again where later ranks come back to it) "
        "is too large: fewer processes are possible, or nodes with more cores",
        NEREUS_SEGMENTS_MAX);
}

enum nereus_status nereus_segments_append(struct nereus_segments *list, int64_t world, int64_t node,
                                          int64_t count, struct nereus_error *err)
{
    struct nereus_segment *last = list->count > 0 ? &list->items[list->count - 1] : NULL;
    if (count == 0)
        return NEREUS_OK;
    if (last != NULL && last->world == world && last->node == node) {
        last->count += count;
        return NEREUS_OK;
    }
    if (list->count == NEREUS_SEGMENTS_MAX)
        return nereus_segments_fail_too_many(err);
    NEREUS_TRY_GROW(list->items, list->count, err, "for the places of a job's processes");
    list->items[list->count++] = (struct nereus_segment){world, node, count};
    return NEREUS_OK;
}

enum nereus_status nereus_segments_append_all(struct nereus_segments *list,
                                              const struct nereus_segment *items, int64_t count,
                                              struct nereus_error *err)
{
    enum nereus_status status = NEREUS_OK;
    for (int64_t i = 0; i < count && status == NEREUS_OK; i++)
        status = nereus_segments_append(list, items[i].world, items[i].node, items[i].count, err);
    return status;
}

/* Count the free slots of a node after `rounds` rounds; n + 1: more than n (avoids overflow). */
static int64_t count_free_slots(int64_t cores, int64_t used, int64_t rounds, int64_t n)
{
    if (cores == 0)
        return 0;
    if (rounds > (n + used) / cores)
        return n + 1;
    return nereus_max(0, rounds * cores - used);
}

/* Are n slots free after `rounds` rounds? */
static bool have_free_slots(const int64_t *cores, const int64_t *used_cores, int64_t nodes,
                            int64_t n, int64_t rounds)
{
    int64_t places = 0;
    for (int64_t i = 0; i < nodes && places < n; i++)
        places += count_free_slots(cores[i], used_cores[i], rounds, n);
    return places >= n;
}

void nereus_assign_processes(const int64_t *cores, const int64_t *used_cores, int64_t nodes,
                             int64_t n, int64_t *given)
{
    /* by bisection: an oversubscribed node may have as many rounds as processes */
    int64_t full = 0, enough = n;
    for (int64_t i = 0; i < nodes; i++)
        enough = nereus_max(enough, used_cores[i] + n);
    while (enough - full > 1) {
        const int64_t middle = full + (enough - full) / 2;
        if (have_free_slots(cores, used_cores, nodes, n, middle))
            enough = middle;
        else
            full = middle;
    }
    int64_t left = n;
    for (int64_t i = 0; i < nodes; i++) {
        given[i] = count_free_slots(cores[i], used_cores[i], full, n);
        left -= given[i];
    }
    for (int64_t i = 0; i < nodes && left > 0; i++) {
        const int64_t here =
            nereus_min(left, count_free_slots(cores[i], used_cores[i], full + 1, n) - given[i]);
        given[i] += here;
        left -= here;
    }
}

/* The cores of all nodes, and the processes placed so far. */
struct window {
    const struct nereus_machine *machine;
    int64_t cores_per_node; /* used without a machine; 0: unknown */
    int64_t first, nodes;
    int64_t *cores, *used_cores, *given_cores;
};

static enum nereus_status open_window(const struct nereus_machine *machine,
                                      const struct nereus_jobstate *state, struct window *window,
                                      struct nereus_error *err)
{
    int64_t first = INT64_MAX, end = 0;
    for (int64_t i = 0; i < state->world_count; i++) {
        const struct nereus_world *world = &state->worlds[i];
        first = nereus_min(first, world->first_node);
        end = nereus_max(end, world->first_node + world->nodes);
    }
    if (end - first > NEREUS_SEGMENTS_MAX)
        return nereus_segments_fail_too_many(err);
    *window = (struct window){.machine = machine,
                              .cores_per_node = state->cores_per_node,
                              .first = first,
                              .nodes = end - first};
    window->cores = calloc(3 * (size_t)window->nodes, sizeof *window->cores);
    NEREUS_TRY_MEMORY(window->cores, err, "for a job on %lld nodes", (long long)window->nodes);
    window->used_cores = window->cores + window->nodes;
    window->given_cores = window->used_cores + window->nodes;
    return NEREUS_OK;
}

static int64_t get_cores(const struct window *window, int64_t node,
                         const struct nereus_world *world)
{
    const struct nereus_machine *machine = window->machine;
    if (machine != NULL && (machine->node_count == 0 || node < machine->node_count))
        return nereus_machine_cores(machine, node);
    return window->cores_per_node > 0
               ? window->cores_per_node
               : nereus_divide_up(world->processes + world->zombies, world->nodes);
}

/* Append the active processes of a world, then its zombies. */
static enum nereus_status append_world(struct window *window, const struct nereus_world *world,
                                       struct nereus_segments *active,
                                       struct nereus_segments *asleep, struct nereus_error *err)
{
    const int64_t offset = world->first_node - window->first;
    int64_t left = world->processes;
    enum nereus_status status = NEREUS_OK;
    for (int64_t i = 0; i < world->nodes; i++)
        window->cores[offset + i] = get_cores(window, world->first_node + i, world);
    nereus_assign_processes(window->cores + offset, window->used_cores + offset, world->nodes,
                            world->processes + world->zombies, window->given_cores + offset);
    for (int64_t i = 0; i < world->nodes && status == NEREUS_OK; i++) {
        const int64_t node = world->first_node + i, here = window->given_cores[offset + i];
        const int64_t awake = nereus_min(here, left);
        left -= awake;
        window->used_cores[offset + i] += here;
        status = nereus_segments_append(active, world->id, node, awake, err);
        if (status == NEREUS_OK)
            status = nereus_segments_append(asleep, world->id, node, here - awake, err);
    }
    return status;
}

enum nereus_status nereus_jobstate_derive(const struct nereus_machine *machine,
                                          struct nereus_jobstate *state, struct nereus_error *err)
{
    struct window window = {0};
    struct nereus_segments active = {0}, asleep = {0};
    NEREUS_TRY(open_window(machine, state, &window, err));
    enum nereus_status status = NEREUS_OK;
    for (int64_t i = 0; i < state->world_count && status == NEREUS_OK; i++)
        status = append_world(&window, &state->worlds[i], &active, &asleep, err);
    free(window.cores);
    if (status != NEREUS_OK) {
        free(active.items);
        free(asleep.items);
        return status;
    }
    state->segments = active.items;
    state->segment_count = active.count;
    state->sleepers = asleep.items;
    state->sleeper_count = asleep.count;
    return NEREUS_OK;
}
