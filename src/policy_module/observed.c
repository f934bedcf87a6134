/**
 * @file observed.c
 * Derives from monitoring the computation of an iteration, the powers of classes that state none,
 * and, from the counts of calls and bytes, the collectives that the computational model knows.
 */
#include "observed.h"

#include "nodes.h"
#include "src/monitor/monitor.h"
#include "src/start/hosts.h"

/* Collectives of the computational model, by kind of MPI call. */
static const struct {
    enum nereus_mpi_kind kind;
    enum nereus_collective collective;
} modelled[] = {{NEREUS_MPI_BARRIER, NEREUS_COLLECTIVE_BARRIER},
                {NEREUS_MPI_BCAST, NEREUS_COLLECTIVE_BCAST},
                {NEREUS_MPI_REDUCE, NEREUS_COLLECTIVE_REDUCE},
                {NEREUS_MPI_ALLREDUCE, NEREUS_COLLECTIVE_ALLREDUCE},
                {NEREUS_MPI_GATHER, NEREUS_COLLECTIVE_GATHERV},
                {NEREUS_MPI_ALLGATHER, NEREUS_COLLECTIVE_ALLGATHER},
                {NEREUS_MPI_ALLTOALL, NEREUS_COLLECTIVE_ALLTOALL}};

/* Bytes of one call as computational_model.h defines them: monitoring counts for an alltoall the
 * bytes that one process sends. */
static double count_bytes_of_call(const struct nereus_mpi_use *use,
                                  enum nereus_collective collective, int64_t processes)
{
    const double bytes = (double)use->bytes / (double)use->calls;
    return collective == NEREUS_COLLECTIVE_ALLTOALL ? bytes * (double)processes : bytes;
}

static void find_calls(const nereus_job *job, const struct nereus_metrics *metrics,
                       struct policy_observed *observed)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(modelled); i++) {
        const struct nereus_mpi_use *use = &metrics->mpi[modelled[i].kind];
        if (use->calls > 0)
            observed->calls[observed->call_count++] = (struct nereus_monitored_call){
                .collective = modelled[i].collective,
                .bytes = count_bytes_of_call(use, modelled[i].collective, job->size),
                .per_iteration = (double)use->calls / (double)metrics->iterations};
    }
}

/* Sums over the processes of a class. */
struct class_sums {
    double outside_s, elements;
};

static double count_own_elements(const nereus_job *job, int rank)
{
    double elements = 0;
    for (int64_t i = 0; i < job->registry.space_count; i++)
        if (job->registry.spaces[i].parent == 0)
            elements +=
                (double)nereus_partition_range(&job->registry.spaces[i].partition, rank).count;
    return elements;
}

static void measure_powers(const struct class_sums *sums, struct policy_powers *powers,
                           struct nereus_computational_model *model)
{
    double sum = 0;
    int known = 0;
    for (int k = 0; k < model->class_count; k++) {
        if (sums[k].elements > 0 && sums[k].outside_s > 0)
            powers->of_class[k] = sums[k].elements / sums[k].outside_s;
        sum += powers->of_class[k];
        known += powers->of_class[k] > 0;
    }
    for (int k = 0; k < model->class_count && known > 0; k++)
        model->classes[k].power = powers->of_class[k] > 0 ? powers->of_class[k] : sum / known;
}

void nereus_policy_observe(const nereus_job *job, const struct nereus_policy_settings *policy,
                           double t_iter_s, struct policy_powers *powers,
                           struct nereus_computational_model *model,
                           struct policy_observed *observed)
{
    struct nereus_metrics metrics = NEREUS_METRICS_INIT;
    struct class_sums sums[NEREUS_NODE_CLASSES_MAX] = {{0}};
    double longest_s = 0, outside_s = 0;
    *observed = (struct policy_observed){.compute_s = t_iter_s};
    for (int rank = job->size - 1; rank >= 0; rank--) {
        if (nereus_monitor_metrics(job, rank, &metrics) != NEREUS_OK || isnan(metrics.mpi_s))
            return;
        const double iterations = (double)metrics.iterations;
        const int k = nereus_policy_nodes_class(job, policy, nereus_node_of_rank(job, rank));
        longest_s = fmax(longest_s, metrics.real_s / iterations);
        const double own_s = fmax(0, metrics.real_s - metrics.mpi_s) / iterations;
        outside_s += own_s;
        if (k < 0)
            continue;
        sums[k].outside_s += own_s;
        sums[k].elements += count_own_elements(job, rank);
    }
    if (!policy->has_powers)
        measure_powers(sums, powers, model);
    observed->compute_s = outside_s / job->size;
    observed->communication_s = fmax(0, longest_s - observed->compute_s);
    find_calls(job, &metrics, observed);
}

/* Modelled time of the collectives, without lambda; NAN: the model lacks one of them. */
static double compute_modelled_s(const struct nereus_computational_model *model, int64_t processes)
{
    const struct nereus_allocation held = {{processes}};
    struct nereus_interval_time time;
    return nereus_computational_model_check(model, NULL) == NEREUS_OK &&
                   nereus_interval_time_compute(model, 0, 1, &held, &time, NULL) == NEREUS_OK
               ? time.communication_s
               : NAN;
}

void nereus_policy_add_observed(struct policy_observed *observed, int64_t processes, double *lambda,
                                struct nereus_computational_model *model)
{
    model->communication_factor = 1;
    model->call_count = observed->call_count;
    memcpy(model->calls, observed->calls, sizeof observed->calls);
    const double model_s = compute_modelled_s(model, processes);
    if (isnan(model_s) || (processes > 1 && !(model_s > 0))) {
        model->call_count = 0;
        observed->compute_s += observed->communication_s;
    } else if (processes > 1) {
        nereus_communication_correct(model, model_s, observed->communication_s);
        *lambda = model->communication_factor;
    } else if (*lambda > 0) {
        model->communication_factor = *lambda;
    }
}
