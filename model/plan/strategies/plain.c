/**
 * @file plain.c
 * The strategy plain: all parents call MPI_Comm_spawn together, and the new processes are one
 * world.
 *
 * Cost: T_spawn(NS, new) (Martín-Álvarez et al. (2024a), equations 1 and 2): one start, one
 * inter-communicator, no connection. The strategy loses where the new processes should leave node
 * by node later, because a world leaves as a whole, and where the sources could compute meanwhile,
 * because all of them take part.
 */
#include "strategy.h"

static void emit_plain(struct nereus_emitter *emitter, const struct nereus_incoming *incoming)
{
    nereus_emit_one_world(emitter, incoming, false);
}

const struct nereus_strategy_ops nereus_strategy_plain = {
    .starter = NEREUS_STARTER_PARENTS,
    .channel = NEREUS_CHANNEL_SPAWN,
    .emit = emit_plain,
};
