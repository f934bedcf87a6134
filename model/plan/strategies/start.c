/**
 * @file start.c
 * Emits the steps that several spawn strategies share: one world, several worlds in turn, or worlds
 * in rounds.
 */
#include "model/plan/emit.h"
#include "model/plan/groups.h"
#include "strategy.h"

int64_t nereus_count_startable_all(const struct nereus_growth *growth)
{
    return growth->groups == 0 ? INT64_MAX : 0;
}

int64_t nereus_starter_root(const struct nereus_tree *tree, const struct nereus_growth *growth,
                            int64_t i)
{
    (void)tree;
    (void)growth;
    (void)i;
    return 0;
}

int64_t nereus_count_startable_per_process(const struct nereus_growth *growth)
{
    return growth->processes;
}

int64_t nereus_starter_process(const struct nereus_tree *tree, const struct nereus_growth *growth,
                               int64_t i)
{
    (void)tree;
    (void)growth;
    return i;
}

static void begin_at_level(struct nereus_emitter *e, enum nereus_step_kind kind, unsigned roles,
                           const struct nereus_incoming *incoming, int64_t level)
{
    nereus_emit_begin(e, kind, roles);
    e->step.old_processes = incoming->old_processes;
    e->step.new_processes = incoming->count;
    e->step.first_new = incoming->first_new;
    e->step.starter = e->strategy->starter;
    e->step.channel = e->strategy->channel;
    e->step.level = level;
}

static void emit_at_level(struct nereus_emitter *e, enum nereus_step_kind kind, unsigned roles,
                          const struct nereus_incoming *incoming, int64_t level)
{
    begin_at_level(e, kind, roles, incoming, level);
    nereus_emit_end(e);
}

void nereus_emit_one_world(struct nereus_emitter *emitter, const struct nereus_incoming *incoming,
                           bool connects)
{
    const unsigned all_roles = incoming->parents | NEREUS_SPAWNED;
    emit_at_level(emitter, NEREUS_STEP_SPAWN, incoming->parents, incoming, 0);
    emit_at_level(emitter, NEREUS_STEP_JOIN, all_roles, incoming, 0);
    if (connects)
        emit_at_level(emitter, NEREUS_STEP_CONNECT, all_roles, incoming, 0);
}

/* Emit the connection of groups, whose ports are open after the synchronisation (Martín-Álvarez et
 * al. (2025), sections 4.3 to 4.5), and of the last one with the parents. */
static void emit_connect_groups(struct nereus_emitter *e, const struct nereus_incoming *incoming,
                                int64_t levels)
{
    const int64_t groups = e->outline->groups->count;
    const unsigned all_roles = incoming->parents | NEREUS_SPAWNED;
    emit_at_level(e, NEREUS_STEP_SYNCHRONISE, all_roles, incoming, levels);
    emit_at_level(e, NEREUS_STEP_SYNCHRONISE, all_roles, incoming, -levels);
    for (int64_t left = groups, round = 1; left > 1; left = (left + 1) / 2, round++) {
        begin_at_level(e, NEREUS_STEP_CONNECT, NEREUS_SPAWNED, incoming, round);
        e->step.repeat = left / 2;
        nereus_emit_end(e);
    }
    if (groups > 1)
        emit_at_level(e, NEREUS_STEP_REORDER, NEREUS_SPAWNED, incoming, 0);
    emit_at_level(e, NEREUS_STEP_CONNECT, all_roles, incoming, 0);
}

/* Launched worlds start at the same time, spawned ones in sequence; all join in sequence. */
void nereus_emit_flat(struct nereus_emitter *emitter, const struct nereus_incoming *incoming,
                      enum nereus_step_kind kind)
{
    const int64_t groups = emitter->outline->groups->count;
    begin_at_level(emitter, kind, incoming->parents, incoming, 1);
    *(kind == NEREUS_STEP_LAUNCH ? &emitter->step.repeat : &emitter->step.times) = groups;
    nereus_emit_end(emitter);
    begin_at_level(emitter, NEREUS_STEP_JOIN, incoming->parents | NEREUS_SPAWNED, incoming, 1);
    emitter->step.times = groups;
    nereus_emit_end(emitter);
    emit_connect_groups(emitter, incoming, 1);
}

/* The groups of a round start at the same time, each from one process. */
void nereus_emit_rounds(struct nereus_emitter *emitter, const struct nereus_incoming *incoming)
{
    struct nereus_groups *groups = emitter->outline->groups;
    struct nereus_growth growth = nereus_growth_begin(incoming->old_processes);
    struct nereus_incoming level = *incoming;
    int64_t levels = 0;
    while (growth.groups < groups->count) {
        const int64_t left = groups->count - growth.groups;
        const int64_t count =
            nereus_min(left, nereus_max(1, emitter->strategy->count_startable(&growth)));
        const unsigned parents =
            levels == 0 ? incoming->parents : incoming->parents | NEREUS_SPAWNED;
        level.old_processes = growth.processes;
        level.count = nereus_groups_advance(groups, count);
        nereus_growth_add(&growth, count, level.count);
        levels++;
        begin_at_level(emitter, NEREUS_STEP_SPAWN, parents, &level, levels);
        emitter->step.repeat = count;
        nereus_emit_end(emitter);
        begin_at_level(emitter, NEREUS_STEP_JOIN, parents | NEREUS_SPAWNED, &level, levels);
        emitter->step.repeat = count;
        nereus_emit_end(emitter);
        level.first_new += level.count;
    }
    emit_connect_groups(emitter, incoming, levels);
}
