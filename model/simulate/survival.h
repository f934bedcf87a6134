/**
 * @file survival.h
 * The work of a job over time where nodes can fail: computing for an interval, then a checkpoint,
 * in turn. Without failures (sim->survival is NULL) a job computes all the time.
 */
#ifndef NEREUS_MODEL_SIMULATE_SURVIVAL_H
#define NEREUS_MODEL_SIMULATE_SURVIVAL_H

#include "simulation.h"

/** Prices and interval of checkpoints for a job on so many nodes. */
void nereus_survival_set_nodes(struct nereus_sim *sim, int32_t job, int32_t nodes);

/** Begin to compute now, from the work and at the rate of the job. */
void nereus_survival_begin(struct nereus_sim *sim, int32_t job);

/** Count what the job has computed and written until a time. */
void nereus_survival_advance(struct nereus_sim *sim, int32_t job, double until_s);

/** Work done until now; after nereus_survival_advance until now, where nodes can fail. */
double nereus_survival_done_s(const struct nereus_sim *sim, int32_t job);

/** How long so much more work takes at a rate, with the checkpoints before its end. */
double nereus_survival_wall_s(const struct nereus_sim *sim, int32_t job, double work_s,
                              double rate);

/** The time to start anew and read the last checkpoint; 0: there is none. */
double nereus_survival_restart_s(const struct nereus_sim *sim, int32_t job);

/** The work since the last checkpoint is lost. */
void nereus_survival_lose(struct nereus_sim *sim, int32_t job);

#endif
