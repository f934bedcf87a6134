/**
 * @file fit_formula.h
 * Describes one regression over the samples: the terms and priors of a linear model, and the
 * equation that each row adds to it, so that all parts of the fit share one solver. Private to
 * model/.
 */
#pragma once

#include "fit.h"
#include "fit_model.h"
#include "model/price/overlap.h"

/** Equation of a row: time_s = base_s + sum of coefficient x term. */
struct nereus_fit_equation {
    struct nereus_overlap_input overlap; /**< input of the terms of overlap.h */
    struct nereus_cost_input cost;       /**< input of the terms of cost.h */
    double time_s, base_s;
    int64_t ns, nt;        /**< sizes that widen the model's range; the row's by default */
    double core_load;      /**< load that widens the model's range */
    unsigned absent_terms; /**< bit t set: term t does not occur in this equation */
    /** 0: the model itself; else the number of a variant, which has its own constant */
    int variant;
    size_t model; /**< index of the formula's model that the row belongs to */
};
enum { NEREUS_FIT_EQUATIONS_MAX = 2, NEREUS_FIT_VARIANTS_MAX = 32 };

/** Set the equations of a row; all other members are 0 before.
 * @param profile  profile so far, without the models that are requested
 * @param context  nereus_fit_formula.context
 * @return number of equations; 0: the row does not belong to this model */
typedef int nereus_fit_equations(const struct nereus_sample *row,
                                 const struct nereus_profile *profile, const void *context,
                                 struct nereus_fit_equation *equations);

/** One regression: its terms, equations and priors. */
struct nereus_fit_formula {
    const char *model; /**< name in the table of priors */
    /** terms of overlap.h or of cost.h; the other pointer is NULL */
    const enum nereus_overlap_term *overlap_terms;
    const enum nereus_term *cost_terms;
    size_t term_count;
    size_t model_count; /**< models with the same terms, each from its own rows; 0: one */
    /** Variants of a model have its terms but a constant (the first term) of their own; all
     * constants are expected to be alike, and only the model itself is stored. */
    size_t variant_count;
    nereus_fit_equations *equations;
    const void *context;           /**< passed to `equations` */
    bool is_relative_to_remainder; /**< log_sd is relative to time_s - base_s, not to time_s */
    /** scatter is also kept as factors (nereus_fit_factors), which few rows make at most this
     * factor either way; 0: no factors */
    double max_prior_factor;
    /** indexed by term; value 0: the prior of the table */
    struct nereus_prior priors[NEREUS_TERMS_MAX];
    /** source of a model that has no rows and is set to its priors; NULL: such a model stays unset
     */
    const char *model_from_priors;
};

/** Fit the models. Without rows a model is unchanged or set to its priors.
 * @param models  models of the profile; all are stored at the end */
enum nereus_status nereus_fit_models(const struct nereus_fit_formula *formula,
                                     const struct nereus_fit_rows *rows,
                                     const struct nereus_profile *profile,
                                     struct nereus_linear_model *models, struct nereus_error *err);
