/**
 * @file layout_rounds.h
 * Private to layout*.c and jobstate.c: the arithmetic of compact placement in rounds.
 *
 * A node with `cores` cores, `before` of which lie on earlier nodes, holds the ranks r with before <= r mod
 * total < before + cores.
 */
#ifndef NEREUS_LAYOUT_ROUNDS_H
#define NEREUS_LAYOUT_ROUNDS_H

#include <stdint.h>

#include "model/util/arith.h"

/* How many of the ranks 0 .. n - 1 sit on the node. */
static inline int64_t nereus_rounds_below(int64_t n, int64_t before, int64_t cores, int64_t total)
{
    int64_t last_round = n % total - before;
    int64_t in_last = last_round < 0 ? 0 : last_round > cores ? cores : last_round;
    return n / total * cores + in_last;
}

/* How many of the ranks first .. first + n - 1 sit on the node. */
static inline int64_t nereus_rounds_share(int64_t first, int64_t n, int64_t before, int64_t cores,
                                          int64_t total)
{
    return nereus_rounds_below(first + n, before, cores, total) -
           nereus_rounds_below(first, before, cores, total);
}

#endif
