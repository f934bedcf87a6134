/** @file queue.h  Waiting jobs in order of arrival: a list through the jobs. */
#ifndef NEREUS_MODEL_SIMULATE_QUEUE_H
#define NEREUS_MODEL_SIMULATE_QUEUE_H

#include "simulation.h"

/** A job arrives, or waits again: at its old place. */
void nereus_queue_add(struct nereus_sim *sim, int32_t job);
/** The job's own link to the next one stays, so that a pass over the queue can continue. */
void nereus_queue_remove(struct nereus_sim *sim, int32_t job);

#endif
