/*
 * Merge to the present size with the distribution weighted: load balance. No process is started
 * and none leaves; data moves between the ranges of now and those that powers and weights ask for
 * (flex-mpi 4.3). The application waits, whatever overlap the method names: constant data of the
 * processes that stay is soon moved, and there is no start to hide it behind.
 *
 * It loses to doing nothing where the time that the slowest process saves until the end is less
 * than the move takes (src/core/balance.c decides by that).
 */
#include "emit.h"

bool nereus_method_rebalances(const struct nereus_method *method, int64_t ns, int64_t nt)
{
    return ns == nt && method->has_data && method->distribution == NEREUS_WEIGHTED &&
           nereus_method_carried_out(method).process == NEREUS_MERGE;
}

void nereus_emit_rebalance(struct nereus_emitter *e)
{
    const struct nereus_outline *const asked = e->outline;
    struct nereus_outline stopped = *asked;
    stopped.method.async = false;
    stopped.method.overlap = NEREUS_SYNC;
    e->outline = &stopped;
    nereus_emit(e, NEREUS_STEP_DECIDE, NEREUS_STAYING, 0);
    nereus_emit_data(e, NEREUS_STAYING);
    nereus_emit(e, NEREUS_STEP_AGREE, NEREUS_STAYING, 0);
    nereus_emit_commit(e, NEREUS_STAYING, 0);
    e->outline = asked;
}
