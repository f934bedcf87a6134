/** @file policy_none.c  Nobody is resized. */
#include "simulation.h"

const struct nereus_policy nereus_policy_none = {.name = "none", .help = "nobody is resized"};
