/**
 * @file single.c
 * The strategy single: rank 0 alone calls MPI_Comm_spawn, then old and new processes connect; the
 * new ones are one world.
 *
 * Cost: T_spawn(1, new) + T_connect(NS, new) (Martín-Álvarez et al. (2024a), equations 4 and 5).
 * The other sources sleep meanwhile (async: they compute, with one auxiliary thread instead of NS),
 * which pays where cores are full. Elsewhere it loses to plain by the time of the connection.
 */
#include "strategy.h"

static void emit_single(struct nereus_emitter *emitter, const struct nereus_incoming *incoming)
{
    nereus_emit_one_world(emitter, incoming, true);
}

const struct nereus_strategy_ops nereus_strategy_single = {
    .starter = NEREUS_STARTER_ROOT,
    .channel = NEREUS_CHANNEL_TREE,
    .refuses_ss =
        "makes one world of all new processes, but ss is the respawn after which every node has "
        "its own (Martín-Álvarez et al. (2025), section 4.6): use a strategy that makes a world "
        "for each node, such as diffusive",
    .emit = emit_single,
};
