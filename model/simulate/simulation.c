/** @file simulation.c  Runs the loop over the events of a simulation, in which jobs arrive and end.
 */
#include "simulation.h"

#include "parts.h"
#include "survival.h"

static void end_job(struct nereus_sim *sim, int32_t number)
{
    struct nereus_sim_job *job = &sim->jobs[number];
    nereus_survival_advance(sim, number, sim->now_s);
    job->node_s += job->held * (sim->now_s - job->since_s);
    job->work_s += job->rate * (sim->now_s - job->since_s);
    job->end_s = sim->now_s - sim->settings->latency.next_s;
    nereus_running_remove(&sim->running, number, job->estimated_end_s);
    nereus_cluster_release(&sim->cluster, job->held, &job->first_node);
    job->held = 0;
    sim->estimates_changed |= job->estimated_end_s != sim->now_s;
    sim->ended++;
    nereus_sim_notify_change(sim, number);
}

/* --- the loop --- */

static void handle_event(struct nereus_sim *sim)
{
    const int32_t job = nereus_events_pop(&sim->events);
    if (sim->jobs[job].resizing)
        nereus_sim_resize_end(sim, job);
    else
        end_job(sim, job);
}

static double find_next_arrival_s(const struct nereus_sim *sim)
{
    return sim->arrived < sim->job_count
               ? sim->jobs[sim->arrived].submit_s + sim->settings->latency.submit_s
               : INFINITY;
}

static double find_next_time_s(const struct nereus_sim *sim)
{
    const double event_s = sim->events.count > 0 ? sim->events.items[0].time_s : INFINITY;
    return fmin(fmin(find_next_arrival_s(sim), event_s),
                fmin(nereus_outages_next_s(&sim->outages), sim->next_round_s));
}

static void handle_outages(struct nereus_sim *sim)
{
    int32_t node;
    while ((node = nereus_outages_repair(&sim->outages, sim->now_s)) != NEREUS_SIM_NONE) {
        nereus_cluster_repair(&sim->cluster, node);
        sim->estimates_changed = true;
    }
    while ((node = nereus_outages_fail(&sim->outages, sim->now_s)) != NEREUS_SIM_NONE)
        nereus_sim_fail_node(sim, node);
}

static void queue_arrival(struct nereus_sim *sim, int32_t job)
{
    nereus_survival_set_nodes(sim, job, sim->jobs[job].nodes);
    nereus_queue_add(sim, job);
}

/* Is this the time of a round of the policy? Rounds follow each other after round_s, from the end
 * of the last resize of a round on. */
static bool is_round(const struct nereus_sim *sim)
{
    const double round_s = sim->settings->latency.round_s, ago_s = sim->now_s - sim->rounds_since_s;
    return !(round_s > 0) || sim->now_s >= sim->next_round_s ||
           (ago_s >= 0 && fmod(ago_s, round_s) == 0);
}

/* Let the policy act, now or, after an event between two of its rounds, in the next round. */
static void run_policy(struct nereus_sim *sim)
{
    const struct nereus_sim_policy *policy = sim->settings->policy;
    const double round_s = sim->settings->latency.round_s;
    if (policy == NULL || policy->pass == NULL || sim->settings->prices == NULL)
        return;
    if (is_round(sim)) {
        sim->next_round_s = INFINITY;
        sim->ask_s = sim->now_s;
        policy->pass(sim);
        sim->rounds_since_s = sim->ask_s;
    } else if (isinf(sim->next_round_s)) {
        const double ago_s = nereus_max_real(0, sim->now_s - sim->rounds_since_s);
        sim->next_round_s = sim->rounds_since_s + (floor(ago_s / round_s) + 1) * round_s;
    }
}

static enum nereus_status handle_present(struct nereus_sim *sim, struct nereus_error *err)
{
    while (sim->events.count > 0 && sim->events.items[0].time_s <= sim->now_s)
        handle_event(sim);
    handle_outages(sim);
    while (find_next_arrival_s(sim) <= sim->now_s)
        queue_arrival(sim, (int32_t)sim->arrived++);
    NEREUS_TRY(sim->settings->scheduler->pass(sim, err));
    run_policy(sim);
    return sim->error.status == NEREUS_OK
               ? NEREUS_OK
               : nereus_fail(err, sim->error.status, "%s", sim->error.text);
}

/* The simulation ends after this many failures and repairs in a row with no running job: nodes then
 * fail so often that the waiting jobs never start. Such jobs have no start time. */
static const int64_t idle_outages_max = 100000;

static bool is_unfinished(struct nereus_sim *sim)
{
    if (sim->events.count > 0 || sim->arrived < sim->job_count) {
        sim->idle_outages = 0;
        return true;
    }
    return sim->ended + sim->given_up < sim->job_count &&
           nereus_outages_next_s(&sim->outages) < INFINITY &&
           sim->idle_outages++ < idle_outages_max;
}

static enum nereus_status run_events(struct nereus_sim *sim, struct nereus_error *err)
{
    while (is_unfinished(sim)) {
        if (sim->settings->interrupted != NULL && sim->settings->interrupted()) {
            sim->interrupted = true;
            return NEREUS_OK;
        }
        sim->now_s = find_next_time_s(sim);
        NEREUS_TRY(handle_present(sim, err));
    }
    const int64_t never = sim->job_count - sim->ended - sim->given_up;
    if (never > 0 && sim->idle_outages <= idle_outages_max) {
        return nereus_fail(err, NEREUS_ERR_STATE, "%lld job%s %s never started by %s",
                           (long long)never, nereus_plural_s(never),
                           nereus_choose_plural(never, "was", "were"),
                           sim->settings->scheduler->name);
    }
    return NEREUS_OK;
}

/* Allocate the state of failures; nothing where no node can fail. */
static enum nereus_status init_failures(struct nereus_sim *sim, struct nereus_workload *workload,
                                        struct nereus_error *err)
{
    const struct nereus_sim_failures *failures = sim->settings->failures;
    if (failures == NULL)
        return NEREUS_OK;
    free(workload->survival);
    workload->survival = calloc((size_t)workload->count + 1, sizeof *workload->survival);
    NEREUS_TRY_MEMORY(workload->survival, err, "for failures of nodes");
    sim->survival = workload->survival;
    return nereus_outages_init(failures, sim->settings->machine.nodes,
                               workload->count > 0 ? workload->jobs[0].submit_s : 0, &sim->outages,
                               err);
}

static enum nereus_status init_simulation(struct nereus_sim *sim, struct nereus_error *err)
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
    NEREUS_TRY(nereus_waiting_init(sim->job_count, &sim->waiting, err));
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
                             .last_queued = NEREUS_SIM_NONE,
                             .next_round_s = INFINITY,
                             .rounds_since_s = workload->count > 0 ? workload->jobs[0].submit_s : 0,
                             .error = {.status = NEREUS_OK}};
    enum nereus_status status = init_simulation(&sim, err);
    if (status == NEREUS_OK)
        status = init_failures(&sim, workload, err);
    if (status == NEREUS_OK)
        status = run_events(&sim, err);
    nereus_outages_finish(&sim.outages, sim.now_s);
    workload->failures = sim.outages.failures;
    workload->down_node_s = sim.outages.down_node_s;
    nereus_outages_fini(&sim.outages);
    nereus_availability_fini(&sim.availability);
    nereus_cluster_fini(&sim.cluster);
    nereus_events_fini(&sim.events);
    nereus_running_fini(&sim.running);
    nereus_waiting_fini(&sim.waiting);
    free(sim.scratch);
    *interrupted = sim.interrupted;
    return status;
}
