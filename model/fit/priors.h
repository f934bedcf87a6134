/**
 * @file priors.h
 * Declares the table of priors: the prior of every coefficient and the prior scatter of every
 * model, with sources. Private to model/.
 */
#pragma once

#include "regression.h"

/** Prior of one term of a model. */
struct nereus_term_prior {
    const char *model, *term;
    double value;         /**< median: seconds per unit, or a ratio to another coefficient */
    double log_sd;        /**< 0.25: within 50 % at 90 %; 0.7: a factor of 3; 1.4: of 10 */
    const char *ratio_to; /**< term of the same model that `value` is a ratio to; NULL: none */
    const char *source;   /**< the reason; shown with predictions that rest on it */
};

/** @return the row of a term; every term that is fitted has one */
const struct nereus_term_prior *nereus_term_prior_of(const char *model, const char *term);

/** @return prior scatter of the rows of a model
 * @param single_runs  rows of whole reconfigurations are single runs; the table has the scatter of
 *     medians */
struct nereus_prior_scatter nereus_prior_scatter_of(const char *model, bool single_runs);

/** Set the priors of columns first to first + count - 1, which are these terms of a model.
 * @param names  names of these terms */
void nereus_priors_set(const char *model, const char *const *names, size_t count, size_t first,
                       struct nereus_regression *regression);
