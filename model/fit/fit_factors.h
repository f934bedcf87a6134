/**
 * @file fit_factors.h
 * Computes 90 % intervals of single measurements: as factors of the model's value, and for short
 * steps as delays. Private to model/.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/profile.h"

/** Set the 90 % interval of one more measurement, as factors of the model's value: the 5 % and 95 %
 * quantiles of the ratios measured / fitted, with a prior where there are few ratios.
 * @param logs    logarithms of the ratios, which are reordered
 * @param time_s  geometric mean of the times */
void nereus_fit_factors(double *logs, size_t n, size_t terms, double time_s,
                        struct nereus_linear_model *model);

/** One measurement of a step, and what the model says. */
struct nereus_fit_single {
    double time_s, value_s;
};

/** Set the factors of long steps, and the seconds by which short ones are early and late: a process
 * that is preempted delays a short step by as much as a long one, and not by as many times.
 * @param scratch  n values */
void nereus_fit_set_long_and_short(const struct nereus_fit_single *singles, size_t n, size_t terms,
                                   double *scratch, struct nereus_linear_model *model);
