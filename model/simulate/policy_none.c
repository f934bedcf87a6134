/** @file policy_none.c  Nobody is resized. */
#include "simulation.h"

const struct nereus_sim_policy nereus_sim_policy_none = {.name = "none",
                                                         .help = "nobody is resized"};
