/**
 * @file shapiro.h
 * Shapiro-Wilk test: are values drawn from a normal distribution?
 */
#ifndef NEREUS_COMPARE_SHAPIRO_H
#define NEREUS_COMPARE_SHAPIRO_H

/** Royston's approximations were fitted for these numbers of values. */
enum { NEREUS_SHAPIRO_VALUES_MIN = 3, NEREUS_SHAPIRO_VALUES_MAX = 5000 };

/**
 * W, and the probability of a W that is not larger if values are normal.
 * @param sorted  ascending.
 * @return NAN, also in p: too few or too many values, or all equal
 */
double nereus_shapiro_wilk(const double *sorted, int count, double *p);

#endif
