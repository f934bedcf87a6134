/** @file cases_answer.h  Answers a file of cases, for nereus predict. */
#ifndef NEREUS_PREDICTOR_PREDICT_CASES_ANSWER_H
#define NEREUS_PREDICTOR_PREDICT_CASES_ANSWER_H

#include <stdbool.h>

#include "cases.h"
#include "predictor/cli/output.h"
#include "predictor/scenario/answer.h"
#include "predictor/scenario/goal_options.h"

/** The cases, and the question about each. */
struct nereus_cases_request {
    const struct nereus_cases *cases;
    const struct nereus_candidates *candidates; /**< methods for cases that name none */
    const struct nereus_goal_settings *goal;
    bool all;           /**< the candidates are all methods: illegal ones are left out silently */
    bool measured_only; /**< the candidates are the methods of the profile, as none were named */
    enum nereus_format format;
};

/**
 * Answer all cases, then print the rows to stdout and the notes to stderr: an invalid line leaves
 * no partial output.
 * @return the exit status
 */
int nereus_cases_answer(const struct nereus_cases_request *requested);

#endif
