/**
 * @file node_traffic.h
 * What a redistribution of equal blocks moves between nodes: the processes of a node share its
 * link (Gropp, Olson and Samfass 2016). Private to model/.
 */
#ifndef NEREUS_NODE_TRAFFIC_H
#define NEREUS_NODE_TRAFFIC_H

#include <stdint.h>

#include "nereus/layout.h"

/**
 * Elements of n that leave or reach the busiest node, the larger of both; exact. Old and new ranks
 * are placed compactly, or by the machine's layout in the order of its nodes. In constant time on
 * equal nodes with a core for each process, else in O(nodes x rounds).
 */
int64_t nereus_node_traffic(const struct nereus_machine *machine, int64_t n, int64_t ns,
                            int64_t nt);

#endif
