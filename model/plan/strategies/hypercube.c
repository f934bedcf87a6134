/**
 * @file hypercube.c
 * Makes the tree of the strategy hypercube: in each round every existing process starts one group,
 * on a node of its own; all groups have the same size.
 *
 * Cost: ceil(ln(N / I + B) / ln(C + 1)) rounds of (T_spawn + join) to N nodes of C cores from I
 * (Martín-Álvarez et al. (2025), section 4.1, equations 1 to 3), then T_connect over
 * ceil(log2(groups)) rounds (section 4.4). Each node can leave by itself later. The strategy loses
 * where one spawn for all is cheap enough, and where the launcher cannot take as many starts at
 * once as there are processes (binomial: one per world).
 */
#include "strategy.h"

const struct nereus_strategy_ops nereus_strategy_hypercube = {
    .starter = NEREUS_STARTER_TREE,
    .channel = NEREUS_CHANNEL_TREE,
    .several_worlds = true,
    .equal_groups =
        "hypercube spawning needs groups of equal size (Martín-Álvarez et al. (2025), sections 4.1 "
        "and 4.6)",
    .count_startable = nereus_count_startable_per_process,
    .find_starter = nereus_starter_process,
    .emit = nereus_emit_rounds,
};
