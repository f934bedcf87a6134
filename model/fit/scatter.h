/**
 * @file scatter.h
 * Medians, and the robust scatter of residuals. Private to model/.
 */
#ifndef NEREUS_SCATTER_H
#define NEREUS_SCATTER_H

#include <stddef.h>

/**
 * Robust root mean square of residuals (clipped as by Huber), with degrees of freedom n - terms. At
 * least 4 % where there are hardly more rows than terms, and 0.5 % anywhere. Residuals become
 * positive and are reordered.
 */
double nereus_fit_log_sd(double *residuals, size_t n, size_t terms);

/** Median of n values, which are reordered; NAN of none. */
double nereus_median(double *values, size_t n);

#endif
