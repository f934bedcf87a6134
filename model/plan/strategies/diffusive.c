/**
 * @file diffusive.c
 * Makes the tree of the strategy diffusive, which is hypercube for groups of any size: in each
 * round every existing process starts one group.
 *
 * Cost: rounds of (T_spawn + join) by equations 4 to 8 of Martín-Álvarez et al. (2025), section
 * 4.2, then T_connect over ceil(log2(groups)) rounds (section 4.4). Each node can leave by itself
 * later. The strategy loses where hypercube does.
 */
#include "strategy.h"

const struct nereus_strategy_ops nereus_strategy_diffusive = {
    .starter = NEREUS_STARTER_TREE,
    .channel = NEREUS_CHANNEL_TREE,
    .several_worlds = true,
    .count_startable = nereus_count_startable_per_process,
    .find_starter = nereus_starter_process,
    .emit = nereus_emit_rounds,
};
