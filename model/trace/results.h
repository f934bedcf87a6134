/**
 * @file results.h
 * Reads the results of a synthetic application (JSON Lines; docs/formats.md): iterations, stages,
 * changes of size, and a trace in the same file; and makes samples of them.
 */
#pragma once

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

/** A change of size, as the application measured it. */
struct nereus_result_change {
    int64_t reconfiguration, ns, nt, nodes;
    char method[NEREUS_METHOD_TEXT_MAX], outcome[24], sentence[256];
    double start_s, time_s, constant_bytes, variable_bytes;
    /** number and mean time of the iterations that overlap the change; NAN: none */
    double iterations, overlap_mean_s;
    bool oversubscribed;
};

struct nereus_results {
    const char *path;
    char configuration[256];
    int64_t constant_bytes, variable_bytes;     /**< registered; -1: unknown */
    struct nereus_result_iteration *iterations; /**< owned, as all lists */
    int64_t iteration_count;
    struct nereus_result_stage *stages;
    int64_t stage_count;
    struct nereus_result_change *changes;
    int64_t change_count;
    struct nereus_trace trace; /**< empty if the trace is in another file */
};

/** @param path  must outlive the results.
 * @return NEREUS_ERR_PARSE with file, line and key; also if the file has no results */
enum nereus_status nereus_results_read(const char *path, struct nereus_results *results,
                                       struct nereus_error *err);
void nereus_results_fini(struct nereus_results *results);

/** @return the change with this number; NULL: none */
const struct nereus_result_change *nereus_results_change(const struct nereus_results *results,
                                                         int64_t reconfiguration);

/** @return median of the iterations that overlap no change; NAN: none */
double nereus_results_t_iter_s(const struct nereus_results *results, int64_t group);

/** Make samples for a fit: each reconfiguration that was carried out, after its steps.
 * @param machine  machine of the job */
enum nereus_status nereus_results_samples(const struct nereus_results *results, const char *cluster,
                                          const struct nereus_machine *machine,
                                          struct nereus_samples *rows, struct nereus_error *err);
