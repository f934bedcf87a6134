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

void nereus_emit_baseline(struct nereus_emitter *e)
{
    const struct nereus_outline *o = e->outline;
    const unsigned all = NEREUS_LEAVING | NEREUS_SPAWNED;
    const struct nereus_incoming targets = {NEREUS_LEAVING, o->ns, o->nt, 0};
    nereus_emit(e, NEREUS_STEP_DECIDE, NEREUS_LEAVING, 0);
    nereus_emit_enter_thread(e);
    nereus_emit_start(e, &targets);
    if (o->method.process == NEREUS_BASELINE_INTRA)
        nereus_emit(e, NEREUS_STEP_MERGE, all, o->nt);
    nereus_emit_overlapped(e, all);
    nereus_emit_data(e, all);
    nereus_emit(e, NEREUS_STEP_AGREE, all, o->nt);
    nereus_emit_commit(e, all, o->nt);
    nereus_emit(e, NEREUS_STEP_DISCONNECT, all, o->nt);
}
