/**
 * @file plan_rebalance.c
 * Plans a weighted merge to the present size, which balances the load (Martín et al. (2015),
 * section 4.3). No process starts or leaves; data moves to ranges in proportion to powers and
 * weights. The application waits even if the method names an overlap, because no start takes place
 * that could hide the move. A load balance loses to doing nothing if the slowest process saves less
 * until the end than the move takes (src/core/balance.c).
 */
#include "emit.h"

bool nereus_method_rebalances(const struct nereus_method *method, int64_t ns, int64_t nt)
{
    return ns == nt && method->has_data && method->distribution == NEREUS_WEIGHTED &&
           nereus_method_resolve(method).process == NEREUS_MERGE;
}

void nereus_emit_rebalance(struct nereus_emitter *emitter)
{
    const struct nereus_outline *const requested = emitter->outline;
    struct nereus_outline stopped = *requested;
    stopped.method.async = false;
    stopped.method.overlap = NEREUS_SYNC;
    emitter->outline = &stopped;
    nereus_emit(emitter, NEREUS_STEP_DECIDE, NEREUS_STAYING, 0);
    nereus_emit_data(emitter, NEREUS_STAYING);
    nereus_emit(emitter, NEREUS_STEP_AGREE, NEREUS_STAYING, 0);
    nereus_emit_commit(emitter, NEREUS_STAYING, 0);
    emitter->outline = requested;
}
