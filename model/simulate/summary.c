/** @file summary.c  Sums up a simulation over its jobs: waits, slowdowns, node-seconds. */

#include "model/util/base.h"
#include "nereus/simulate.h"

static const double slowdown_run_min_s = 10; /* Feitelson (2001): bounded slowdown */
static const double hour_s = 3600;

static bool has_ended(const struct nereus_sim_job *job)
{
    return job->end_s >= 0;
}

/* @param node_s  node-seconds of jobs, resize_node_s of them in resizes; all_node_s: all nodes */
static double compute_energy_kwh(const struct nereus_node_power *power, double node_s,
                                 double resize_node_s, double all_node_s)
{
    return (power->busy_w * (node_s - resize_node_s) + power->resize_w * resize_node_s +
            power->idle_w * fmax(0, all_node_s - node_s)) /
           3.6e6;
}

/* Add a job and its node-seconds. */
static void add_losses(const struct nereus_sim_job *job, const struct nereus_sim_survival *s,
                       struct nereus_sim_losses *out)
{
    const double node_h = job->node_s / hour_s;
    out->losses += s->losses;
    if (!has_ended(job)) {
        out->unfinished++;
        out->unfinished_h += node_h;
        return;
    }
    const double redone_h = s->redone_node_s / hour_s, checkpoint_h = s->checkpoint_node_s / hour_s,
                 restart_h = s->restart_node_s / hour_s;
    out->redone_h += redone_h;
    out->checkpoint_h += checkpoint_h;
    out->restart_h += restart_h;
    out->useful_h +=
        node_h - redone_h - checkpoint_h - restart_h - job->reconfiguration_node_s / hour_s;
}

void nereus_sim_summarise(const struct nereus_workload *workload, int32_t nodes,
                          const struct nereus_node_power *power, struct nereus_sim_summary *summary)
{
    double last_s = 0, node_s = 0;
    *summary = (struct nereus_sim_summary){.energy_kwh = NAN};
    for (int64_t i = 0; i < workload->count; i++) {
        const struct nereus_sim_job *job = &workload->jobs[i];
        if (workload->survival != NULL) {
            add_losses(job, &workload->survival[i], &summary->losses);
            node_s += has_ended(job) ? 0 : job->node_s;
            last_s = workload->survival[i].given_up ? fmax(last_s, job->since_s) : last_s;
        }
        if (!has_ended(job))
            continue;
        const double turnaround_s = job->end_s - job->submit_s, run_s = job->end_s - job->start_s;
        summary->jobs++;
        summary->malleable += job->malleable;
        summary->resizes += job->resizes;
        summary->mean_wait_s += job->start_s - job->submit_s;
        summary->mean_turnaround_s += turnaround_s;
        summary->mean_bounded_slowdown += fmax(1, turnaround_s / fmax(run_s, slowdown_run_min_s));
        summary->reconfiguration_node_hours += job->reconfiguration_node_s / hour_s;
        node_s += job->node_s;
        last_s = fmax(last_s, job->end_s);
    }
    if (workload->count > 0)
        summary->makespan_s = fmax(0, last_s - workload->jobs[0].submit_s);
    summary->losses.failures = workload->failures;
    summary->losses.down_h = workload->down_node_s / hour_s;
    summary->losses.all_h = summary->makespan_s * nodes / hour_s;
    if (summary->losses.all_h > 0)
        summary->losses.useful_share = summary->losses.useful_h / summary->losses.all_h;
    if (summary->makespan_s > 0)
        summary->utilisation = node_s / (summary->makespan_s * nodes);
    if (summary->jobs > 0) {
        summary->mean_wait_s /= (double)summary->jobs;
        summary->mean_turnaround_s /= (double)summary->jobs;
        summary->mean_bounded_slowdown /= (double)summary->jobs;
    }
    if (power != NULL)
        summary->energy_kwh =
            compute_energy_kwh(power, node_s, summary->reconfiguration_node_hours * hour_s,
                               summary->makespan_s * nodes - workload->down_node_s);
}
