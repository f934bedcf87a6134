/**
 * @file shapiro.h
 * The Shapiro-Wilk test of the hypothesis that values are drawn from a normal distribution. Pure
 * function, thread-safe.
 */
#ifndef NEREUS_COMPARE_SHAPIRO_H
#define NEREUS_COMPARE_SHAPIRO_H

/** Most and least values: beyond these Royston's approximations were not fitted. */
enum { NEREUS_SHAPIRO_VALUES_MIN = 3, NEREUS_SHAPIRO_VALUES_MAX = 5000 };

/**
 * W, and the probability of a W that is not larger if the values are normal.
 * @param sorted  ascending
 * @param[out] p  NAN where W is
 * @return NAN for too few or too many values, and where all are equal
 */
double nereus_shapiro_wilk(const double *sorted, int count, double *p);

#endif
