/**
 * @file node_traffic.h
 * Computes what a redistribution moves between nodes, because the processes of a node share its
 * link (Gropp, Olson and Samfass (2016)). Private to model/.
 *
 * The traffic is exact, and that of the busiest node: the larger number of elements that leave or
 * reach this node. Old and new ranks are placed compactly, or by the machine's layout
 * (node_walk.h).
 */
#ifndef NEREUS_MODEL_PRICE_NODE_TRAFFIC_H
#define NEREUS_MODEL_PRICE_NODE_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

#include "nereus/layout.h"
#include "nereus/partition.h"

/** Traffic with equal blocks of n elements, in constant time on equal nodes with a core for each
 * process, else in O(nodes x rounds).
 * @param[in] respawn  all targets are new: a layout has other nodes for them than in a merge */
int64_t nereus_node_traffic(const struct nereus_machine *machine, bool respawn, int64_t n,
                            int64_t ns, int64_t nt);

/** Traffic with any partitions of the same index space, in O(NS + NT + nodes).
 * @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_node_traffic_partitions(const struct nereus_machine *machine,
                                                  bool respawn,
                                                  const struct nereus_partition *before,
                                                  const struct nereus_partition *after,
                                                  int64_t *traffic, struct nereus_error *err);

#endif
