/** @file groups_advance.c  Computes the sizes of the next groups, one a node, in which new processes
 * start. */
#include "groups.h"
#include "model/layout/layout_rounds.h"

/* Go on to the next node of a list with new processes. */
static int64_t count_finite(struct nereus_groups *g)
{
    const int64_t total = nereus_machine_total_cores(g->machine);
    int64_t here = 0;
    while (here == 0 && g->node < g->machine->node_count) {
        const int64_t cores = g->machine->nodes[g->node++].cores;
        here = nereus_rounds_share(g->first_new, g->new_processes, g->before, cores, total);
        g->before += cores;
    }
    return here;
}

int64_t nereus_groups_advance(struct nereus_groups *g, int64_t count)
{
    const int64_t from = g->next, to = g->next + count;
    int64_t sum = 0;
    g->next = to;
    if (g->list == NULL && g->machine == NULL)
        return g->new_processes;
    if (g->list == NULL && g->machine->node_count == 0) {
        const int64_t cores = g->machine->cores_per_node, node = g->first_new / cores;
        const int64_t begin = from == 0 ? g->first_new : (node + from) * cores;
        return (to == g->count ? g->first_new + g->new_processes : (node + to) * cores) - begin;
    }
    for (int64_t i = from; i < to; i++)
        sum += g->list != NULL ? g->list[i].processes : count_finite(g);
    return sum;
}
