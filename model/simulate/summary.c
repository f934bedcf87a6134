/** @file summary.c  Sums over jobs. */
#include <math.h>

#include "nereus/simulate.h"

static const double slowdown_run_least_s = 10; /* Feitelson (2001): bounded slowdown */

static bool has_ended(const struct nereus_sim_job *job)
{
    return job->end_s >= 0;
}

static double energy_kwh(const struct nereus_sim_power *power, double node_s, double all_node_s)
{
    return (power->busy_w * node_s + power->idle_w * fmax(0, all_node_s - node_s)) / 3.6e6;
}

void nereus_sim_summarise(const struct nereus_workload *workload, int32_t nodes,
                          const struct nereus_sim_power *power, struct nereus_sim_summary *out)
{
    double last_s = 0, node_s = 0;
    *out = (struct nereus_sim_summary){.energy_kwh = NAN};
    for (int64_t i = 0; i < workload->count; i++) {
        const struct nereus_sim_job *job = &workload->jobs[i];
        if (!has_ended(job))
            continue;
        const double turnaround_s = job->end_s - job->submit_s, run_s = job->end_s - job->start_s;
        out->jobs++;
        out->malleable += job->malleable;
        out->resizes += job->resizes;
        out->mean_wait_s += job->start_s - job->submit_s;
        out->mean_turnaround_s += turnaround_s;
        out->mean_bounded_slowdown += fmax(1, turnaround_s / fmax(run_s, slowdown_run_least_s));
        out->reconfiguration_node_hours += job->reconfiguration_node_s / 3600;
        node_s += job->node_s;
        last_s = fmax(last_s, job->end_s);
    }
    if (out->jobs > 0) {
        out->makespan_s = last_s - workload->jobs[0].submit_s;
        out->mean_wait_s /= (double)out->jobs;
        out->mean_turnaround_s /= (double)out->jobs;
        out->mean_bounded_slowdown /= (double)out->jobs;
        out->utilisation = out->makespan_s > 0 ? node_s / (out->makespan_s * nodes) : 0;
    }
    if (power != NULL)
        out->energy_kwh = energy_kwh(power, node_s, out->makespan_s * nodes);
}
