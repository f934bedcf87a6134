/**
 * @file comparison.h
 * Compares predicted and measured times of one reconfiguration by one method, step by step and in
 * total, for nereus validate.
 */
#pragma once

#include "model/trace/trace.h"
#include "nereus/predict.h"

/** One row of a comparison. */
struct nereus_comparison_row {
    const char *what;                  /**< name of the row, for output */
    int number;                        /**< number of the step, from 1; 0: not a step */
    enum nereus_step_kind step;        /**< of a step */
    struct nereus_interval prediction; /**< NAN: not predicted */
    /** Source of the prediction: "fitted", "prior", ...; for RT "measured", "modelled", ... */
    const char *source;
    double *measured_s; /**< one per repeat; owned */
    int count;
    /** NAN: no repeat; unattributed: median RT minus the medians of the steps */
    double median_s;
};

/** Figures of a reconfiguration: IT, OMEGA and CT of asynchronous ones, T_EX of any. */
enum nereus_figure {
    NEREUS_FIGURE_IT,
    NEREUS_FIGURE_OMEGA,
    NEREUS_FIGURE_CT,
    NEREUS_FIGURE_T_EX,
    NEREUS_FIGURE_COUNT
};

/** Measured values of one job; NAN: unknown, or not applicable. */
struct nereus_live_run {
    double rt_s;
    /** iterations and time that overlapped with the reconfiguration */
    double iterations, ct_s;
    double t_iter_ns_s, t_iter_nt_s; /**< iteration times before and after */
};

struct nereus_comparison {
    int64_t ns, nt;
    struct nereus_method method;
    struct nereus_comparison_row *rows; /**< owned; the steps of the plan, then the rows below */
    int row_count;
    int step_count;
    /** Rows of the sums: waits of the traces; time that a trace gives to no step and no wait
     * ("not-attributed"); unattributed time (docs/architecture.md; NULL: not predicted); RT. */
    struct nereus_comparison_row *waits, *trace_gaps, *unattributed, *rt;
    struct nereus_comparison_row figures[NEREUS_FIGURE_COUNT]; /**< It and omega have no unit */
    bool is_overlapped;
    struct nereus_live_run
        *runs;   /**< owned; `successful_jobs` of them, in the order in which the jobs ran */
    int repeats; /**< capacity of each row */
    int successful_jobs;      /**< successful jobs */
    bool oversubscribed;      /**< processes at the same time exceed the cores */
    bool pair_oversubscribed; /**< the larger of NS and NT exceeds the cores */
    bool held_out;            /**< predicted without any measurement of this pair */
    bool predicted;           /**< `prediction` is set */
    struct nereus_prediction prediction;
    /** as the question has them */
    double t_iter_ns_s, t_iter_nt_s, iterations_before, iterations_after;
    double iterations; /**< predicted It; NAN: synchronous method */
    char failure[512]; /**< why a job failed; "": none did */
};

void nereus_comparison_fini(struct nereus_comparison *comparison);

/** Add the measured times of one reconfiguration of a trace. Steps are matched by their number in
 * the plan, or, if that step is of another kind, by kind and order.
 * @return NEREUS_ERR_MISMATCH: the trace has another reconfiguration */
enum nereus_status nereus_comparison_add(struct nereus_comparison *comparison,
                                         const struct nereus_trace *trace, int64_t number,
                                         struct nereus_error *err);

/** @return T_ex of a run by equation 7, from its RT and It and the question's iteration times */
double nereus_comparison_t_ex_s(const struct nereus_comparison *comparison,
                                const struct nereus_live_run *run);

/** Compute T_ex of all runs again, after the iteration times of the question have changed. */
void nereus_comparison_recompute_t_ex(struct nereus_comparison *comparison);

/** @return mean of the measured values; NAN: none */
double nereus_comparison_row_mean(const struct nereus_comparison_row *row);

/** @return measured / predicted; NAN: one is missing, or the prediction is 0 */
double nereus_comparison_row_ratio(const struct nereus_comparison_row *row);
/** Does the median lie in the predicted interval? */
bool nereus_comparison_row_is_inside(const struct nereus_comparison_row *row);
