/**
 * @file fit_model.h
 * Stores terms, ranges and priors in the models of a profile. Private to model/.
 */
#pragma once

#include "nereus/profile.h"
#include "regression.h"

/** Log-sd of a prior taken from a related model: a factor of 3 either way at 90 %. */
#define NEREUS_FIT_RELATED 0.7
/** Log-sd of a prior for a model with known terms and no coefficient. */
#define NEREUS_FIT_UNSEEN 0.3

/** Widen a model's range so that it contains a row. */
void nereus_fit_widen_range(struct nereus_linear_model *model, int64_t ns, int64_t nt, double load);

/** Append a term; there must be room. */
void nereus_fit_add_term(struct nereus_linear_model *model, const char *name, double coefficient);

/** Set a model to the prior of one term.
 * @param name  name of the prior in predictions */
void nereus_fit_set_prior(const char *name, const char *term, double coefficient, double log_sd,
                          struct nereus_linear_model *model);

/** Set a model without coefficients, because the model `holder` contains its time. */
void nereus_fit_set_contained(const char *holder, struct nereus_linear_model *model);

/** Store these columns of a regression as the terms of a model. */
void nereus_fit_store_terms(const struct nereus_regression *regression, const size_t *columns,
                            size_t count, const char *const *names,
                            struct nereus_linear_model *model);
