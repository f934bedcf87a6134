/**
 * @file loss.c
 * Lets a node fail: its job loses the node and the work since its last checkpoint, and continues at
 * once on the remaining nodes, waits again, or ends.
 */

#include "parts.h"
#include "survival.h"

const char *const nereus_sim_on_failure_names[] = {[NEREUS_SIM_END] = "end",
                                                   [NEREUS_SIM_REQUEUE] = "requeue",
                                                   [NEREUS_SIM_RESTART] = "restart",
                                                   NULL};

/* Remove the node from its list.
 * @return the job that held it; NEREUS_SIM_NONE: it was free */
static int32_t remove_node(struct nereus_sim *sim, int32_t node)
{
    if (nereus_cluster_remove_free_node(&sim->cluster, node))
        return NEREUS_SIM_NONE;
    for (int32_t i = 0; i < sim->running.count; i++) {
        const int32_t job = sim->running.items[i].job;
        if (nereus_cluster_remove_held_node(&sim->cluster, node, &sim->jobs[job].first_node))
            return job;
    }
    return NEREUS_SIM_NONE;
}

/* Subtract from a resize or restart under way the part that lies after now. */
static void truncate_change(struct nereus_sim *sim, int32_t number)
{
    struct nereus_sim_job *job = &sim->jobs[number];
    struct nereus_sim_survival *s = &sim->survival[number];
    const double left_s = fmin(s->pause_s, sim->events.items[job->event].time_s - sim->now_s);
    if (s->restarting) {
        s->restart_node_s += job->held * (s->pause_s - left_s);
        return;
    }
    job->reconfiguration_s -= left_s;
    job->reconfiguration_node_s -= job->held * left_s;
    if (job->target < job->held)
        sim->coming_free -= job->held - job->target;
    nereus_survival_advance(sim, number, fmin(sim->now_s, sim->now_s + left_s - s->pause_s));
}

/* End the job's computation now, and return to the work of its last checkpoint. */
static void stop_job(struct nereus_sim *sim, int32_t number)
{
    struct nereus_sim_job *job = &sim->jobs[number];
    if (job->resizing)
        truncate_change(sim, number);
    else
        nereus_survival_advance(sim, number, sim->now_s);
    nereus_survival_lose_work(sim, number);
    nereus_events_remove(&sim->events, number);
    nereus_running_remove(&sim->running, number, job->estimated_end_s);
    job->node_s += job->held * (sim->now_s - job->since_s);
    job->since_s = sim->now_s;
    job->work_s = sim->survival[number].saved_s;
    job->resizing = sim->survival[number].restarting = false;
}

/* Count the nodes on which the job can continue at once; 0: it cannot continue. */
static int32_t count_remaining_nodes(const struct nereus_sim *sim, int32_t number)
{
    const struct nereus_sim_failures *failures = sim->settings->failures;
    const struct nereus_sim_job *job = &sim->jobs[number];
    const int32_t remaining = (int32_t)nereus_min(job->held - 1, job->target);
    return failures->on_failure == NEREUS_SIM_RESTART && failures->interval_s > 0 &&
                   job->malleable && remaining >= nereus_max(1, job->min)
               ? remaining
               : 0;
}

void nereus_sim_fail_node(struct nereus_sim *sim, int32_t node)
{
    const struct nereus_sim_failures *failures = sim->settings->failures;
    const int32_t number = remove_node(sim, node);
    sim->estimates_changed = true;
    if (number == NEREUS_SIM_NONE)
        return;
    struct nereus_sim_job *job = &sim->jobs[number];
    struct nereus_sim_survival *s = &sim->survival[number];
    stop_job(sim, number);
    s->given_up = ++s->losses > failures->restarts || failures->on_failure == NEREUS_SIM_END;
    const int32_t remaining = s->given_up ? 0 : count_remaining_nodes(sim, number);
    nereus_cluster_release(&sim->cluster, job->held - 1 - remaining, &job->first_node);
    job->held = remaining;
    if (remaining > 0) {
        nereus_sim_launch(sim, number);
        return;
    }
    sim->given_up += s->given_up;
    if (!s->given_up) {
        nereus_survival_set_nodes(sim, number, job->nodes);
        job->reserved_s = -1;
        nereus_queue_add(sim, number);
    }
    nereus_sim_notify_change(sim, number);
}
