/** @file resize.h  Between the loop and the resizes of malleable jobs. */
#ifndef NEREUS_MODEL_SIMULATE_RESIZE_H
#define NEREUS_MODEL_SIMULATE_RESIZE_H

#include "simulation.h"

/** The event of a job that is being resized, or restarts: it computes on its nodes from now on. */
void nereus_sim_resize_end(struct nereus_sim *sim, int32_t job);

/** Tell the observer that the nodes of a job have changed. */
void nereus_sim_changed(struct nereus_sim *sim, int32_t job);

#endif
