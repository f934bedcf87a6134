/**
 * @file statistics.h
 * Order statistics, and intervals of a median and of a binomial share, for calibration and
 * validation.
 */
#ifndef NEREUS_MODEL_STATISTICS_STATISTICS_H
#define NEREUS_MODEL_STATISTICS_STATISTICS_H

#include <stdint.h>

void nereus_sort(double *values, int count);

/** @return quantile by linear interpolation between neighbours; NAN: no value */
double nereus_quantile(const double *sorted, int count, double probability);

/**
 * @param left_out  index of the value to leave out
 * @return NAN: there is no other
 */
double nereus_median_without(const double *sorted, int count, int left_out);

/** 90 % confidence interval of a binomial share (Clopper and Pearson (1934)).
 * @param[out] low, high 0 and 1 without trials */
void nereus_binomial_interval(int inside, int count, double *low, double *high);

/** Least number of values for an interval: the range of four misses the median with probability
 * 1/8. */
enum { NEREUS_MEDIAN_VALUES_MIN = 5 };

/** @return rank of the order statistics, from either end, that bound the median with at least 90 %:
 * the largest r with P(Binomial(n, 1/2) < r) <= 5 %. 0: n is too small. */
int64_t nereus_median_rank(int64_t n);

/** @return half the 90 % interval of the median, relative to the median
 * @param values  above 0; sorted by this call. INFINITY: n is too small */
double nereus_median_relative_half_width(double *values, int64_t n);

#endif
