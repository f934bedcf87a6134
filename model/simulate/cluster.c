/** @file cluster.c  Moves nodes of the simulated cluster between lists (cluster.h): a node that is
 * not in repair is in one list. */
#include "cluster.h"

#include "nereus/workload.h"

enum nereus_status nereus_cluster_init(int32_t nodes, struct nereus_cluster *cluster,
                                       struct nereus_error *err)
{
    *cluster = (struct nereus_cluster){.nodes = nodes, .free = nodes};
    cluster->next = calloc((size_t)nodes, sizeof *cluster->next);
    NEREUS_TRY_MEMORY(cluster->next, err, "for %d nodes", nodes);
    for (int32_t i = 0; i < nodes; i++)
        cluster->next[i] = i + 1 < nodes ? i + 1 : NEREUS_SIM_NONE;
    return NEREUS_OK;
}

void nereus_cluster_fini(struct nereus_cluster *cluster)
{
    free(cluster->next);
    *cluster = (struct nereus_cluster){0};
}

/* Move `count` nodes from the front of one list to the front of another. */
static void move_nodes(struct nereus_cluster *cluster, int32_t count, int32_t *from, int32_t *to)
{
    const int32_t first = *from;
    int32_t last = first;
    if (count == 0)
        return;
    for (int32_t i = 1; i < count; i++)
        last = cluster->next[last];
    *from = cluster->next[last];
    cluster->next[last] = *to;
    *to = first;
}

void nereus_cluster_allocate(struct nereus_cluster *cluster, int32_t count, int32_t *list)
{
    move_nodes(cluster, count, &cluster->first_free, list);
    cluster->free -= count;
}

void nereus_cluster_release(struct nereus_cluster *cluster, int32_t count, int32_t *list)
{
    move_nodes(cluster, count, list, &cluster->first_free);
    cluster->free += count;
}

bool nereus_cluster_remove_held_node(struct nereus_cluster *cluster, int32_t node, int32_t *list)
{
    int32_t *at = list;
    while (*at != NEREUS_SIM_NONE && *at != node)
        at = &cluster->next[*at];
    if (*at == NEREUS_SIM_NONE)
        return false;
    *at = cluster->next[node];
    cluster->down++;
    return true;
}

bool nereus_cluster_remove_free_node(struct nereus_cluster *cluster, int32_t node)
{
    const bool found = nereus_cluster_remove_held_node(cluster, node, &cluster->first_free);
    cluster->free -= found;
    return found;
}

void nereus_cluster_repair(struct nereus_cluster *cluster, int32_t node)
{
    cluster->next[node] = cluster->first_free;
    cluster->first_free = node;
    cluster->down--;
    cluster->free++;
}
