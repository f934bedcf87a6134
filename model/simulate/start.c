/** @file start.c  Starts waiting jobs, and restarts jobs that lost a node. */
#include "parts.h"
#include "survival.h"

bool nereus_sim_fits(const struct nereus_sim *sim, int32_t job_index)
{
    return sim->jobs[job_index].nodes <= sim->cluster.free;
}

void nereus_sim_launch(struct nereus_sim *sim, int32_t job_index)
{
    struct nereus_sim_job *job = &sim->jobs[job_index];
    job->since_s = sim->now_s;
    job->rate = nereus_sim_rate(sim, job, job->held);
    nereus_survival_begin(sim, job_index);
    const double pause_s = nereus_survival_restart_s(sim, job_index);
    const double wall_s =
        nereus_survival_wall_s(sim, job_index, job->run_s - job->work_s, job->rate);
    job->resizing = pause_s > 0;
    job->target = job->held;
    if (job->resizing) {
        sim->survival[job_index].restarting = true;
        sim->survival[job_index].pause_s = pause_s;
    }
    job->estimated_end_s =
        sim->now_s +
        (pause_s +
         nereus_survival_wall_s(sim, job_index, job->estimate_s - job->work_s, job->rate)) +
        nereus_sim_tail_s(sim);
    nereus_running_add(&sim->running, job_index, job->estimated_end_s);
    nereus_events_add(&sim->events, job_index,
                      sim->now_s + (job->resizing ? pause_s : wall_s + nereus_sim_tail_s(sim)));
    nereus_sim_notify_change(sim, job_index);
}

void nereus_sim_start(struct nereus_sim *sim, int32_t job_index)
{
    struct nereus_sim_job *job = &sim->jobs[job_index];
    nereus_queue_remove(sim, job_index);
    nereus_cluster_allocate(&sim->cluster, job->nodes, &job->first_node);
    job->held = job->nodes;
    if (job->start_s < 0)
        job->start_s = sim->now_s;
    nereus_sim_launch(sim, job_index);
}
