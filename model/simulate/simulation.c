/** @file simulation.c  The loop over events; jobs arrive, start and end. */
#include "simulation.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "model/util/text.h"
#include "model/util/try.h"
#include "resize.h"

/* --- the queue: a list through the jobs --- */

static void enqueue(struct nereus_sim *sim, int32_t job)
{
    sim->jobs[job].previous = sim->last_queued;
    sim->jobs[job].next = NEREUS_SIM_NONE;
    if (sim->last_queued == NEREUS_SIM_NONE)
        sim->first_queued = job;
    else
        sim->jobs[sim->last_queued].next = job;
    sim->last_queued = job;
}

/* The job's own link to the next one stays, so that a pass over the queue can continue. */
static void dequeue(struct nereus_sim *sim, int32_t job)
{
    const int32_t previous = sim->jobs[job].previous, next = sim->jobs[job].next;
    if (previous == NEREUS_SIM_NONE)
        sim->first_queued = next;
    else
        sim->jobs[previous].next = next;
    if (next == NEREUS_SIM_NONE)
        sim->last_queued = previous;
    else
        sim->jobs[next].previous = previous;
}

/* --- starts and ends --- */

bool nereus_sim_fits(const struct nereus_sim *sim, int32_t job)
{
    return sim->jobs[job].nodes <= sim->cluster.free;
}

void nereus_sim_start(struct nereus_sim *sim, int32_t number)
{
    struct nereus_sim_job *job = &sim->jobs[number];
    dequeue(sim, number);
    nereus_cluster_take(&sim->cluster, job->nodes, &job->first_node);
    job->held = job->nodes;
    job->start_s = job->since_s = sim->now_s;
    job->rate = 1;
    job->estimated_end_s = sim->now_s + job->estimate_s;
    nereus_running_add(&sim->running, number, job->estimated_end_s);
    nereus_events_add(&sim->events, number, sim->now_s + job->run_s);
    nereus_sim_changed(sim, number);
}

static void end(struct nereus_sim *sim, int32_t number)
{
    struct nereus_sim_job *job = &sim->jobs[number];
    job->node_s += job->held * (sim->now_s - job->since_s);
    job->work_s += job->rate * (sim->now_s - job->since_s);
    job->end_s = sim->now_s;
    nereus_running_remove(&sim->running, number, job->estimated_end_s);
    nereus_cluster_give(&sim->cluster, job->held, &job->first_node);
    job->held = 0;
    sim->estimates_changed |= job->estimated_end_s != sim->now_s;
    sim->ended++;
    nereus_sim_changed(sim, number);
}

/* --- the loop --- */

static void handle_event(struct nereus_sim *sim)
{
    const int32_t job = nereus_events_pop(&sim->events);
    if (sim->jobs[job].resizing)
        nereus_sim_resize_end(sim, job);
    else
        end(sim, job);
}

static double next_time(const struct nereus_sim *sim)
{
    const double arrival_s =
        sim->arrived < sim->job_count ? sim->jobs[sim->arrived].submit_s : INFINITY;
    const double event_s = sim->events.count > 0 ? sim->events.items[0].time_s : INFINITY;
    return fmin(arrival_s, event_s);
}

static enum nereus_status advance(struct nereus_sim *sim, struct nereus_error *err)
{
    while (sim->events.count > 0 && sim->events.items[0].time_s <= sim->now_s)
        handle_event(sim);
    while (sim->arrived < sim->job_count && sim->jobs[sim->arrived].submit_s <= sim->now_s)
        enqueue(sim, (int32_t)sim->arrived++);
    NEREUS_TRY(sim->settings->scheduler->pass(sim, err));
    if (sim->settings->policy != NULL && sim->settings->policy->pass != NULL &&
        sim->settings->prices != NULL)
        sim->settings->policy->pass(sim);
    return NEREUS_OK;
}

static enum nereus_status loop(struct nereus_sim *sim, struct nereus_error *err)
{
    while (sim->events.count > 0 || sim->arrived < sim->job_count) {
        if (sim->settings->interrupted != NULL && sim->settings->interrupted()) {
            sim->interrupted = true;
            return NEREUS_OK;
        }
        sim->now_s = next_time(sim);
        NEREUS_TRY(advance(sim, err));
    }
    if (sim->ended < sim->job_count) {
        return nereus_fail(err, NEREUS_ERR_STATE, "%" PRId64 " job%s %s never started by %s",
                           sim->job_count - sim->ended,
                           nereus_plural_s(sim->job_count - sim->ended),
                           nereus_agree(sim->job_count - sim->ended, "was", "were"),
                           sim->settings->scheduler->name);
    }
    return NEREUS_OK;
}

static enum nereus_status init(struct nereus_sim *sim, struct nereus_error *err)
{
    const int32_t nodes = sim->settings->machine.nodes;
    for (int64_t i = 0; i < sim->job_count; i++) {
        struct nereus_sim_job *job = &sim->jobs[i];
        job->first_node = NEREUS_SIM_NONE;
        job->start_s = job->end_s = job->reserved_s = -1;
    }
    NEREUS_TRY(nereus_cluster_init(nodes, &sim->cluster, err));
    NEREUS_TRY(nereus_events_init(nodes, sim->jobs, &sim->events, err));
    NEREUS_TRY(nereus_running_init(nodes, &sim->running, err));
    sim->scratch = calloc((size_t)nodes, sizeof *sim->scratch);
    NEREUS_TRY_MEMORY(sim->scratch, err, "for %d nodes", nodes);
    return NEREUS_OK;
}

enum nereus_status nereus_simulate(const struct nereus_sim_settings *settings,
                                   struct nereus_workload *workload, bool *interrupted,
                                   struct nereus_error *err)
{
    struct nereus_sim sim = {.settings = settings,
                             .jobs = workload->jobs,
                             .job_count = workload->count,
                             .first_queued = NEREUS_SIM_NONE,
                             .last_queued = NEREUS_SIM_NONE};
    enum nereus_status status = init(&sim, err);
    if (status == NEREUS_OK)
        status = loop(&sim, err);
    if (settings->scheduler->fini != NULL)
        settings->scheduler->fini(&sim);
    nereus_cluster_fini(&sim.cluster);
    nereus_events_fini(&sim.events);
    nereus_running_fini(&sim.running);
    free(sim.scratch);
    *interrupted = sim.interrupted;
    return status;
}
