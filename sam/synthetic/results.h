/**
 * @file results.h
 * What was measured, group by group, and how it is written. No MPI here.
 */
#ifndef SAM_RESULTS_H
#define SAM_RESULTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "config.h"

/** How a group came about. */
enum sam_outcome {
    SAM_START = 0, /**< the first group: started by the launcher */
    SAM_RESIZED,
    SAM_UNCHANGED, /**< it has the size of the group before */
    SAM_REFUSED,   /**< it goes on with the processes of the group before; so with failed */
    SAM_FAILED,
    SAM_OUTCOME_COUNT
};
const char *sam_outcome_name(int64_t outcome);

/** One group. Plain data: it travels through reconfigurations as bytes. Times in seconds. */
struct sam_record {
    int64_t iterations; /**< carried out */
    int64_t processes;  /**< that carried them out */
    int64_t oversubscribed;
    int64_t outcome; /**< enum sam_outcome */
    double mean_s, median_s, least_s,
        most_s;               /**< of an iteration; each iteration counts with its slowest process */
    double point_mean_s;      /**< of a malleability point without a reconfiguration, on rank 0 */
    double reconfiguration_s; /**< as the application sees it: rank 0 enters the point .. the last process
                                 goes on */
    int64_t
        overlap_iterations; /**< It: that went on beside the reconfiguration, with the processes of before */
    double overlap_mean_s;  /**< of one of them with its point, on rank 0 */
    int64_t wrong_constant,
        first_wrong_constant; /**< elements, and the first index; found after the reconfiguration */
    int64_t wrong_variable, first_wrong_variable;
    char reason[192]; /**< why it was refused or failed */
};

/** Everything that is written at the end. */
struct sam_results {
    const char *file; /**< the configuration's */
    const struct sam_config *config;
    const struct sam_record *records; /**< config->group_count */
    double t_op_s[2];                 /**< by enum sam_stage_type: SAM_PI, SAM_MATRIX; 0: not used */
    const double *rt_s; /**< config->group_count, from the trace; NAN where it has none; NULL: no trace */
};

/** Mean, median, least and greatest of the slowest processes' times. @param[in,out] times  gets sorted; count
 * > 0 */
void sam_record_times(struct sam_record *record, double *times, int64_t count);

/** Groups that were not reached as configured; elements that were wrong, all together. */
int64_t sam_results_not_resized(const struct sam_results *results);
int64_t sam_results_wrong(const struct sam_results *results);

/** omega: an iteration beside the reconfiguration into a group, over one of the group before, both with their points; NAN where there is none. */
double sam_results_omega(const struct sam_results *results, int64_t group);

/**
 * T_ex: iterations, points and reconfigurations, as they were measured. What the application only does for its results
 * (statistics, checks) is not in it.
 */
double sam_results_t_ex_s(const struct sam_results *results);

/** A table for people. */
void sam_results_print(const struct sam_results *results, FILE *stream);

/** The same content as JSON. */
enum nereus_status sam_results_print_json(const struct sam_results *results, FILE *stream,
                                          struct nereus_error *err);

/** As JSON to a file, which is replaced as a whole or not at all. */
enum nereus_status sam_results_write(const struct sam_results *results, const char *path,
                                     struct nereus_error *err);

/** Can a file be made there? To be asked before hours of computing. */
enum nereus_status sam_results_check_path(const char *path, struct nereus_error *err);

#endif
