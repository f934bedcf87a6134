/**
 * @file cost_scatter.h
 * Computes quantiles of sums of independent, skewed prices, which are the intervals of predictions.
 * Private to model/.
 *
 * A part is a value times a random factor. The logarithm of the factor consists of two halves of
 * normal distributions whose 90 % range is the part's low and high factor. A sum keeps the widest
 * part, and three moments of all others together: its size does not grow with the parts, and its
 * quantiles take a microsecond (cost_scatter.c).
 */
#pragma once

#include "model/util/base.h"
#include "nereus/profile.h"

/** A part of a sum: its value, and the 90 % range of its factor. */
struct nereus_cost_part {
    double value_s, low_factor, high_factor;
    struct nereus_factor_moments moments;
};

/** A sum of parts. */
struct nereus_scatter {
    int64_t parts;
    double value_s;                       /**< value of all parts */
    double error_s2;                      /**< sum of squared standard errors, as if symmetric */
    struct nereus_cost_part widest;       /**< value_s 0: there is none */
    double mean_s, variance_s2, third_s3; /**< moments of the sum of the other parts */
    double squares_s2;                    /**< sum of squared values of all parts */
    /** sums over all parts: values x logarithms of their high and low factors */
    double up_s, down_s;
    double low_s;   /**< sum of all parts at their low factors */
    double down_s2; /**< sum over the other parts of (value - value at the low factor)^2 */
};

/** @return moments of a factor with this 90 % range */
struct nereus_factor_moments nereus_scatter_moments(double low_factor, double high_factor);

/** @param moments  those of the two factors; NULL: not known
 * @return a part with factors wider by exp(-wider) and exp(wider) */
struct nereus_cost_part nereus_scatter_part(double value_s, double low_factor, double high_factor,
                                            const struct nereus_factor_moments *moments,
                                            double wider);

void nereus_scatter_add(struct nereus_scatter *sum, const struct nereus_cost_part *part);
void nereus_scatter_add_sum(struct nereus_scatter *sum, const struct nereus_scatter *other);
void nereus_scatter_scale(struct nereus_scatter *sum, double factor);

/** Compute the 5 %, 50 % and 95 % quantiles of a sum with at least one part, in seconds. */
void nereus_scatter_find_quantiles(const struct nereus_scatter *sum, double quantiles_s[3]);

/** @return Student's 95 % point for these degrees of freedom (>= 1), exact to 1e-5 */
double nereus_student_95(int64_t degrees_of_freedom);

/** @return exp(half_width), the factor of a relative error; above 1000 the factor is linear in the
 *     error, because exp would overflow for values far below their error */
double nereus_error_factor(double half_width);
