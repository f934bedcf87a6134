/**
 * @file judgement.h
 * Judges predictions by single measurements, for nereus validate: coverage of the 90 % intervals,
 * errors, and for each figure the noise floor, which no predictor can beat.
 *
 * An observation is RT or T_ex of a job, the time of one of its steps, or It, omega or CT of an
 * asynchronous one; observations of the same pair and method make a cell. Steps of asynchronous
 * methods are not observations, because the model prices their RT as a whole.
 *
 * The noise floor is a predictor that knows the median of the cell's other repeats: its errors are
 * the scatter of the repeats, and its intervals are the model's intervals scaled to that median.
 */
#pragma once

#include "comparison.h"

/** Relative errors of a predictor, |predicted - measured| / measured; NAN: no observation. */
struct nereus_error_statistics {
    double median, p90;
    double coverage; /**< share of observations inside the 90 % intervals; NAN: no interval */
};

enum nereus_judgement_cores {
    NEREUS_JUDGED_WITHIN,
    NEREUS_JUDGED_OVERSUBSCRIBED,
    NEREUS_JUDGED_ALL
};

struct nereus_judgement_row {
    enum nereus_judgement_cores cores; /**< which cells */
    const char *quantity; /**< "RT", "median RT" (one per cell), "T_ex", "step" or "overlap" */
    char name[NEREUS_METHOD_TEXT_MAX]; /**< "all", a method, a step kind, "waits", "It", "omega" or
                                          "CT" */
    int cells, observations;
    int with_interval, inside_count;
    /** 90 % interval of the share (nereus_binomial_interval) */
    double coverage_low, coverage_high;
    double ratio; /**< median of measured / predicted */
    struct nereus_error_statistics model,
        floor; /**< floor: only cells with at least three observations */
    int floor_observations;
};

struct nereus_judgement {
    struct nereus_judgement_row *rows; /**< owned */
    int count;
};

/**
 * @param[out] judgement  to be freed with nereus_judgement_fini
 * @return NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_judgement_make(const struct nereus_comparison *comparisons, int count,
                                         struct nereus_judgement *judgement,
                                         struct nereus_error *err);
void nereus_judgement_fini(struct nereus_judgement *judgement);

struct nereus_summary {
    int wanted_count, measured_count; /**< reconfigurations (a pair by a method) */
    int failed_count; /**< without a measured RT, as a job failed; the budget ended before the rest
                       */
    int inside_count; /**< reconfigurations whose median RT lies in the predicted interval */
    int oversubscribed;
    double median_factor; /**< median of max(ratio, 1 / ratio) over the RTs; NAN: no RT */
    double worst_factor;
    const struct nereus_comparison *worst_comparison; /**< NULL: no RT */
};

/** Count what was measured, and find the worst prediction.
 * @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_summary_make(const struct nereus_comparison *comparisons, int count,
                                       struct nereus_summary *summary, struct nereus_error *err);
