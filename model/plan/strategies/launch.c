/**
 * @file launch.c
 * The strategy launch: the launcher starts a world for each group, outside MPI; each world joins
 * when it is ready.
 *
 * Cost: T_launch(groups) + groups x join + T_connect over ceil(log2(groups)) rounds (docs/jobs.md;
 * the papers do not have it). The job survives the death of a new process until it is connected.
 * Asynchronous starts need no thread in the sources; a thread may connect them. The strategy loses
 * where a spawn through the running launcher is cheaper, as on one node.
 */
#include "strategy.h"

static void emit_launch(struct nereus_emitter *emitter, const struct nereus_incoming *incoming)
{
    nereus_emit_flat(emitter, incoming, NEREUS_STEP_LAUNCH);
}

const struct nereus_strategy_ops nereus_strategy_launch = {
    .starter = NEREUS_STARTER_ROOT,
    .channel = NEREUS_CHANNEL_LINES,
    .several_worlds = true,
    .threadless = true,
    .isolated = true,
    .count_startable = nereus_count_startable_all,
    .find_starter = nereus_starter_root,
    .emit = emit_launch,
};
