/**
 * @file regression.h
 * Solves the regression that all parts of the fit use: seconds = base + sum of coefficient x
 * feature, robust, on logarithmic residuals, with a prior for each coefficient. Private to model/.
 */
#pragma once

#include "model/util/base.h"

/** Log-normal prior of a coefficient, which is > 0. */
struct nereus_prior {
    double value;  /**< median: seconds per unit of the feature, or a ratio (`ratio_to`) */
    double log_sd; /**< standard deviation of the logarithm */
    /** 1 + column whose coefficient `value` is a ratio to; 0: `value` is no ratio */
    int ratio_to;
};

/** Prior of the scatter of a group of rows. */
struct nereus_prior_scatter {
    double log_sd;             /**< log-sd of a row with sigma 1 */
    double degrees_of_freedom; /**< number of rows that the prior counts as; > 0 */
    /** outliers count in the scatter (never in the coefficients), as the time has two modes */
    bool outliers;
};

enum { NEREUS_REGRESSION_GROUPS_MAX = 32 };

/** A problem and its result. Rows of one group have one scatter. */
struct nereus_regression {
    size_t rows, columns;
    double *storage;             /**< owned: the arrays of doubles below */
    double *x;                   /**< rows x columns, row by row; 0 until set */
    double *time_s;              /**< measured, > 0 */
    double *base_s;              /**< part of a row that is known; 0 until set */
    double *sigma;               /**< scatter relative to others of the group; 1 until set */
    double *weight;              /**< how many observations a row counts as; 1 until set */
    int *group;                  /**< owned; 0 until set */
    struct nereus_prior *priors; /**< owned; by column */
    struct nereus_prior_scatter prior_scatter[NEREUS_REGRESSION_GROUPS_MAX];

    double *logs, *previous, *shares, *gradient, *step; /**< temporaries of a pass, by column */

    double *coefficients; /**< result, by column */
    double *covariance;   /**< result: of the coefficients' logarithms, columns x columns */
    double *residuals;    /**< result: log(measured / fitted), by row */
    double log_sd[NEREUS_REGRESSION_GROUPS_MAX]; /**< result: scatter of the group's rows */
    double degrees_of_freedom
        [NEREUS_REGRESSION_GROUPS_MAX]; /**< result: degrees of freedom of log_sd */
};

/** Allocate for this many rows and columns; `rows` may be lowered afterwards. Free with
 * nereus_regression_fini, also after an error. */
enum nereus_status nereus_regression_init(size_t rows, size_t columns,
                                          struct nereus_regression *regression,
                                          struct nereus_error *err);
void nereus_regression_fini(struct nereus_regression *regression);

/** Fit the coefficients. Without rows they are the medians of their priors. */
enum nereus_status nereus_regression_fit(struct nereus_regression *regression,
                                         struct nereus_error *err);

/** @return the fitted value of a row, in seconds */
double nereus_regression_value_s(const struct nereus_regression *regression, size_t row);
