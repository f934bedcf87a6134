/**
 * @file schedule_easy.c
 * The scheduler easy (EASY backfilling, Lifka (1995), Mu'alem and Feitelson (2001)): a job may
 * overtake others if it does not delay the head of the queue, by estimated ends.
 *
 * The head starts if it fits. Otherwise its shadow time is the estimated end of a job or repair at
 * which enough nodes become free, and the extra nodes are those that the head leaves free then. In
 * order of the queue, each job is backfilled that fits and is estimated to end by the shadow time,
 * or needs no more than the extra nodes.
 */

#include "simulation.h"

/* When the head can start, and the nodes that it leaves free then. */
struct shadow {
    double time_s;
    int32_t extra;
};

static struct shadow find_shadow(const struct nereus_sim *sim, int32_t head)
{
    struct shadow shadow = {INFINITY, 0};
    const struct nereus_outage *down = sim->outages.down;
    int32_t free = sim->cluster.free;
    for (int32_t i = 0, d = 0; i < sim->running.count || d < sim->outages.down_count;) {
        const struct nereus_running_job *item =
            i < sim->running.count ? &sim->running.items[i] : NULL;
        const bool repair =
            item == NULL || (d < sim->outages.down_count && down[d].end_s < item->end_s);
        const double end_s = repair ? down[d++].end_s : item->end_s;
        if (end_s > shadow.time_s)
            break;
        free += repair ? 1 : sim->jobs[item->job].held;
        i += !repair;
        if (free >= sim->jobs[head].nodes && shadow.time_s == INFINITY)
            shadow.time_s = end_s;
    }
    shadow.extra = free - sim->jobs[head].nodes;
    return shadow;
}

static void backfill_queue(struct nereus_sim *sim, struct shadow shadow)
{
    struct nereus_waiting_limits limits = {
        .extra = shadow.extra, .now_s = sim->now_s, .until_s = shadow.time_s};
    int32_t job = sim->first_queued;
    while (limits.free = sim->cluster.free,
           (job = nereus_waiting_find(&sim->waiting, job + 1, &limits)) != NEREUS_SIM_NONE) {
        if (sim->now_s + nereus_sim_estimate_s(sim, job) > shadow.time_s)
            limits.extra -= sim->jobs[job].nodes;
        nereus_sim_start(sim, job);
    }
}

static enum nereus_status schedule_easy(struct nereus_sim *sim, struct nereus_error *err)
{
    (void)err;
    while (sim->first_queued != NEREUS_SIM_NONE && nereus_sim_fits(sim, sim->first_queued))
        nereus_sim_start(sim, sim->first_queued);
    if (sim->first_queued != NEREUS_SIM_NONE && sim->cluster.free > 0 &&
        sim->first_queued != sim->last_queued)
        backfill_queue(sim, find_shadow(sim, sim->first_queued));
    return NEREUS_OK;
}

const struct nereus_sim_scheduler nereus_sim_schedule_easy = {.name = "easy",
                                                              .pass = schedule_easy};
