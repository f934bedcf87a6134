/**
 * @file layout_rounds.h
 * Counts ranks of a compact placement in rounds. A node with `cores` cores, after `before` cores of
 * earlier nodes, holds the ranks r with before <= r mod total < before + cores.
 */
#ifndef NEREUS_MODEL_LAYOUT_LAYOUT_ROUNDS_H
#define NEREUS_MODEL_LAYOUT_LAYOUT_ROUNDS_H

#include <stdint.h>

#include "model/util/arith.h"

/** @return number of ranks 0 .. n - 1 on the node */
static inline int64_t nereus_rounds_below(int64_t n, int64_t before, int64_t cores, int64_t total)
{
    return n / total * cores + nereus_min(cores, nereus_max(0, n % total - before));
}

/** @return number of ranks first .. first + n - 1 on the node */
static inline int64_t nereus_rounds_share(int64_t first, int64_t n, int64_t before, int64_t cores,
                                          int64_t total)
{
    return nereus_rounds_below(first + n, before, cores, total) -
           nereus_rounds_below(first, before, cores, total);
}

#endif
