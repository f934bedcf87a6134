/**
 * @file scatter.h
 * Medians, and the robust scatter of residuals. Private to model/.
 */
#ifndef NEREUS_MODEL_FIT_SCATTER_H
#define NEREUS_MODEL_FIT_SCATTER_H

#include <stddef.h>

/* Huber's k (95 % efficiency on normal residuals, Holland and Welsch 1977), and the mean of
 * min(z, k)^2 of normal z: what clipping leaves of the variance. */
#define NEREUS_HUBER_K     1.345
#define NEREUS_HUBER_SHARE 0.7102

/**
 * Robust root mean square of residuals (clipped as by Huber), with degrees of freedom n - terms. At
 * min 4 % where there are hardly more rows than terms, and 0.5 % anywhere. Residuals become
 * positive and are reordered.
 */
double nereus_fit_log_sd(double *residuals, size_t n, size_t terms);

/** Median of n values, which are reordered; NAN of none. */
double nereus_median(double *values, size_t n);

#endif
