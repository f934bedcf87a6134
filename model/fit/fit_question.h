/**
 * @file fit_question.h
 * A question to the samples: one linear model, and what each row says to it. Private to model/.
 */
#ifndef NEREUS_FIT_QUESTION_H
#define NEREUS_FIT_QUESTION_H

#include "fit.h"
#include "model/price/overlap.h"

/** What a row says: time_s = base_s + sum of coefficient x term of the input. */
struct nereus_fit_equation {
    struct nereus_overlap_input overlap; /**< the input of terms of overlap.h */
    struct nereus_cost_input cost;       /**< that of terms of cost.h */
    double time_s, base_s;
    int64_t ns, nt;  /**< widen the model's range: the row's until set */
    double load;     /**< so does this */
    unsigned absent; /**< bit t: term t is no part of this equation */
    int variant;     /**< 0: of the model itself; else a variant, with a constant of its own */
};
enum { NEREUS_FIT_EQUATIONS_MAX = 2, NEREUS_FIT_VARIANTS_MAX = 32 };

/** The equations of a row; all other members are 0 before. @return how many; 0: it says nothing */
typedef int (*nereus_fit_equations)(const struct nereus_sample *row, const void *context,
                                    struct nereus_fit_equation *equations);

struct nereus_fit_question {
    const char *model; /**< in the table of priors */
    /** the terms: of overlap.h, or of cost.h; the other one is NULL */
    const enum nereus_overlap_feature *overlap;
    const enum nereus_feature *cost;
    size_t term_count;
    /** models with other constants (the first term), which are expected to be alike, and else the
     * same terms; only the model itself is stored */
    size_t variants;
    nereus_fit_equations equations;
    const void *context; /**< for the function */
    bool of_part;        /**< log_sd is relative to the part beyond base_s, not to the whole */
    bool factors;        /**< scatter is kept as factors, too (nereus_fit_factors) */
    /** a model whose coefficients, times a ratio, replace the medians of priors; NULL: none */
    const struct nereus_linear_model *related;
    double related_ratio;
    const char *related_only; /**< of this term alone; NULL: of all that have the same name */
    double more_s;            /**< added to the prior of the constant */
    /** name of the model that the priors are, without rows; NULL: there is none then */
    const char *by_priors;
};

/** Fit. Without rows, the model stays as it is or is that of the priors. */
enum nereus_status nereus_fit_answer(const struct nereus_fit_question *question,
                                     const struct nereus_fit_rows *rows,
                                     struct nereus_linear_model *model, struct nereus_error *err);

#endif
