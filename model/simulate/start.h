/** @file start.h  A job begins to compute. */
#ifndef NEREUS_MODEL_SIMULATE_START_H
#define NEREUS_MODEL_SIMULATE_START_H

#include "simulation.h"

/** A job has got its nodes: it reads its last checkpoint, if there is one, and computes. */
void nereus_sim_launch(struct nereus_sim *sim, int32_t job);

#endif
