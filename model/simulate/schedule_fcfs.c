/** @file schedule_fcfs.c  The scheduler fcfs (first come, first served): no job overtakes the head
 * of the queue. */
#include "simulation.h"

static enum nereus_status schedule_fcfs(struct nereus_sim *sim, struct nereus_error *err)
{
    (void)err;
    while (sim->first_queued != NEREUS_SIM_NONE && nereus_sim_fits(sim, sim->first_queued))
        nereus_sim_start(sim, sim->first_queued);
    return NEREUS_OK;
}

const struct nereus_sim_scheduler nereus_sim_schedule_fcfs = {.name = "fcfs",
                                                              .pass = schedule_fcfs};
