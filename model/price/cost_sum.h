/**
 * @file cost_sum.h
 * Adds the prices of a plan's steps, with their errors: a sum has a value, its scatter, and whether
 * it is extrapolated or from priors. Private to model/.
 */
#pragma once

#include "cost.h"
#include "cost_scatter.h"
#include "nereus/note.h"
#include "nereus/price.h"

/** A sum of prices and its error. */
struct nereus_cost_sum {
    double value_s;
    double variance_s2; /**< variance of the coefficients */
    /** residual scatter, which is added linearly, because residuals of one plan's steps are
     * correlated */
    double common_scatter_s;
    /** degrees of freedom of variance and scatter together (cost_sum.c); INFINITY at first */
    double degrees_of_freedom;
    bool extrapolated;
    /** first model used outside its fitted range */
    const struct nereus_linear_model *extrapolated_model;
    double extrapolated_load;                /**< load of that use */
    const struct nereus_linear_model *prior; /**< prior with most seconds; NULL: none */
    double prior_s, assumed_s;               /**< seconds of that prior; seconds of all priors */
    /** includes unattributed time: half of the reconfigurations take longer than the value */
    bool centred;
    /** part of value_s with a measured scatter; not in common_scatter_s */
    struct nereus_scatter scatter;
};
#define NEREUS_COST_SUM_INIT                                                                       \
    {                                                                                              \
        .degrees_of_freedom = INFINITY                                                             \
    }

void nereus_cost_add_sum(struct nereus_cost_sum *sum, const struct nereus_cost_sum *other);
/** Multiply a sum and its errors by a factor. */
void nereus_cost_scale(struct nereus_cost_sum *sum, double factor);
/** @return standard error of one measurement, including the error of the coefficients */
double nereus_cost_error_s(const struct nereus_cost_sum *sum);

/**
 * @param[out] features  model->terms values; may be NULL
 * @return value of a model
 */
double nereus_cost_value(const struct nereus_linear_model *model,
                         const struct nereus_cost_input *input, double *features);

/** Add a model's price for an input. */
void nereus_cost_add(struct nereus_cost_sum *sum, const struct nereus_linear_model *model,
                     const struct nereus_cost_context *context,
                     const struct nereus_cost_input *input);

/** @return doublings from the range [min, max] to a value; 0 within */
double nereus_cost_doublings(double value, double min, double max);
/** @return additional relative scatter of a prediction `doublings` outside the measured range */
double nereus_cost_extrapolation_scatter(double doublings);
/** @return doublings of sizes or load outside the fitted range of a model; 0 within */
double nereus_cost_extrapolation(const struct nereus_linear_model *model, int64_t ns, int64_t nt,
                                 double load);

/** @return note of a question outside the fitted range: sizes, load or bytes */
struct nereus_note nereus_cost_note_extrapolation(const struct nereus_linear_model *model,
                                                  int64_t ns, int64_t nt, double load);
/** Add value_s seconds of a prior; the sum names the prior with most seconds. */
void nereus_cost_set_prior(struct nereus_cost_sum *sum, const struct nereus_linear_model *model,
                           double value_s);
/** Mark a sum as extrapolated; the first model is kept. */
void nereus_cost_set_extrapolated(struct nereus_cost_sum *sum,
                                  const struct nereus_linear_model *model, double load);

/** @return 90 % interval of a sum: value x exp(+- t s), so that it never reaches 0 */
struct nereus_interval nereus_cost_interval(const struct nereus_cost_sum *sum);
