/** @file policy_both.c  The policy both: jobs shrink for the head of the queue, and grow into free
 * nodes. */
#include "simulation.h"

extern const struct nereus_sim_policy nereus_sim_policy_shrink_to_start,
    nereus_sim_policy_grow_into_idle;

static void apply_both(struct nereus_sim *sim)
{
    nereus_sim_policy_shrink_to_start.pass(sim);
    nereus_sim_policy_grow_into_idle.pass(sim);
}

const struct nereus_sim_policy nereus_sim_policy_both = {.name = "both", .pass = apply_both};
