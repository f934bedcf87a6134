/**
 * @file plan_merge_expand.c
 * Plans an expanding merge: sources stay, zombies are woken first, and only the processes that are
 * then missing are spawned and merged.
 *
 * RT = T_spawn(NS, NT - NS) + T_merge(NT) (Martín-Álvarez et al. (2024a), equation 2); with
 * "single" T_spawn(1, NT - NS) + T_connect + T_merge (equation 5). Merge loses to baseline only
 * where nearly all processes are new (NS = 1).
 */
#include "emit.h"

static void emit_missing(struct nereus_emitter *e, unsigned parents)
{
    const int64_t old = e->outline->ns + e->outline->woken;
    const struct nereus_incoming missing = {parents, old, e->outline->spawned, old};
    nereus_emit_start(e, &missing);
    nereus_emit_begin(e, NEREUS_STEP_MERGE, parents | NEREUS_SPAWNED);
    e->step.old_processes = old;
    e->step.new_processes = missing.count;
    e->step.first_new = old;
    nereus_emit_end(e);
}

void nereus_emit_merge_expand(struct nereus_emitter *emitter)
{
    const struct nereus_outline *o = emitter->outline;
    const unsigned old = o->woken > 0 ? NEREUS_STAYING | NEREUS_WOKEN : NEREUS_STAYING;
    const unsigned all_roles = o->spawned > 0 ? old | NEREUS_SPAWNED : old;
    const int64_t incoming = o->woken + o->spawned;
    nereus_emit(emitter, NEREUS_STEP_DECIDE, NEREUS_STAYING, 0);
    nereus_emit_enter_thread(emitter);
    if (o->woken > 0)
        nereus_emit(emitter, NEREUS_STEP_WAKE, old, o->woken);
    if (o->spawned > 0)
        emit_missing(emitter, old);
    nereus_emit_overlapped(emitter, all_roles);
    nereus_emit_data(emitter, all_roles);
    nereus_emit(emitter, NEREUS_STEP_AGREE, all_roles, incoming);
    nereus_emit_commit(emitter, all_roles, incoming);
}
