/**
 * @file layout_rounds.h
 * Counts ranks of a compact placement in rounds. A node with `cores` cores, after `before` cores of
 * earlier nodes, holds the ranks r with before <= r mod total < before + cores.
 */
#pragma once

#include "model/util/base.h"

/** A number of ranks, divided once by the cores of all nodes. */
struct nereus_rounds_edge {
    int64_t rounds, rest;
};

/* Ranks of one round at most: no division, and `total` may be the cores of the nodes up to n. */
static inline struct nereus_rounds_edge nereus_rounds_edge_make(int64_t n, int64_t total)
{
    return n <= total ? (struct nereus_rounds_edge){0, n}
                      : (struct nereus_rounds_edge){n / total, n % total};
}

/** @return number of ranks below the edge on the node */
static inline int64_t nereus_rounds_below_edge(struct nereus_rounds_edge edge, int64_t before,
                                               int64_t cores)
{
    return edge.rounds * cores + nereus_min(cores, nereus_max(0, edge.rest - before));
}

/** @return number of ranks 0 .. n - 1 on the node */
static inline int64_t nereus_rounds_below(int64_t n, int64_t cores_before, int64_t cores,
                                          int64_t total)
{
    return nereus_rounds_below_edge(nereus_rounds_edge_make(n, total), cores_before, cores);
}

/** @return number of ranks first .. first + n - 1 on the node */
static inline int64_t nereus_rounds_share(int64_t first, int64_t n, int64_t cores_before,
                                          int64_t cores, int64_t total)
{
    return nereus_rounds_below(first + n, cores_before, cores, total) -
           nereus_rounds_below(first, cores_before, cores, total);
}
