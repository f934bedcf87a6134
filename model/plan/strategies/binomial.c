/**
 * @file binomial.c
 * Makes the tree of the strategy binomial: in each round the root of every existing world starts
 * one group of any size; the sources are one world.
 *
 * Cost: ceil(log2(groups + 1)) rounds of (T_spawn + join), then T_connect over ceil(log2(groups))
 * rounds (Martín-Álvarez et al. (2025), section 4.4). Each node can leave by itself later. The
 * papers do not have it; tree-based process launchers start by binomial trees. Round r has at most
 * 2^(r - 1) starts at once, which helps launchers that fail with more. The strategy loses to
 * hypercube and diffusive, which start one group per process: on nodes with many cores C they need
 * about log2(C + 1) times fewer rounds (20 groups from a node of 20 cores: 1 round, binomial 5).
 */
#include "strategy.h"

static int64_t count_worlds(const struct nereus_growth *growth)
{
    return growth->groups + 1;
}

/* Number of a starter: the root of the sources, then the roots of the groups. */
static int64_t find_world_starter(const struct nereus_tree *tree,
                                  const struct nereus_growth *growth, int64_t i)
{
    (void)growth;
    return i == 0 ? 0 : tree->parents + tree->groups[i - 1].first;
}

const struct nereus_strategy_ops nereus_strategy_binomial = {
    .starter = NEREUS_STARTER_TREE,
    .channel = NEREUS_CHANNEL_TREE,
    .several_worlds = true,
    .count_startable = count_worlds,
    .find_starter = find_world_starter,
    .emit = nereus_emit_rounds,
};
