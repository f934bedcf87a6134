/**
 * @file answer.h
 * Answers one question: predicts and ranks the candidates, and gives the reason for each refused
 * one.
 */
#pragma once

#include "nereus/goal.h"
#include "predictor/scenario/scenario.h"

/** The words of --goal, in the order of enum nereus_goal. */
#define NEREUS_GOAL_WORDS "application", "system", "node-hours", "energy", "weights"
extern const char *const nereus_goal_choices[];
/** Begins the help of --goal; docs/model.md has the threshold. */
#define NEREUS_GOAL_HELP                                                                           \
    "application (least T_ex), system (least T_ex of those about as fast as the fastest), "

/**
 * Parse "t_ex=1,rt=0.5,node_hours=2,energy=1". Unknown names, a name given twice and weights
 * that are all 0 are refused.
 * @param[out] weights  0 for a quantity that is not named
 */
enum nereus_status nereus_weights_parse(const char *text, double weights[NEREUS_QUANTITY_COUNT],
                                        struct nereus_error *err);

/** Row of an option table for candidates; `offset` is that of a const char *. */
#define NEREUS_CANDIDATES_OPTION(offset)                                                           \
    {                                                                                              \
        "methods", 0, NEREUS_OPTION_TEXT, "A,B",                                                   \
            "candidates (those that the profile has measured); all: every legal method", offset,   \
            NULL                                                                                   \
    }

/** Candidates, in the order given. */
struct nereus_methods {
    struct nereus_method *items; /**< owned */
    int count;
};

/** Parse "A,B". Texts that are not a method, a method given twice, and one that cannot be predicted
 * are refused. */
enum nereus_status nereus_methods_parse(const char *text, struct nereus_methods *methods,
                                        struct nereus_error *err);
/** List every method that the profile has measured. */
enum nereus_status nereus_methods_from_profile(const struct nereus_profile *profile,
                                               struct nereus_methods *methods,
                                               struct nereus_error *err);
/** List every legal process management method, without a data part.
 * @param ns, nt  pair for which it must be legal; 0, 0: any pair */
enum nereus_status nereus_methods_all(int64_t ns, int64_t nt, struct nereus_methods *methods,
                                      struct nereus_error *err);
void nereus_methods_fini(struct nereus_methods *methods);

struct nereus_refusal {
    struct nereus_method method;
    struct nereus_error why;
};

struct nereus_answer {
    struct nereus_prediction *predictions; /**< best first for the goal; owned */
    /** one per prediction where a shrink follows, else NULL; owned */
    struct nereus_later_prediction *later_predictions;
    int count;
    struct nereus_refusal *refusals; /**< owned */
    int refusal_count;
    int *tie; /**< indices of the predictions whose intervals overlap with the best one's, itself
                 included, the most robust first; owned */
    int tie_count;          /**< 1: no other method ties with the best */
    const char *robust_why; /**< why the first of the tie is more robust than the best; NULL: it is
                               the best */
    struct nereus_ranking ranking; /**< the goal that it was ranked for */
    bool oversubscribed;
};

/** What an answer needs besides the question: a profile, candidates, a goal; owned by the caller.
 */
struct nereus_candidates {
    const struct nereus_profile *profile;
    const struct nereus_methods *methods;
    const struct nereus_ranking *ranking;
};

/** @return NEREUS_ERR_NO_BASIS when no candidate can be predicted (with the reason of the first) */
enum nereus_status nereus_answer_make(const struct nereus_candidates *candidates,
                                      const struct nereus_question *question,
                                      struct nereus_answer *answer, struct nereus_error *err);
/** As nereus_answer_make, but an answer without predictions (count 0, all candidates refused) is no
 * error.
 * @return NEREUS_OK, NEREUS_ERR_MEMORY */
enum nereus_status nereus_answer_make_or_empty(const struct nereus_candidates *candidates,
                                               const struct nereus_question *question,
                                               struct nereus_answer *answer,
                                               struct nereus_error *err);
void nereus_answer_fini(struct nereus_answer *answer);

/** @return interval of a quantity (nereus_goal_interval); with a later shrink that of both
 * together.
 * @param[in] number  index of the prediction in the answer */
struct nereus_interval nereus_answer_interval(const struct nereus_scenario *scenario,
                                              const struct nereus_answer *answer, int number,
                                              enum nereus_quantity quantity);
