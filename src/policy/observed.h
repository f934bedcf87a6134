/* What a policy takes as measured: the latest sampling interval of the job's monitoring. Private to
 * src/. */
#ifndef NEREUS_SRC_POLICY_OBSERVED_H
#define NEREUS_SRC_POLICY_OBSERVED_H

#include "nereus/computational_model.h"
#include "src/job/job.h"

struct policy_observed {
    double compute_s; /* of an iteration, outside MPI; mean of the processes */
    double
        communication_s; /* the rest of the slowest process' iteration: in MPI, or waiting there */
    int call_count;
    struct nereus_call_seen calls[NEREUS_CALLS_SEEN_MAX];
};

/* Rank 0.
 * @param t_iter_s  mean since the job last changed: all of it counts as computation where no
 *                  interval has come yet, or MPI calls are not counted */
void nereus_policy_observe(const nereus_job *job, double t_iter_s,
                           struct policy_observed *observed);

/*
 * Calls and lambda of the model (flex-mpi, equations 4 and 5) as observed on so many processes. One
 * process alone shows no communication: lambda stays what it was, as on more processes it would be
 * that again. Where the model has no time of one of the calls, what communication took counts as
 * computation.
 * @param[in,out] lambda  as last observed; 0: not yet
 * @param[in,out] observed, model  without calls where there is no time of them
 */
void nereus_policy_add_observed(struct policy_observed *observed, int64_t processes, double *lambda,
                                struct nereus_computational_model *model);

#endif
