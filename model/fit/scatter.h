/**
 * @file scatter.h
 * Computes the robust scatter of residuals, for the parts of the fit. Private to model/.
 */
#pragma once

#include "model/util/base.h"

/** Huber's k (95 % efficiency on normal residuals, Holland and Welsch (1977)), and the mean of
 * min(z, k)^2 for normal z, which is the share of the variance that clipping leaves. */
#define NEREUS_HUBER_K     1.345
#define NEREUS_HUBER_SHARE 0.7102

/** Robust root mean square of residuals (clipped as by Huber), with n - terms degrees of freedom.
 * The result is at least 4 % where there are hardly more rows than terms, and at least 0.5 %
 * anywhere.
 * @param residuals  log(measured / fitted), as a profile's log-sds are of logarithms; they become
 *                   positive and are reordered */
double nereus_fit_log_sd(double *residuals, size_t n, size_t terms);
