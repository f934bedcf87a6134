/**
 * @file schedule_conservative.c
 * The scheduler conservative (backfilling, Mu'alem and Feitelson (2001)): a job may overtake others
 * if it delays none of them, by estimated ends.
 *
 * In order of the queue, each job gets a reservation: the earliest time at which enough nodes are
 * free for its estimated time beside the running jobs and the jobs before it. Reservations are made
 * again, in the same order, only when an estimated end has changed (a job ends early), because
 * otherwise they would be the same.
 */

#include "simulation.h"

static enum nereus_status reserve_start(struct nereus_sim *sim, int32_t number,
                                        struct nereus_error *err)
{
    struct nereus_sim_job *job = &sim->jobs[number];
    const double estimate_s = nereus_sim_estimate_s(sim, number);
    job->reserved_s = nereus_availability_find(&sim->availability, job->nodes, estimate_s);
    return nereus_availability_reserve(&sim->availability, job->reserved_s,
                                       job->reserved_s + estimate_s, job->nodes, err);
}

/* Remove all reservations: only running jobs and repairs take nodes. */
static enum nereus_status reset_reservations(struct nereus_sim *sim, struct nereus_error *err)
{
    NEREUS_TRY(nereus_availability_reset(&sim->availability, sim->now_s, sim->cluster.nodes, err));
    for (int32_t i = 0; i < sim->running.count; i++) {
        const struct nereus_running_job *item = &sim->running.items[i];
        NEREUS_TRY(nereus_availability_reserve(&sim->availability, sim->now_s, item->end_s,
                                               sim->jobs[item->job].held, err));
    }
    for (int32_t i = 0; i < sim->outages.down_count; i++) {
        NEREUS_TRY(nereus_availability_reserve(&sim->availability, sim->now_s,
                                               sim->outages.down[i].end_s, 1, err));
    }
    for (int32_t job = sim->first_queued; job != NEREUS_SIM_NONE; job = sim->jobs[job].next)
        sim->jobs[job].reserved_s = -1;
    sim->estimates_changed = false;
    return NEREUS_OK;
}

static enum nereus_status schedule_conservative(struct nereus_sim *sim, struct nereus_error *err)
{
    if (sim->availability.count == 0 || sim->estimates_changed)
        NEREUS_TRY(reset_reservations(sim, err));
    else
        nereus_availability_advance(&sim->availability, sim->now_s);
    for (int32_t job = sim->first_queued, next; job != NEREUS_SIM_NONE; job = next) {
        next = sim->jobs[job].next;
        if (sim->jobs[job].reserved_s < 0)
            NEREUS_TRY(reserve_start(sim, job, err));
        if (sim->jobs[job].reserved_s > sim->now_s)
            continue;
        if (nereus_sim_fits(sim, job))
            nereus_sim_start(sim, job);
        else
            sim->estimates_changed = true; /* a job of 0 s still has to end at this time */
    }
    return NEREUS_OK;
}

const struct nereus_sim_scheduler nereus_sim_schedule_conservative = {
    .name = "conservative", .pass = schedule_conservative};
