/**
 * @file plan_restart.c
 * Plans a restart: the sources write their data into a checkpoint and end; then NT new processes
 * start and read it. The two sides never exist at the same time, so that no message passes between
 * them.
 *
 * RT = T_write + T_end + T_start(NT) + T_read, with the agreements of each side (not in the
 * papers). Restart needs no MPI_Comm_spawn, gives every node back and oversubscribes none. It loses
 * wherever processes can be spawned on free cores: data passes through files twice, and the start
 * waits until all sources have ended.
 */
#include "emit.h"

static void emit_file_step(struct nereus_emitter *e, enum nereus_step_kind kind, unsigned roles)
{
    const struct nereus_request_bytes *bytes = &e->outline->bytes;
    const bool reads = kind == NEREUS_STEP_READ;
    if (!e->outline->has_data)
        return;
    e->part = NEREUS_PART_DATA;
    nereus_emit_begin(e, kind, roles);
    e->step.old_processes = reads ? 0 : e->outline->ns;
    e->step.new_processes = reads ? e->outline->nt : 0;
    e->step.constant_bytes = bytes->constant_bytes;
    e->step.variable_bytes = bytes->variable_bytes;
    e->step.replicated_bytes = bytes->replicated_bytes;
    nereus_emit_end(e);
    e->part = NEREUS_PART_PROCESSES;
}

/* Emit a step of the new processes only, as the old ones have ended. */
static void emit_of_targets(struct nereus_emitter *e, enum nereus_step_kind kind)
{
    nereus_emit_begin(e, kind, NEREUS_SPAWNED);
    e->step.old_processes = 0;
    e->step.new_processes = e->outline->nt;
    nereus_emit_end(e);
}

void nereus_emit_restart(struct nereus_emitter *emitter)
{
    nereus_emit(emitter, NEREUS_STEP_DECIDE, NEREUS_LEAVING, 0);
    emit_file_step(emitter, NEREUS_STEP_WRITE, NEREUS_LEAVING);
    nereus_emit(emitter, NEREUS_STEP_AGREE, NEREUS_LEAVING, 0);
    nereus_emit(emitter, NEREUS_STEP_END, NEREUS_LEAVING, 0);
    emit_of_targets(emitter, NEREUS_STEP_START);
    emit_file_step(emitter, NEREUS_STEP_READ, NEREUS_SPAWNED);
    emit_of_targets(emitter, NEREUS_STEP_AGREE);
    emit_of_targets(emitter, NEREUS_STEP_COMMIT);
}
