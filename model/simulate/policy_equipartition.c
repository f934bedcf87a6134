/**
 * @file policy_equipartition.c
 * The policy equipartition: malleable jobs share equally the nodes that rigid jobs leave, each
 * within its limits. Jobs above the share shrink only where the head of the queue lacks nodes, or
 * where a job below the share cannot grow otherwise; jobs below the share grow where no job waits.
 */
#include "simulation.h"

static int32_t clamp_share(const struct nereus_sim_job *job, int64_t share)
{
    return (int32_t)nereus_max(job->min, nereus_min(job->max, share));
}

/* Equal share: (free nodes + nodes of the `count` malleable jobs - nodes for the waiting head) /
 * `count`. */
static int64_t compute_share(const struct nereus_sim *sim, int32_t count)
{
    int64_t nodes = sim->cluster.free + sim->coming_free;
    for (int32_t i = 0; i < count; i++)
        nodes += sim->jobs[sim->scratch[i]].held;
    if (sim->first_queued != NEREUS_SIM_NONE)
        nodes -= sim->jobs[sim->first_queued].nodes;
    return nereus_max(1, nodes / count);
}

/* Count the nodes to free: as many as the head lacks, if shrinks to the share can free them;
 * without a queue as many as jobs below the share lack. */
static int64_t count_missing_nodes(const struct nereus_sim *sim, int32_t count, int64_t share)
{
    int64_t nodes = 0, spare = 0;
    for (int32_t i = 0; i < count; i++) {
        const struct nereus_sim_job *job = &sim->jobs[sim->scratch[i]];
        nodes += nereus_max(0, clamp_share(job, share) - job->held);
        spare += nereus_max(0, job->held - clamp_share(job, share));
    }
    if (sim->first_queued != NEREUS_SIM_NONE) {
        const int64_t lacking = nereus_sim_count_missing(sim);
        return spare >= lacking ? lacking : 0;
    }
    return nereus_max(0, nodes - sim->cluster.free - sim->coming_free);
}

static void apply_equipartition(struct nereus_sim *sim)
{
    const int32_t count = nereus_sim_list_malleable(sim);
    const int64_t share = count > 0 ? compute_share(sim, count) : 0;
    int64_t missing = count > 0 ? count_missing_nodes(sim, count, share) : 0;
    for (int32_t i = 0; i < count; i++) {
        const int32_t number = sim->scratch[i];
        const struct nereus_sim_job *job = &sim->jobs[number];
        const int32_t target = clamp_share(job, share), held = job->held;
        const int64_t more = nereus_min(target - held, sim->cluster.free);
        if (held > target && missing > 0 && nereus_sim_resize(sim, number, target))
            missing -= held - target;
        else if (more > 0 && sim->first_queued == NEREUS_SIM_NONE)
            nereus_sim_resize(sim, number, held + (int32_t)more);
    }
}

const struct nereus_sim_policy nereus_sim_policy_equipartition = {.name = "equipartition",
                                                                  .pass = apply_equipartition};
