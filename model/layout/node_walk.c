/**
 * @file node_walk.c
 * Walks over the nodes of a placement and counts old and new processes on each. With a layout, a
 * merge starts on each node the processes that it lacks (S = A - R of Martín-Álvarez et al. (2025),
 * section 4.2, with woken zombies in R), a respawn starts all targets. Ranks of started processes
 * follow the nodes, as in model/plan/placement.c, so that a range of ranks is a range of a running
 * sum.
 *
 * Prices walk over the nodes of a large machine thousands of times, so that a step of the walk
 * divides nothing, and the walk ends after the last node with a process.
 */
#include "node_walk.h"

static int64_t sum_counts(const int64_t *counts, int64_t nodes)
{
    int64_t total_count = 0;
    for (int64_t i = 0; i < nodes; i++)
        total_count += counts[i];
    return total_count;
}

/* Count ranks of started processes from 0 on. */
static void begin_layout(struct nereus_node_walk *walk)
{
    const struct nereus_layout *const layout = walk->machine->layout;
    const int64_t nodes = walk->machine->node_count, sources = sum_counts(layout->sources, nodes);
    if (walk->placed.respawn)
        return;
    const int64_t awake = sources + sum_counts(layout->woken_zombies, nodes);
    walk->woken = walk->placed.old_processes > sources;
    walk->earlier_processes = nereus_max(0, walk->placed.old_processes - awake);
    walk->placed.first_new -= awake;
}

static void begin_compact(struct nereus_node_walk *walk)
{
    const struct nereus_machine *const machine = walk->machine;
    const struct nereus_placement *const placed = &walk->placed;
    const int64_t new_end = placed->first_new + placed->new_processes,
                  end = nereus_max(placed->old_processes, new_end);
    for (int64_t i = 0; i < machine->node_count && walk->last < end; i++)
        walk->last += machine->nodes[i].cores;
    walk->old_end = nereus_rounds_edge_make(placed->old_processes, walk->last);
    walk->new_begin = nereus_rounds_edge_make(placed->first_new, walk->last);
    walk->new_end = nereus_rounds_edge_make(new_end, walk->last);
}

void nereus_node_walk_begin(const struct nereus_machine *machine,
                            const struct nereus_placement *placement, struct nereus_node_walk *walk)
{
    *walk = (struct nereus_node_walk){.machine = machine, .node = -1, .placed = *placement};
    if (machine->layout != NULL)
        begin_layout(walk);
    else
        begin_compact(walk);
}

/* Count the ranks first .. first + n - 1 among the next `here` started processes. */
static int64_t count_on_node(const struct nereus_node_walk *walk, int64_t here, int64_t first,
                             int64_t n)
{
    const int64_t from = nereus_max(walk->started, first),
                  to = nereus_min(walk->started + here, first + n);
    return nereus_max(0, to - from);
}

static void count_by_layout(struct nereus_node_walk *walk)
{
    const struct nereus_layout *const layout = walk->machine->layout;
    const int64_t sources = layout->sources[walk->node], woken = layout->woken_zombies[walk->node],
                  stay = walk->placed.respawn ? 0 : sources + woken,
                  starts = nereus_max(0, layout->targets[walk->node] - stay);
    walk->old_here = walk->placed.old_processes > 0 ? sources + (walk->woken ? woken : 0) : 0;
    walk->old_here += count_on_node(walk, starts, 0, walk->earlier_processes);
    walk->new_here =
        count_on_node(walk, starts, walk->placed.first_new, walk->placed.new_processes);
    walk->started += starts;
}

static void count_compact(struct nereus_node_walk *walk)
{
    const int64_t cores = walk->machine->nodes[walk->node].cores;
    walk->old_here = nereus_rounds_below_edge(walk->old_end, walk->cores, cores);
    walk->new_here = nereus_rounds_below_edge(walk->new_end, walk->cores, cores) -
                     nereus_rounds_below_edge(walk->new_begin, walk->cores, cores);
    walk->cores += cores;
}

bool nereus_node_walk_next(struct nereus_node_walk *walk)
{
    const bool compact = walk->machine->layout == NULL;
    if (++walk->node >= walk->machine->node_count || (compact && walk->cores >= walk->last))
        return false;
    if (compact)
        count_compact(walk);
    else
        count_by_layout(walk);
    return true;
}
