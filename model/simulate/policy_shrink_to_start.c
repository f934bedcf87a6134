/**
 * @file policy_shrink_to_start.c
 * The policy shrink-to-start: malleable jobs shrink if together they free enough nodes for the head
 * of the queue to start. Jobs that would run longest shrink first, because the others end soon.
 */
#include "simulation.h"

static void shrink_to_start(struct nereus_sim *sim)
{
    int32_t lacking = nereus_sim_count_missing(sim);
    int64_t spare = 0;
    const int32_t count = lacking > 0 ? nereus_sim_list_malleable(sim) : 0;
    for (int32_t i = 0; i < count; i++) {
        const struct nereus_sim_job *job = &sim->jobs[sim->scratch[i]];
        spare += nereus_max(0, job->held - job->min);
    }
    for (int32_t i = 0; i < count && lacking > 0 && spare >= lacking; i++) {
        const struct nereus_sim_job *job = &sim->jobs[sim->scratch[i]];
        const int32_t gives = (int32_t)nereus_min(lacking, nereus_max(0, job->held - job->min));
        if (gives > 0 && nereus_sim_resize(sim, sim->scratch[i], job->held - gives))
            lacking -= gives;
    }
}

const struct nereus_sim_policy nereus_sim_policy_shrink_to_start = {.name = "shrink-to-start",
                                                                    .pass = shrink_to_start};
