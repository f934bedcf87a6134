/**
 * @file results.h
 * Reads the results of a synthetic application as events (JSON Lines; docs/formats.md): iterations,
 * their stages, changes of size, and the trace of the runtime in the same file.
 */
#ifndef NEREUS_RESULTS_H
#define NEREUS_RESULTS_H

#include "trace.h"

struct nereus_result_iteration {
    int64_t group, iteration, processes, nodes;
    double start_s, time_s;
    bool overlapped;
};

struct nereus_result_stage {
    int64_t group, iteration, stage;
    char kind[24];
    double time_s;
};

/** A change of size as the application saw it. */
struct nereus_result_change {
    int64_t reconfiguration, ns, nt, nodes;
    char method[NEREUS_METHOD_TEXT_MAX], outcome[24], sentence[256];
    double start_s, time_s, constant_bytes, variable_bytes;
    double iterations, overlap_mean_s; /**< beside it; NAN: none */
    bool oversubscribed;
};

/** One job. */
struct nereus_results {
    const char *path; /**< the caller's */
    char configuration[256];
    int64_t constant_bytes, variable_bytes;     /**< registered; -1: not said */
    struct nereus_result_iteration *iterations; /**< owned, as all */
    int64_t iteration_count;
    struct nereus_result_stage *stages;
    int64_t stage_count;
    struct nereus_result_change *changes;
    int64_t change_count;
    struct nereus_trace trace; /**< without events if it was written to another file */
};

/**
 * @param[in]  path     kept: must outlive the results
 * @param[out] results  to be freed with nereus_results_fini, on NEREUS_OK
 * @return NEREUS_ERR_PARSE with file, line and key; also for a file that holds no results
 */
enum nereus_status nereus_results_read(const char *path, struct nereus_results *results,
                                       struct nereus_error *err);
void nereus_results_fini(struct nereus_results *results);

/** The change with this number; NULL: none. */
const struct nereus_result_change *nereus_results_change(const struct nereus_results *results,
                                                         int64_t reconfiguration);

/** Median time of the iterations of a group, without those beside a change; NAN: none. */
double nereus_results_t_iter_s(const struct nereus_results *results, int64_t group);

/**
 * Rows of samples for a fit: each reconfiguration that was carried out, behind its steps.
 * @param[in]  machine  of the job
 * @param[out] rows     to be freed with nereus_samples_fini
 */
enum nereus_status nereus_results_samples(const struct nereus_results *results, const char *cluster,
                                          const struct nereus_machine *machine,
                                          struct nereus_samples *rows, struct nereus_error *err);

#endif
