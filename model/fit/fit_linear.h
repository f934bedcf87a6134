/**
 * @file fit_linear.h
 * Robust linear regression with coefficients >= 0, on as many terms as the rows support. Private to
 * model/.
 */
#ifndef NEREUS_FIT_LINEAR_H
#define NEREUS_FIT_LINEAR_H

#include <stdbool.h>
#include <stddef.h>

#include "nereus/status.h"

/** rows x columns features (row by row) and the measured seconds (> 0) of each row. Columns come in
 * order of priority. */
struct nereus_fit_problem {
    size_t rows, columns;
    double *x;   /**< owned */
    int *family; /**< owned; of each column (0 until set) */
    /** owned; of each column: how many of its family may be kept (SIZE_MAX until set) */
    size_t *limit;
    /** owned; of each column: kept even if below its own standard error (false until set) */
    bool *needed;
    double *y;     /**< owned */
    double *scale; /**< owned; what residuals of a row are relative to (0 until set: its y) */
    double *sigma; /**< owned; relative scatter expected of each row (1 until set: all alike) */
    /** owned; nereus_fit_log: measured seconds of rows with logarithmic residuals (0: others; until
     * set) */
    double *log_of;
};

struct nereus_fit_result {
    size_t columns, kept_count;
    bool *kept;           /**< columns with a coefficient */
    double *coefficients; /**< 0 where not kept */
    double *covariance;   /**< columns x columns */
    double *residuals;    /**< relative: (measured - fitted) / scale, by row */
    /** robust, of residual / sigma: 1.4826 median, corrected for the degrees of freedom used up */
    double log_sd;
};

enum nereus_status nereus_fit_problem_init(size_t rows, size_t columns,
                                           struct nereus_fit_problem *problem,
                                           struct nereus_error *err);
void nereus_fit_problem_fini(struct nereus_fit_problem *problem);

/**
 * Minimise the Huber loss of (fitted - y) / (scale sigma). Columns that are (nearly) combinations
 * of earlier ones, or more than there are rows or than their family may have, are left out;
 * coefficients that come out negative, or below their own standard error, are dropped, the worst
 * first, and the rest fitted again.
 * @param[out] result  to be ended with nereus_fit_result_fini; kept_count 0 where nothing could be
 *    fitted
 */
enum nereus_status nereus_fit_linear(const struct nereus_fit_problem *problem,
                                     struct nereus_fit_result *result, struct nereus_error *err);
void nereus_fit_result_fini(struct nereus_fit_result *result);

/** What a fit says for a row, in seconds. */
double nereus_fit_value_s(const struct nereus_fit_problem *problem,
                          const struct nereus_fit_result *result, size_t row);

/**
 * nereus_fit_linear with residuals log(measured / fitted) of the rows that have log_of: half a
 * value is as far off as its double. Gauss-Newton: each pass scales a row by its last fitted value
 * f and aims at f (1 + log(measured / f)).
 * @param still  stop when no log(fitted value) changes by more
 */
enum nereus_status nereus_fit_log(struct nereus_fit_problem *problem, double still,
                                  struct nereus_fit_result *result, struct nereus_error *err);

/**
 * Robust root mean square of residuals (clipped as by Huber), with degrees of freedom n - terms. At
 * least 4 % where there are hardly more rows than terms, and 0.5 % anywhere. Residuals become
 * positive and are reordered.
 */
double nereus_fit_spread(double *residuals, size_t n, size_t terms);

/** The same without clipping: outliers count. Residuals are only read. */
double nereus_fit_spread_all(const double *residuals, size_t n, size_t terms);

/** Median of n values, which are reordered; NAN of none. */
double nereus_median(double *values, size_t n);

#endif
