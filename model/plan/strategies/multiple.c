/**
 * @file multiple.c
 * The strategy multiple: all parents call MPI_Comm_spawn for one group after the other; a group is
 * one process, or a batch.
 *
 * Cost: groups x (T_spawn(NS, batch) + join) + T_connect over ceil(log2(groups)) rounds
 * (Martín-Álvarez et al. (2024a), section 3.3; Martín-Álvarez et al. (2025), section 4.4). Each
 * group can leave by itself later. The strategy loses to all others with several groups, because
 * they start one after the other.
 */
#include "strategy.h"

static void emit_multiple(struct nereus_emitter *emitter, const struct nereus_incoming *incoming)
{
    nereus_emit_flat(emitter, incoming, NEREUS_STEP_SPAWN);
}

const struct nereus_strategy_ops nereus_strategy_multiple = {
    .starter = NEREUS_STARTER_PARENTS,
    .channel = NEREUS_CHANNEL_TREE,
    .several_worlds = true,
    .batched = true,
    .count_startable = nereus_count_startable_all,
    .find_starter = nereus_starter_root,
    .emit = emit_multiple,
};
