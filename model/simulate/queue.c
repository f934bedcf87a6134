/** @file queue.c  A doubly linked list; jobs are numbered in order of arrival. The estimated time
 * of a job does not change while it waits. */
#include "parts.h"

/* Link one job after another; NEREUS_SIM_NONE: the end of the list. */
static void link_jobs(struct nereus_sim *sim, int32_t job, int32_t next)
{
    *(job == NEREUS_SIM_NONE ? &sim->first_queued : &sim->jobs[job].next) = next;
    *(next == NEREUS_SIM_NONE ? &sim->last_queued : &sim->jobs[next].previous) = job;
}

void nereus_queue_add(struct nereus_sim *sim, int32_t job_index)
{
    int32_t previous = sim->last_queued, next = NEREUS_SIM_NONE;
    for (; previous > job_index; previous = sim->jobs[previous].previous) /* NEREUS_SIM_NONE < 0 */
        next = previous;
    link_jobs(sim, previous, job_index);
    link_jobs(sim, job_index, next);
    nereus_waiting_set(&sim->waiting, job_index, sim->jobs[job_index].nodes,
                       nereus_sim_estimate_s(sim, job_index));
}

void nereus_queue_remove(struct nereus_sim *sim, int32_t job_index)
{
    const int32_t next = sim->jobs[job_index].next;
    link_jobs(sim, sim->jobs[job_index].previous, next);
    nereus_waiting_remove(&sim->waiting, job_index);
}
