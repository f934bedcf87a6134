/**
 * @file shapiro.h
 * Shapiro-Wilk test of normality, by the approximations of Royston (1995), algorithm AS R94.
 */
#ifndef NEREUS_MODEL_STATISTICS_SHAPIRO_H
#define NEREUS_MODEL_STATISTICS_SHAPIRO_H

/** Sample sizes for which Royston fitted the approximations. */
enum { NEREUS_SHAPIRO_VALUES_MIN = 3, NEREUS_SHAPIRO_VALUES_MAX = 5000 };

/** @param sorted  the sample, ascending
 * @param[out] p  p-value: the probability of a W at most this small under normality
 * @return the statistic W; NAN, also in p, if count is outside the sizes above or all are equal */
double nereus_shapiro_wilk(const double *sorted, int count, double *p);

#endif
