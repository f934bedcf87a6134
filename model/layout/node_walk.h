/**
 * @file node_walk.h
 * Walks over a list of nodes and gives the old and new processes of a placement on each, for the
 * loads that prices depend on.
 */
#pragma once

#include "layout_rounds.h"
#include "nereus/layout.h"

struct nereus_node_walk {
    const struct nereus_machine *machine;
    int64_t node;
    int64_t old_here, new_here; /**< processes of the present node */

    /* private */
    struct nereus_placement placed;
    int64_t cores, last; /* compact placement: cores of the earlier nodes, and of all with ranks */
    struct nereus_rounds_edge old_end, new_begin,
        new_end;               /* compact placement: ends of the ranks */
    bool woken;                /* layout: woken zombies count as old processes */
    int64_t started;           /* layout: processes that are started on the earlier nodes */
    int64_t earlier_processes; /* layout: number of old processes among those that are started */
};

void nereus_node_walk_begin(const struct nereus_machine *machine,
                            const struct nereus_placement *placement,
                            struct nereus_node_walk *walk);

/** Go to the next node.
 * @return false: no more nodes; with a compact placement, no more nodes with old or new processes
 */
bool nereus_node_walk_next(struct nereus_node_walk *walk);
