/**
 * @file plan_merge_shrink.c
 * Plans a shrinking merge: data moves to the sources that stay, and the others leave; no process
 * starts.
 *
 *   zs  processes that leave fall asleep; the next expansion or the end of the job wakes them.
 *       RT = T_split(NS) + T_gather(NS) (Martín-Álvarez et al. (2024a), equation 3). It gives no
 *       node back: a world ends only as a whole.
 *   ts  whole worlds leave and end, and their nodes are free (Martín-Álvarez et al. (2025), section
 *       4.7). Zombies that share communicators with them wake only to release these.
 *
 * Both nearly always win against a respawn. Both may occur in one shrink.
 */
#include "emit.h"

static void emit_split(struct nereus_emitter *e)
{
    nereus_emit(e, NEREUS_STEP_SPLIT, NEREUS_SOURCES, 0);
    if (e->outline->sleeping > 0)
        nereus_emit(e, NEREUS_STEP_GATHER, NEREUS_SOURCES, 0);
}

void nereus_emit_merge_shrink(struct nereus_emitter *emitter)
{
    const struct nereus_outline *o = emitter->outline;
    const unsigned releasing = o->releasing > 0 ? NEREUS_RELEASING : 0;
    nereus_emit(emitter, NEREUS_STEP_DECIDE, NEREUS_SOURCES, 0);
    nereus_emit_enter_thread(emitter);
    if (o->method.async)
        emit_split(emitter);
    nereus_emit_overlapped(emitter, NEREUS_SOURCES);
    if (o->releasing > 0)
        nereus_emit(emitter, NEREUS_STEP_WAKE, NEREUS_SOURCES | releasing, o->releasing);
    nereus_emit_data(emitter, NEREUS_SOURCES);
    if (!o->method.async)
        emit_split(emitter);
    nereus_emit(emitter, NEREUS_STEP_AGREE, NEREUS_SOURCES, 0);
    nereus_emit_commit(emitter, NEREUS_SOURCES, 0);
    if (o->ending > 0)
        nereus_emit(emitter, NEREUS_STEP_TERMINATE, NEREUS_SOURCES | releasing, o->ending);
    /* sleep comes last, because sleeping processes cannot take part in other steps */
    if (o->sleeping > 0)
        nereus_emit(emitter, NEREUS_STEP_SLEEP, NEREUS_SOURCES, 0);
}
