/**
 * @file statistics.h
 * Order statistics of a few measurements with the interval of a median, and the range of a share
 * that was counted. Pure functions, thread-safe.
 */
#ifndef NEREUS_STATISTICS_H
#define NEREUS_STATISTICS_H

#include <stdint.h>

/** Ascending, in place. */
void nereus_sort(double *values, int count);

/**
 * The value below which a share of the values lies, between neighbours in proportion.
 * @param sorted  ascending @param share  0 to 1; 0.5: the median @return NAN without any
 */
double nereus_quantile(const double *sorted, int count, double share);

/**
 * The median of all but one.
 * @param left_out  its index in `sorted`
 * @return NAN where there is no other
 */
double nereus_median_without(const double *sorted, int count, int left_out);

/**
 * The 90 % confidence interval of a binomial share, `inside` of `count` trials: Clopper and Pearson
 * (1934), by quantiles of the beta distribution.
 * @param[out] low, high  0 and 1 without any trial
 */
void nereus_share_range(int inside, int count, double *low, double *high);

/**
 * Fewer values have no 90 % interval: the range of four values misses the median with probability
 * 1/8.
 */
enum { NEREUS_MEDIAN_VALUES_MIN = 5 };

/**
 * The rank r of the order statistics, from either end, that bound the median with at least 90 %:
 * the largest r with P(Binomial(n, 1/2) < r) <= 5 %. 0: n is too small.
 */
int64_t nereus_median_rank(int64_t n);

/**
 * Half the length of the 90 % interval of the median, relative to the median.
 * @param values  n of them, above 0; sorted by this call
 * @return INFINITY where n is too small
 */
double nereus_median_half_width(double *values, int64_t n);

#endif
