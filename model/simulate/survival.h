/**
 * @file survival.h
 * The work of a job over time where nodes can fail: it computes for an interval, writes a
 * checkpoint, and so on. Without failures (sim->survival is NULL) a job computes all the time.
 */
#pragma once

#include "simulation.h"

/** Set prices and interval of checkpoints for a job on `nodes` nodes. */
void nereus_survival_set_nodes(struct nereus_sim *sim, int32_t job_index, int32_t nodes);

/** Begin to compute now, from the job's work and at its rate. */
void nereus_survival_begin(struct nereus_sim *sim, int32_t job_index);

/** Count the computing and writing of the job until a time. */
void nereus_survival_advance(struct nereus_sim *sim, int32_t job_index, double until_s);

/** @return work done until now; where nodes can fail, call nereus_survival_advance before */
double nereus_survival_done_s(const struct nereus_sim *sim, int32_t job_index);

/** @return time that work_s more work takes at a rate, with the checkpoints in between */
double nereus_survival_wall_s(const struct nereus_sim *sim, int32_t job_index, double work_s,
                              double rate);

/** @return time to start again and read the last checkpoint; 0: there is none */
double nereus_survival_restart_s(const struct nereus_sim *sim, int32_t job_index);

/** Lose the work since the last checkpoint. */
void nereus_survival_lose_work(struct nereus_sim *sim, int32_t job_index);
