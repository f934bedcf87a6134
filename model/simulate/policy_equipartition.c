/**
 * @file policy_equipartition.c
 * The policy equipartition: malleable jobs share equally the nodes that rigid jobs leave; what a
 * job at its maximum cannot take goes to the others. Jobs above the share shrink only where the
 * head of the queue lacks nodes, or where a job below the share cannot grow otherwise; jobs below
 * the share grow where no job waits.
 */
#include "simulation.h"

static int32_t clamp_share(const struct nereus_sim_job *job, int64_t share)
{
    return (int32_t)nereus_max(job->min, nereus_min(job->max, share));
}

static int64_t sum_targets(const struct nereus_sim *sim, int32_t count, int64_t share)
{
    int64_t nodes = 0;
    for (int32_t i = 0; i < count; i++)
        nodes += clamp_share(&sim->jobs[sim->scratch[i]], share);
    return nodes;
}

/* Largest share by which the `count` malleable jobs, each within its limits, need no more nodes
 * than there are: those that are free or will be, and their own, without those of the waiting
 * head. */
static int64_t compute_share(const struct nereus_sim *sim, int32_t count)
{
    int64_t nodes = sim->cluster.free + sim->coming_free;
    for (int32_t i = 0; i < count; i++)
        nodes += sim->jobs[sim->scratch[i]].held;
    if (sim->first_queued != NEREUS_SIM_NONE)
        nodes -= sim->jobs[sim->first_queued].nodes;
    int64_t low = 1, high = nereus_max(1, nodes);
    while (low < high) {
        const int64_t share = high - (high - low) / 2;
        if (sum_targets(sim, count, share) <= nodes)
            low = share;
        else
            high = share - 1;
    }
    return low;
}

/* Count the nodes to free: as many as the head lacks, if shrinks to the share can free them;
 * without a queue as many as jobs below the share lack.
 * @return below 0: nodes that jobs at the share leave, fewer than there are jobs below their
 * maximum */
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
    return nodes - sim->cluster.free - sim->coming_free;
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
        const int64_t one_more = missing < 0 && target < job->max && held <= target ? 1 : 0;
        const int64_t more = nereus_min(target + one_more - held, sim->cluster.free);
        if (held > target && missing > 0 && nereus_sim_resize(sim, number, target))
            missing -= held - target;
        else if (more > 0 && sim->first_queued == NEREUS_SIM_NONE &&
                 nereus_sim_resize(sim, number, held + (int32_t)more))
            missing += one_more;
    }
}

const struct nereus_sim_policy nereus_sim_policy_equipartition = {.name = "equipartition",
                                                                  .pass = apply_equipartition};
