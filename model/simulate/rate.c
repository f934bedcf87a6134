/** @file rate.c  Computes the processes and the speed of a job on a number of nodes. */
#include "nereus/scaling.h"
#include "simulation.h"

int64_t nereus_sim_processes(const struct nereus_sim *sim, const struct nereus_sim_job *job,
                             int32_t nodes)
{
    return nodes == job->nodes ? job->processors
                               : (int64_t)nodes * sim->settings->machine.cores_per_node;
}

double nereus_sim_rate(const struct nereus_sim *sim, const struct nereus_sim_job *job,
                       int32_t nodes)
{
    const struct nereus_scaling law = {.law = NEREUS_SCALING_AMDAHL, .serial = job->serial};
    double t_s;
    if (nodes == job->nodes ||
        nereus_scaling_apply(&law, job->processors, 1, nereus_sim_processes(sim, job, nodes), &t_s,
                             NULL) != NEREUS_OK)
        return 1;
    return 1 / t_s;
}
