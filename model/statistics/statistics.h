/**
 * @file statistics.h
 * Computes order statistics, and intervals of a median and of a binomial share, for calibration and
 * validation.
 */
#pragma once

#include "model/util/base.h"

void nereus_sort(double *values, int count);

/** @return quantile by linear interpolation between neighbours; NAN: no value */
double nereus_quantile(const double *sorted, int count, double probability);

/** @return NAN: no value
 * @param values  sorted by this call */
double nereus_median(double *values, int count);

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

/* groups.c: Sets of equivalent methods as letters: two methods share a letter if and only if they
 * do not differ (Piepho (2004)). */

enum { NEREUS_LETTERS_MAX = 64, NEREUS_LETTERS_TEXT_MAX = 160 };

/** Find the largest sets of methods of which no two differ.
 * @param differ  indexed by method: set of methods that differ from this one
 * @param count  at most 64.
 * @param[out] letters  indexed by method: set of letters; the first method has letter 0
 * @return number of letters; 0: more than NEREUS_LETTERS_MAX */
int nereus_equivalent_groups(const uint64_t *differ, int count, uint64_t *letters);

/** Format letters: "a", "ab"; from the 27th letter on "a1".
 * @return text */
char *nereus_letters_text(uint64_t letters, char text[NEREUS_LETTERS_TEXT_MAX]);

/* shapiro.c: Shapiro-Wilk test of normality, by the approximations of Royston (1995), algorithm AS
 * R94. */

/** Sample sizes for which Royston fitted the approximations. */
enum { NEREUS_SHAPIRO_VALUES_MIN = 3, NEREUS_SHAPIRO_VALUES_MAX = 5000 };

/** @param sorted  the sample, ascending
 * @param[out] p  p-value: the probability of a W at most this small under normality
 * @return the statistic W; NAN, also in p, if count is outside the sizes above or all are equal */
double nereus_shapiro_wilk(const double *sorted, int count, double *p);
