/**
 * @file policy_grow_into_idle.c
 * The policy grow-into-idle: malleable jobs grow into nodes that the scheduler leaves free, the
 * jobs that would run longest first, and only if they then end earlier. Nodes that are kept free
 * for the head of the queue are used, too: the head may then wait until such a job shrinks again,
 * or ends.
 */
#include "simulation.h"

/* Will the head of the queue start when the shrinks that are under way have ended? */
static bool is_head_about_to_start(const struct nereus_sim *sim)
{
    return sim->first_queued != NEREUS_SIM_NONE &&
           (sim->coming_free > 0 || nereus_sim_count_missing(sim) == 0);
}

static void grow_into_idle(struct nereus_sim *sim)
{
    if (sim->cluster.free == 0 || is_head_about_to_start(sim))
        return;
    const int32_t count = nereus_sim_list_malleable(sim);
    for (int32_t i = 0; i < count && sim->cluster.free > 0; i++) {
        const struct nereus_sim_job *job = &sim->jobs[sim->scratch[i]];
        const int32_t more = (int32_t)nereus_min(sim->cluster.free, job->max - job->held);
        if (more > 0)
            nereus_sim_resize(sim, sim->scratch[i], job->held + more);
    }
}

const struct nereus_sim_policy nereus_sim_policy_grow_into_idle = {.name = "grow-into-idle",
                                                                   .pass = grow_into_idle};
