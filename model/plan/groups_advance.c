/** @file groups_advance.c  Computes the sizes of the next groups of new processes, one a node. */
#include "groups.h"
#include "model/layout/layout_rounds.h"

/* Go to the next listed node with new processes.
 * @return their number */
static int64_t advance_node(struct nereus_groups *g)
{
    int64_t processes = 0;
    while (processes == 0 && g->next_node < g->machine->node_count) {
        const int64_t cores = g->machine->nodes[g->next_node++].cores;
        processes =
            nereus_rounds_share(g->first_new, g->new_processes, g->cores_before, cores, g->total);
        g->cores_before += cores;
    }
    return processes;
}

int64_t nereus_groups_advance(struct nereus_groups *groups, int64_t count)
{
    const int64_t first = groups->next_group, end = groups->next_group + count;
    int64_t sum = 0;
    groups->next_group = end;
    if (groups->list == NULL && groups->machine == NULL)
        return groups->new_processes;
    if (groups->list == NULL && groups->machine->node_count == 0) {
        const int64_t cores = groups->machine->cores_per_node, node = groups->first_new / cores;
        const int64_t begin = first == 0 ? groups->first_new : (node + first) * cores;
        return (end == groups->count ? groups->first_new + groups->new_processes
                                     : (node + end) * cores) -
               begin;
    }
    for (int64_t i = first; i < end; i++)
        sum += groups->list != NULL ? groups->list[i].processes : advance_node(groups);
    return sum;
}
