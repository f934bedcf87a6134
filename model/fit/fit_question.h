/**
 * @file fit_question.h
 * A question to the samples: one linear model of terms of overlap.h, and what each row says to it.
 * Private to model/.
 */
#ifndef NEREUS_FIT_QUESTION_H
#define NEREUS_FIT_QUESTION_H

#include "fit.h"
#include "model/price/overlap.h"

/** What a row says: time_s = base_s + sum of coefficient x term of the input. */
struct nereus_fit_equation {
    struct nereus_overlap_input input;
    double time_s, base_s;
    double load;     /**< widens the model's range */
    unsigned absent; /**< bit t: term t is no part of this equation */
};
enum { NEREUS_FIT_EQUATIONS_MAX = 2 };

/** The equations of a row; all members but input are 0 before. @return how many; 0: it says
 * nothing */
typedef int (*nereus_fit_equations)(const struct nereus_sample *row, const void *context,
                                    struct nereus_fit_equation *equations);

struct nereus_fit_question {
    const char *model; /**< in the table of priors */
    const enum nereus_overlap_feature *terms;
    size_t term_count;
    nereus_fit_equations equations;
    const void *context; /**< for the function */
    /** single runs scatter more than the table of priors says */
    bool medians;
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
