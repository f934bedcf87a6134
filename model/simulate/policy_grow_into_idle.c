/**
 * @file policy_grow_into_idle.c
 * What the scheduler leaves free would be idle: malleable jobs grow into it, those that would run
 * longest first, as far as they end earlier by it. Nodes that are kept free for the head of the
 * queue are not told apart: it may wait for such a job to shrink again, or to end.
 */
#include "model/util/arith.h"
#include "simulation.h"

/* Does the head of the queue start as soon as the shrinks that are under way have ended? */
static bool is_coming(const struct nereus_sim *sim)
{
    return sim->first_queued != NEREUS_SIM_NONE &&
           (sim->coming_free > 0 || nereus_sim_lacking(sim) == 0);
}

static void grow_into_idle(struct nereus_sim *sim)
{
    if (sim->cluster.free == 0 || is_coming(sim))
        return;
    const int32_t count = nereus_sim_malleable(sim);
    for (int32_t i = 0; i < count && sim->cluster.free > 0; i++) {
        const struct nereus_sim_job *job = &sim->jobs[sim->scratch[i]];
        const int32_t more = (int32_t)nereus_min(sim->cluster.free, job->max - job->held);
        if (more > 0)
            nereus_sim_resize(sim, sim->scratch[i], job->held + more);
    }
}

const struct nereus_sim_policy nereus_sim_policy_grow_into_idle = {.name = "grow-into-idle",
                                                                   .pass = grow_into_idle};
