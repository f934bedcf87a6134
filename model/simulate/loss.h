/** @file loss.h  A node fails. */
#ifndef NEREUS_MODEL_SIMULATE_LOSS_H
#define NEREUS_MODEL_SIMULATE_LOSS_H

#include "simulation.h"

/** A node that no repair is under way for fails: it is no longer free, nor its job's. */
void nereus_sim_fail_node(struct nereus_sim *sim, int32_t node);

#endif
