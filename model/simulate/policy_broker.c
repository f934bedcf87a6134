/**
 * @file policy_broker.c
 * The policy broker: as `nereus slurm broker` decides (nereus/broker.h). A job keeps the nodes that
 * it has asked for, and jobs are resized one after the other.
 */

#include "nereus/broker.h"
#include "simulation.h"
#include "survival.h"

static double predict_price_s(void *user, int64_t index, int64_t ns, int64_t nt)
{
    struct nereus_sim *sim = user;
    const struct nereus_sim_job *job = &sim->jobs[sim->scratch[index]];
    const int64_t cores = sim->settings->machine.cores_per_node;
    const int32_t from = (int32_t)nereus_divide_up(ns, cores),
                  to = (int32_t)nereus_divide_up(nt, cores);
    struct nereus_resize_price price;
    const struct nereus_resize_question question = {
        .ns = ns,
        .nt = nt,
        .bytes = job->bytes_per_process * (double)job->processors,
        .t_iter_ns_s = job->t_iter_s / nereus_sim_rate(sim, job, from),
        .t_iter_nt_s = job->t_iter_s / nereus_sim_rate(sim, job, to)};
    return nereus_resize_prices_find(sim->settings->prices, &question, &price) ? price.rt_s : 0;
}

static struct nereus_broker_job describe_job(struct nereus_sim *sim, int32_t number)
{
    const struct nereus_sim_job *job = &sim->jobs[number];
    const int64_t cores = sim->settings->machine.cores_per_node;
    nereus_survival_advance(sim, number, sim->now_s);
    return (struct nereus_broker_job){
        .processes = nereus_sim_processes(sim, job, job->held),
        .nodes = job->held,
        .kept_nodes = job->nodes,
        .cores_per_node = cores,
        .sizes = {.minimum = job->min * cores, .maximum = job->max * cores},
        .left_s = (job->run_s - nereus_survival_done_s(sim, number)) / job->rate};
}

/* Nodes that the waiting jobs need, up to the first that does not fit into the free nodes. */
static int64_t count_awaited_nodes(const struct nereus_sim *sim)
{
    int64_t nodes = 0;
    for (int32_t job = sim->first_queued; job != NEREUS_SIM_NONE && nodes <= sim->cluster.free;
         job = sim->jobs[job].next)
        nodes += sim->jobs[job].nodes;
    return nodes;
}

/* Resize jobs, those that shrink first.
 * @param direction  -1: shrink, 1: expand */
static void resize_jobs(struct nereus_sim *sim, const struct nereus_broker_action *actions,
                        int64_t count, int direction)
{
    for (int64_t i = 0; i < count; i++) {
        const int32_t job = sim->scratch[actions[i].job];
        if ((actions[i].to_nodes - actions[i].from_nodes) * direction > 0 &&
            nereus_sim_resize(sim, job, (int32_t)actions[i].to_nodes))
            sim->ask_s = sim->events.items[sim->jobs[job].event].time_s;
    }
}

static void apply_broker(struct nereus_sim *sim)
{
    const int32_t count = nereus_sim_list_malleable(sim);
    struct nereus_broker_job *jobs = calloc((size_t)count + 1, sizeof *jobs);
    struct nereus_broker_action *actions = calloc((size_t)count + 1, sizeof *actions);
    const int64_t awaited = count_awaited_nodes(sim);
    const struct nereus_broker_state state = {.idle_nodes = sim->cluster.free,
                                              .waiting_nodes = &awaited,
                                              .waiting_count = 1,
                                              .jobs = jobs,
                                              .job_count = count,
                                              .horizon_s = NEREUS_BROKER_HORIZON_S,
                                              .price = predict_price_s,
                                              .user = sim};
    int64_t decided = 0;
    if (jobs == NULL || actions == NULL)
        nereus_fail(&sim->error, NEREUS_ERR_MEMORY, "no memory for %d jobs", count);
    for (int32_t i = 0; i < count && jobs != NULL; i++)
        jobs[i] = describe_job(sim, sim->scratch[i]);
    if (sim->error.status == NEREUS_OK)
        nereus_broker_decide(&state, actions, &decided, &sim->error);
    resize_jobs(sim, actions, decided, -1);
    resize_jobs(sim, actions, decided, 1);
    free(jobs);
    free(actions);
}

const struct nereus_sim_policy nereus_sim_policy_broker = {.name = "broker", .pass = apply_broker};
