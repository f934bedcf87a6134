/** @file start.c  Starts waiting jobs, and restarts jobs that lost a node. */
#include "parts.h"
#include "survival.h"

bool nereus_sim_fits(const struct nereus_sim *sim, int32_t job)
{
    return sim->jobs[job].nodes <= sim->cluster.free;
}

void nereus_sim_launch(struct nereus_sim *sim, int32_t number)
{
    struct nereus_sim_job *job = &sim->jobs[number];
    job->since_s = sim->now_s;
    job->rate = nereus_sim_rate(sim, job, job->held);
    nereus_survival_begin(sim, number);
    const double pause_s = nereus_survival_restart_s(sim, number);
    const double wall_s = nereus_survival_wall_s(sim, number, job->run_s - job->work_s, job->rate);
    job->resizing = pause_s > 0;
    job->target = job->held;
    if (job->resizing) {
        sim->survival[number].restarting = true;
        sim->survival[number].pause_s = pause_s;
    }
    job->estimated_end_s =
        sim->now_s +
        (pause_s + nereus_survival_wall_s(sim, number, job->estimate_s - job->work_s, job->rate)) +
        nereus_sim_tail_s(sim);
    nereus_running_add(&sim->running, number, job->estimated_end_s);
    nereus_events_add(&sim->events, number,
                      sim->now_s + (job->resizing ? pause_s : wall_s + nereus_sim_tail_s(sim)));
    nereus_sim_notify_change(sim, number);
}

void nereus_sim_start(struct nereus_sim *sim, int32_t number)
{
    struct nereus_sim_job *job = &sim->jobs[number];
    nereus_queue_remove(sim, number);
    nereus_cluster_allocate(&sim->cluster, job->nodes, &job->first_node);
    job->held = job->nodes;
    if (job->start_s < 0)
        job->start_s = sim->now_s;
    nereus_sim_launch(sim, number);
}
