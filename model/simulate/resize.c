/**
 * @file resize.c
 * Resizes malleable jobs.
 *
 * Work is counted in seconds on the nodes requested; on n nodes it is done at the rate T(requested)
 * / T(n), by Amdahl's law. A resize begins at the end of an iteration and takes the predicted time,
 * during which no work is done. From the request on the job holds the larger number of nodes.
 */

#include "nereus/resize_price.h"
#include "parts.h"
#include "survival.h"

/* Predicted effect of a resize. */
struct effect {
    double work_s;         /* work done when the resize begins */
    double begin_s, end_s; /* begin and end of the resize */
    double freed_s;        /* when nodes that are given back can be used; else end_s */
    double rate;           /* rate of the work afterwards */
    struct nereus_resize_price price;
};

/* Work at the next malleability point: at the end of the present iteration, or now, at its begin.
 */
static double find_next_point(const struct nereus_sim_job *job, double work_s)
{
    const double iterations = work_s / job->t_iter_s;
    return ceil(iterations - 1e-9) * job->t_iter_s;
}

static bool predict_effect(struct nereus_sim *sim, int32_t number, int32_t nodes,
                           struct effect *effect)
{
    const struct nereus_sim_job *job = &sim->jobs[number];
    const double done_s = nereus_survival_done_s(sim, number);
    const double latency_s = nodes > job->held ? sim->settings->latency.submit_s : 0;
    const double then_s = done_s + (sim->ask_s + latency_s - sim->now_s) * job->rate;
    effect->work_s = nereus_max_real(find_next_point(job, then_s), then_s);
    if (job->resizes > 0 && !(effect->work_s > job->work_s))
        effect->work_s = job->work_s + job->t_iter_s; /* only one change at a malleability point */
    if (!(effect->work_s < job->run_s))
        return false;
    effect->begin_s =
        sim->now_s + nereus_survival_wall_s(sim, number, effect->work_s - done_s, job->rate);
    effect->rate = nereus_sim_rate(sim, job, nodes);
    const struct nereus_resize_question question = {.ns = nereus_sim_processes(sim, job, job->held),
                                                    .nt = nereus_sim_processes(sim, job, nodes),
                                                    .bytes = job->bytes_per_process *
                                                             (double)job->processors,
                                                    .t_iter_ns_s = job->t_iter_s / job->rate,
                                                    .t_iter_nt_s = job->t_iter_s / effect->rate};
    if (!nereus_resize_prices_find(sim->settings->prices, &question, &effect->price))
        return false;
    effect->end_s = effect->begin_s + effect->price.rt_s;
    effect->freed_s = effect->end_s + (nodes < job->held ? sim->settings->latency.next_s : 0);
    const double left_s = job->run_s - effect->work_s;
    return nodes < job->held || effect->price.rt_s + left_s / effect->rate < left_s / job->rate;
}

static void add_cost(struct nereus_sim_job *job, const struct effect *effect, int32_t max)
{
    job->resizes++;
    job->reconfiguration_s += effect->price.rt_s;
    job->reconfiguration_node_s += max * effect->price.rt_s;
}

bool nereus_sim_resize(struct nereus_sim *sim, int32_t job_index, int32_t nodes)
{
    struct nereus_sim_job *job = &sim->jobs[job_index];
    struct effect effect;
    nereus_survival_advance(sim, job_index, sim->now_s);
    if (nodes == job->held || !predict_effect(sim, job_index, nodes, &effect))
        return false;
    nereus_resize_prices_count(sim->settings->prices, &effect.price);
    job->node_s += job->held * (sim->now_s - job->since_s);
    if (nodes > job->held) {
        nereus_cluster_allocate(&sim->cluster, nodes - job->held, &job->first_node);
        job->held = nodes;
    } else {
        sim->coming_free += job->held - nodes;
    }
    add_cost(job, &effect, job->held);
    if (sim->survival != NULL)
        sim->survival[job_index].pause_s = effect.freed_s - effect.begin_s;
    job->resizing = true;
    job->target = nodes;
    job->work_s = effect.work_s;
    job->since_s = sim->now_s;
    job->rate = effect.rate;
    nereus_events_move(&sim->events, job_index, effect.freed_s);
    nereus_running_remove(&sim->running, job_index, job->estimated_end_s);
    job->estimated_end_s =
        effect.end_s + (job->estimate_s - effect.work_s) / effect.rate + nereus_sim_tail_s(sim);
    nereus_running_add(&sim->running, job_index, job->estimated_end_s);
    sim->estimates_changed = true;
    nereus_sim_notify_change(sim, job_index);
    return true;
}

/* Count the work before the resize or restart that ends now, and the time of a restart. */
static void finish_pause(struct nereus_sim *sim, int32_t number)
{
    struct nereus_sim_survival *s = &sim->survival[number];
    if (s->restarting)
        s->restart_node_s += sim->jobs[number].held * s->pause_s;
    else
        nereus_survival_advance(sim, number, sim->now_s - s->pause_s);
    s->restarting = false;
}

/* Estimate the end again, with the checkpoints on the present nodes. */
static void update_estimated_end(struct nereus_sim *sim, int32_t number)
{
    struct nereus_sim_job *job = &sim->jobs[number];
    nereus_running_remove(&sim->running, number, job->estimated_end_s);
    job->estimated_end_s =
        sim->now_s + nereus_survival_wall_s(sim, number, job->estimate_s - job->work_s, job->rate) +
        nereus_sim_tail_s(sim);
    nereus_running_add(&sim->running, number, job->estimated_end_s);
    sim->estimates_changed = true;
}

void nereus_sim_resize_end(struct nereus_sim *sim, int32_t job_index)
{
    struct nereus_sim_job *job = &sim->jobs[job_index];
    if (sim->survival != NULL)
        finish_pause(sim, job_index);
    job->node_s += job->held * (sim->now_s - job->since_s);
    if (job->target < job->held) { /* it has computed until its nodes were free */
        job->work_s = fmin(job->run_s, job->work_s + job->rate * sim->settings->latency.next_s);
        sim->coming_free -= job->held - job->target;
        nereus_cluster_release(&sim->cluster, job->held - job->target, &job->first_node);
    }
    job->held = job->target;
    job->resizing = false;
    job->since_s = sim->now_s;
    nereus_survival_begin(sim, job_index);
    nereus_events_add(
        &sim->events, job_index,
        sim->now_s + nereus_survival_wall_s(sim, job_index, job->run_s - job->work_s, job->rate) +
            nereus_sim_tail_s(sim));
    if (sim->survival != NULL)
        update_estimated_end(sim, job_index);
    nereus_sim_notify_change(sim, job_index);
}

int32_t nereus_sim_list_malleable(struct nereus_sim *sim)
{
    int32_t count = 0;
    for (int32_t i = sim->running.count - 1; i >= 0; i--) {
        const int32_t job = sim->running.items[i].job;
        if (sim->jobs[job].malleable && !sim->jobs[job].resizing)
            sim->scratch[count++] = job;
    }
    return count;
}

int32_t nereus_sim_count_missing(const struct nereus_sim *sim)
{
    if (sim->first_queued == NEREUS_SIM_NONE)
        return 0;
    return (int32_t)nereus_max(0, (int64_t)sim->jobs[sim->first_queued].nodes - sim->cluster.free -
                                      sim->coming_free);
}

void nereus_sim_notify_change(struct nereus_sim *sim, int32_t job_index)
{
    if (sim->settings->on_change != NULL)
        sim->settings->on_change(sim->settings->user, sim, job_index);
}
