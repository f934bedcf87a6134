/**
 * @file observed.h
 * Collects the measured input of a policy: the latest sampling interval of the job's monitoring.
 */
#pragma once

#include "nereus/policy.h"
#include "src/job/job.h"

/** Times of an iteration with the present processes. */
struct policy_observed {
    double compute_s;       /**< per iteration, outside MPI; mean of the processes */
    double communication_s; /**< rest of the slowest process' iteration: in MPI, or waiting there */
    int call_count;
    struct nereus_monitored_call calls[NEREUS_MONITORED_CALLS_MAX];
};

/** Powers of the classes as measured, in elements per second outside MPI; 0: not yet. */
struct policy_powers {
    double of_class[NEREUS_NODE_CLASSES_MAX];
};

/** Rank 0: read the measurements.
 * @param t_iter_s  mean since the job last changed; counted as computation if there is no interval
 *     yet, or MPI calls are not counted
 * @param[in,out] powers  latest measured ones
 * @param[in,out] model   if the policy states no powers: those measured; a class without one has
 *     the mean of the others */
void nereus_policy_observe(const nereus_job *job, const struct nereus_policy_settings *policy,
                           double t_iter_s, struct policy_powers *powers,
                           struct nereus_computational_model *model,
                           struct policy_observed *observed);

/** Derive calls and lambda of the model (Martín et al. (2015), equations 4 and 5) from measurements
 * with this number of processes. One process shows no communication: lambda is kept for larger
 * sizes. If the model lacks a time of one of the calls, communication counts as computation.
 * @param[in,out] lambda  latest value; 0: none yet
 * @param[in,out] observed, model  without calls if there is no time of them */
void nereus_policy_add_observed(struct policy_observed *observed, int64_t processes, double *lambda,
                                struct nereus_computational_model *model);
