/*
 * Traffic of the busiest node.
 *
 * The ranks of a node are consecutive, and so are their blocks: what a node has before and after is
 * a range of elements each, and what it need not move is their overlap. On equal nodes the overlap
 * never increases from node to node (as k(r) in transfer.c), so the busiest node is the last one of
 * each size on either side, or the first one that the other side lacks.
 */
#include "node_traffic.h"

#include "model/util/arith.h"
#include "nereus/distribution.h"

/* Consecutive ranks. */
struct ranks {
    int64_t first, count;
};

/* Elements on p processes; rank r + total is on the node of rank r. */
struct side {
    int64_t n, processes, total;
};

static struct nereus_range elements_of(const struct side *side, struct ranks ranks)
{
    const int64_t first = ranks.first, last = nereus_min(first + ranks.count, side->processes) - 1;
    if (first > last)
        return (struct nereus_range){0, 0};
    const struct nereus_range at_first = nereus_block(side->n, side->processes, first),
                              at_last = nereus_block(side->n, side->processes, last);
    return (struct nereus_range){at_first.first, at_last.first + at_last.count - at_first.first};
}

/* Of a node with these ranks in the first round, before and after: both lists of ranges ascend. */
static int64_t traffic_of(const struct side *before, const struct side *after, struct ranks old,
                          struct ranks new_ranks)
{
    int64_t had = 0, has = 0, kept = 0;
    while (old.first < before->processes || new_ranks.first < after->processes) {
        const struct nereus_range mine = elements_of(before, old),
                                  next = elements_of(after, new_ranks);
        const bool old_ends_first =
            new_ranks.first >= after->processes ||
            (old.first < before->processes && mine.first + mine.count <= next.first + next.count);
        kept += nereus_range_overlap(mine, next).count;
        if (old_ends_first) {
            had += mine.count;
            old.first += before->total;
        } else {
            has += next.count;
            new_ranks.first += after->total;
        }
    }
    return nereus_max(had, has) - kept;
}

static int64_t traffic_by_layout(const struct nereus_machine *machine, const struct side *before,
                                 const struct side *after)
{
    const struct nereus_layout *layout = machine->layout;
    struct ranks old = {0, 0}, new_ranks = {0, 0};
    int64_t most = 0;
    for (int64_t i = 0; i < machine->node_count; i++) {
        old = (struct ranks){old.first + old.count, layout->before[i]};
        new_ranks = (struct ranks){new_ranks.first + new_ranks.count, layout->after[i]};
        most = nereus_max(most, traffic_of(before, after, old, new_ranks));
    }
    return most;
}

static int64_t traffic_by_node(const struct nereus_machine *machine, const struct side *before,
                               const struct side *after)
{
    struct ranks here = {0, 0};
    int64_t most = 0;
    for (int64_t i = 0; i < machine->node_count; i++) {
        here = (struct ranks){here.first + here.count, machine->nodes[i].cores};
        most = nereus_max(most, traffic_of(before, after, here, here));
    }
    return most;
}

static int64_t traffic_on_equal_nodes(int64_t cores, const struct side *before,
                                      const struct side *after)
{
    const int64_t sizes[] = {before->processes, after->processes, before->n % before->processes,
                             after->n % after->processes};
    int64_t most = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        const int64_t last_full = sizes[s] / cores - 1;
        for (int64_t node = nereus_max(0, last_full); node <= last_full + 2; node++) {
            const struct ranks here = {node * cores, cores};
            most = nereus_max(most, traffic_of(before, after, here, here));
        }
    }
    return most;
}

int64_t nereus_node_traffic(const struct nereus_machine *machine, int64_t n, int64_t ns, int64_t nt)
{
    const int64_t largest = nereus_max(ns, nt);
    if (n <= 0 || nereus_machine_on_one_node(machine, largest))
        return 0;
    struct side before = {n, ns, INT64_MAX / 4}, after = {n, nt, INT64_MAX / 4};
    if (machine->layout != NULL)
        return traffic_by_layout(machine, &before, &after);
    const int64_t total = nereus_machine_total_cores(machine);
    const bool equal =
        machine->node_count == 0 || total == machine->node_count * machine->cores_per_node;
    if (equal && largest <= total)
        return traffic_on_equal_nodes(machine->cores_per_node, &before, &after);
    before.total = after.total = total;
    return traffic_by_node(machine, &before, &after);
}
