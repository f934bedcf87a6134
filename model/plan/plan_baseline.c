/**
 * @file plan_baseline.c
 * Plans a baseline: NT new processes start, data moves to them, and the sources end.
 *
 * RT = T_spawn(NS, NT) (Martín-Álvarez et al. (2024a), equation 1); with "single" T_spawn(1, NT) +
 * T_connect(NS, NT) (equation 4); here with the steps that the paper leaves out: joining, data,
 * agreement, disconnecting. Baseline loses where NT is close to NS, and where old and new processes
 * share cores. Baseline works from any job state, gives every node back, and with NS = NT is a full
 * respawn.
 *
 * baseline-intra merges old and new processes first, so that data moves within one communicator
 * (Martín-Álvarez et al. (2023), section 4: one-sided communication needs one group).
 */
#include "emit.h"

void nereus_emit_baseline(struct nereus_emitter *emitter)
{
    const struct nereus_outline *o = emitter->outline;
    const unsigned all_roles = NEREUS_LEAVING | NEREUS_SPAWNED;
    const struct nereus_incoming targets = {NEREUS_LEAVING, o->ns, o->nt, 0};
    nereus_emit(emitter, NEREUS_STEP_DECIDE, NEREUS_LEAVING, 0);
    nereus_emit_enter_thread(emitter);
    nereus_emit_start(emitter, &targets);
    if (o->method.process == NEREUS_BASELINE_INTRA)
        nereus_emit(emitter, NEREUS_STEP_MERGE, all_roles, o->nt);
    nereus_emit_overlapped(emitter, all_roles);
    nereus_emit_data(emitter, all_roles);
    nereus_emit(emitter, NEREUS_STEP_AGREE, all_roles, o->nt);
    nereus_emit_commit(emitter, all_roles, o->nt);
    nereus_emit(emitter, NEREUS_STEP_DISCONNECT, all_roles, o->nt);
}
