/**
 * @file cluster.h
 * The nodes of a simulated cluster: a list of free nodes, and a list for each job. Nodes in repair
 * are in no list.
 */
#pragma once

#include "model/util/base.h"

struct nereus_cluster {
    int32_t nodes, free, down; /**< numbers of all nodes, of free nodes, of nodes in repair */
    int32_t first_free;
    int32_t *next; /**< indexed by node: next node in its list; owned */
};

enum nereus_status nereus_cluster_init(int32_t nodes, struct nereus_cluster *cluster,
                                       struct nereus_error *err);
void nereus_cluster_fini(struct nereus_cluster *cluster);

/** Move `count` nodes (at most `free`) from the free list to the front of another list. */
void nereus_cluster_allocate(struct nereus_cluster *cluster, int32_t count, int32_t *list);
/** Move the first `count` nodes of a list back to the free list. */
void nereus_cluster_release(struct nereus_cluster *cluster, int32_t count, int32_t *list);
/** Remove a failed node from the free list, or from another list.
 * @return was it there? */
bool nereus_cluster_remove_free_node(struct nereus_cluster *cluster, int32_t node);
bool nereus_cluster_remove_held_node(struct nereus_cluster *cluster, int32_t node, int32_t *list);
/** Add a repaired node to the free list. */
void nereus_cluster_repair(struct nereus_cluster *cluster, int32_t node);
