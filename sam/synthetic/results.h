/**
 * @file results.h
 * Collects the results of each group, and writes them. No MPI here.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "config.h"

/** How a group was reached. */
enum sam_outcome {
    SAM_START = 0, /**< the first group: started by the launcher */
    SAM_RESIZED,
    SAM_UNCHANGED, /**< it has the size of the previous group */
    SAM_FAILED,
    SAM_OUTCOME_COUNT
};
/** The name of an outcome in the results. */
const char *sam_outcome_name(int64_t outcome);

/** One group. Plain data: it is redistributed as bytes. Times in seconds. */
struct sam_record {
    int64_t iterations; /**< carried out */
    int64_t processes;  /**< processes that executed the iterations */
    int64_t nodes;      /**< hosts on which they ran */
    int64_t oversubscribed;
    int64_t outcome; /**< enum sam_outcome */
    double mean_s, median_s, min_s,
        max_s;                  /**< time of an iteration, which is that of its slowest process */
    double begun_at_s;          /**< time of day of the beginning; of the job's first group only */
    double point_mean_s;        /**< mean time of a point without a reconfiguration, on rank 0 */
    double reconfiguration_s;   /**< as the application sees it: from rank 0's entry into the point
                                   until the last process continues */
    int64_t overlap_iterations; /**< It: iterations overlapped with the reconfiguration, on the old
                                   processes */
    double overlap_mean_s;      /**< mean time of such an iteration with its point, on rank 0 */
    int64_t wrong_constant,
        first_wrong_constant; /**< wrong elements after the reconfiguration, and the first index */
    int64_t wrong_variable, first_wrong_variable;
    char reason[192]; /**< why it was refused or failed */
};

/** Input of the functions that write the results. */
struct sam_results {
    const char *file; /**< name of the configuration file */
    const struct sam_config *config;
    const struct sam_record *records; /**< config->group_count */
    double t_op_s[2]; /**< indexed by enum sam_stage_type: SAM_PI, SAM_MATRIX; 0: not used */
    bool t_op_of_profile;
    /** config->group_count, from the trace; NAN where it has none; NULL: no trace */
    const double *rt_s;
};

/**
 * Reduce the times of the processes to that of the iteration, as Capture_Method says.
 * @param[in,out] times  is sorted; count > 0
 */
double sam_capture_time(enum sam_capture method, double *times, int64_t count);

/**
 * Compute mean, median, least and greatest of the iterations' times.
 * @param[in,out] times  is sorted; count > 0
 */
void sam_record_times(struct sam_record *record, double *times, int64_t count);

/** Number of groups that were not reached, and of wrong elements over all groups. */
int64_t sam_results_count_not_resized(const struct sam_results *results);
int64_t sam_results_count_wrong(const struct sam_results *results);

/**
 * omega: an overlapped iteration over one of the previous group, both with their points; NAN: none.
 */
double sam_results_omega(const struct sam_results *results, int64_t group);

/**
 * T_ex: measured iterations, points and reconfigurations, without the time of statistics and
 * checks.
 */
double sam_results_t_ex_s(const struct sam_results *results);

/** Print a text table. */
void sam_results_print(const struct sam_results *results, FILE *stream);

/** The same content as JSON. */
enum nereus_status sam_results_print_json(const struct sam_results *results, FILE *stream,
                                          struct nereus_error *err);

/** Write JSON to a file, which is replaced as a whole or not at all. */
enum nereus_status sam_results_write(const struct sam_results *results, const char *path,
                                     struct nereus_error *err);

/** Check before the run that a file can be created there. */
enum nereus_status sam_results_check_path(const char *path, struct nereus_error *err);
