/**
 * @file advice.h
 * Answers whether a resize is worth its cost (nereus_advise), with the options of the command line.
 */
#pragma once

#include "failures.h"
#include "nereus/advise.h"
#include "predictor/cli/output.h"
#include "predictor/scenario/answer.h"
#include "predictor/scenario/goal_options.h"
#include "predictor/scenario/lists.h"

/** Word of --nt that means every size that the nodes allow, of more than 10000 some 500. */
#define NEREUS_NT_BEST "best"

/** A complete answer. Not to be copied: it has pointers into itself. */
struct nereus_advice_result {
    const struct nereus_profile *profile;
    struct nereus_question question; /**< its nt is the largest size */
    struct nereus_ranking ranking;
    const struct nereus_mtbf *mtbf; /**< NULL: failures are not requested */
    struct nereus_failures failures;
    struct nereus_sizes candidates;
    struct nereus_advice_size *sizes; /**< candidates.count of them; owned */
    struct nereus_advice advice;
    struct nereus_advice_size present; /**< no resize: without a method, RT and break-even NAN */
};

/** Check --nt: "best" or sizes.
 * @return NEREUS_ERR_PARSE, NEREUS_ERR_ARGUMENT */
enum nereus_status nereus_nt_check(const char *nt, struct nereus_error *err);

/** Is --nt a question about sizes: "best", a range or a list? */
bool nereus_nt_is_range(const char *nt);

/**
 * Make an answer and print it.
 * @param[in]  settings  nt and t_iter_nt_s are not used
 * @param[in]  nt        NULL or "best": every size that the nodes allow
 * @param[in]  mtbf      NULL: failures are not requested
 * @return the exit status of a command
 */
int nereus_advice_answer(const struct nereus_candidates *candidates,
                         const struct nereus_settings *settings, const char *nt,
                         const struct nereus_goal_settings *goal_settings,
                         const struct nereus_mtbf *mtbf, enum nereus_format format);
