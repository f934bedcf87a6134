/**
 * @file fit_question.h
 * One regression over the samples: a linear model, and the equation that each row adds to it.
 * Private to model/.
 */
#ifndef NEREUS_MODEL_FIT_FIT_QUESTION_H
#define NEREUS_MODEL_FIT_FIT_QUESTION_H

#include "fit.h"
#include "model/price/overlap.h"

/** Equation of a row: time_s = base_s + sum of coefficient x term of the input. */
struct nereus_fit_equation {
    struct nereus_overlap_input overlap; /**< the input of terms of overlap.h */
    struct nereus_cost_input cost;       /**< number of terms in cost.h */
    double time_s, base_s;
    int64_t ns, nt;  /**< widen the model's range: the row's until set */
    double load;     /**< so does this */
    unsigned absent; /**< bit t: term t is no part of this equation */
    int variant;     /**< 0: of the model itself; else a variant, with a constant of its own */
    size_t model;    /**< which of the question's models the row is of */
};
enum { NEREUS_FIT_EQUATIONS_MAX = 2, NEREUS_FIT_VARIANTS_MAX = 32 };

/**
 * The equations of a row; all other members are 0 before.
 * @param profile  without the models that are asked for
 * @param context  of the question
 * @return how many; 0: the row is not of this model
 */
typedef int nereus_fit_equations(const struct nereus_sample *row,
                                 const struct nereus_profile *profile, const void *context,
                                 struct nereus_fit_equation *equations);

struct nereus_fit_question {
    const char *model; /**< in the table of priors */
    /** the terms: of overlap.h, or of cost.h; the other one is NULL */
    const enum nereus_overlap_feature *overlap;
    const enum nereus_feature *cost;
    size_t term_count;
    size_t models; /**< number of variants with the same terms, from other rows; 0: one */
    /** models with other constants (the first term), which are expected to be alike, and else the
     * same terms; only the model itself is stored */
    size_t variants;
    nereus_fit_equations *equations;
    const void *context; /**< passed to `equations` */
    bool of_part;        /**< log_sd is relative to the part beyond base_s, not to the whole */
    /** scatter is kept as factors, too (nereus_fit_factors), of few rows at most this one either
     * way; 0: it is not */
    double factor;
    /** indexed by term; value 0: as in the table */
    struct nereus_prior expected[NEREUS_TERMS_MAX];
    /** name of the model that the priors are, without rows; NULL: there is none then */
    const char *by_priors;
};

/** Fit. Without rows a model is unchanged or set to its priors.
 * @param models  of the profile; stored together at the end */
enum nereus_status nereus_fit_answer(const struct nereus_fit_question *question,
                                     const struct nereus_fit_rows *rows,
                                     const struct nereus_profile *profile,
                                     struct nereus_linear_model *models, struct nereus_error *err);

#endif
