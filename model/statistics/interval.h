/**
 * @file interval.h
 * Confidence interval of a median from order statistics; no distribution is assumed.
 */
#ifndef NEREUS_MEASURE_INTERVAL_H
#define NEREUS_MEASURE_INTERVAL_H

#include <stdint.h>

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
