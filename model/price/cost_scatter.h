/**
 * @file cost_scatter.h
 * Sums of independent, skewed prices: how far up and down they may lie. Private to model/.
 *
 * A part is a value times a factor that scatters. The factor's logarithm is two halves of normal distributions, which reach the
 * factors low and high of the part with 90 %. A sum keeps the part that scatters most, and of all others together three moments:
 * as many parts as there are cost nothing more to keep, and the quantiles of the sum take a microsecond (cost_scatter.c).
 */
#ifndef NEREUS_COST_SCATTER_H
#define NEREUS_COST_SCATTER_H

#include "nereus/profile.h"

struct nereus_cost_part {
    double value_s, low_factor, high_factor;
    struct nereus_factor_moments moments;
};

struct nereus_scatter {
    int64_t parts;
    double value_s;                       /**< of all parts */
    double error_s2;                      /**< squares of their standard errors, as if they were symmetric */
    struct nereus_cost_part widest;       /**< value_s 0: there is none */
    double mean_s, variance_s2, third_s3; /**< of the sum of the others */
    double squares_s2;                    /**< of the values of all parts */
    double up_s, down_s; /**< of all parts: values times the logarithms of their factors, up and down */
    double low_s;        /**< of all parts at their low factors */
    double down_s2;      /**< squares of what each of the others may lie below its value */
};

/** Moments of a factor. */
struct nereus_factor_moments nereus_scatter_moments(double low_factor, double high_factor);

/** A part whose factors are wider by exp(-wider) and exp(wider) than those that the moments are of. */
struct nereus_cost_part nereus_scatter_part(double value_s, double low_factor, double high_factor,
                                            const struct nereus_factor_moments *moments, double wider);

void nereus_scatter_add(struct nereus_scatter *sum, const struct nereus_cost_part *part);
void nereus_scatter_add_sum(struct nereus_scatter *sum, const struct nereus_scatter *other);
void nereus_scatter_scale(struct nereus_scatter *sum, double factor);

/** 5 %, 50 % and 95 % of a sum with a part or more. */
void nereus_scatter_quantiles(const struct nereus_scatter *sum, double quantiles_s[3]);

/** Student's 95 % point for so many degrees of freedom (>= 1); exact to 1e-5. */
double nereus_student_95(int64_t freedom);

/** exp(reach), the factor that a relative error of so much makes of a value; beyond 1000 in proportion to the error: of what is next to nothing
 * beside its own error, exp would be no number any more. */
double nereus_error_factor(double reach);

#endif
