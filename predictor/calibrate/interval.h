/**
 * @file interval.h
 * How sure a median is, from the order of the values alone: no shape is assumed of their distribution.
 */
#ifndef NEREUS_CALIBRATE_INTERVAL_H
#define NEREUS_CALIBRATE_INTERVAL_H

#include <stdint.h>

/** Fewer values than this have no interval: even the least and the most of four miss the median in one case of eight. */
enum { NEREUS_MEDIAN_VALUES_MIN = 5 };

/**
 * Which of n sorted values, counted from 1 at either end, bound the median with at least 90 %: the largest r with
 * P(Binomial(n, 1/2) < r) <= 5 %. 0: n is too small.
 */
int64_t nereus_median_rank(int64_t n);

/**
 * Half the length of the 90 % interval of the median, relative to the median.
 * @param values  n of them, above 0; sorted by this call
 * @return INFINITY where n is too small
 */
double nereus_median_half_width(double *values, int64_t n);

#endif
