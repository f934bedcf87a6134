/**
 * @file answer.h
 * The answer to one question: the candidates' predictions, ranked, and those that were refused with their
 * reason.
 */
#ifndef NEREUS_ANSWER_H
#define NEREUS_ANSWER_H

#include <stdbool.h>

#include "nereus/goal.h"
#include "scenario.h"

/** Of --goal, in the order of enum nereus_goal. */
#define NEREUS_GOAL_WORDS "application", "system", "node-hours", "weights"
extern const char *const nereus_goal_choices[];

/**
 * "t_ex=1,rt=0.5,node_hours=2": refuses other names, one that is there twice, and weights that are all 0.
 * @param[out] weights  what is not named weighs 0
 */
enum nereus_status nereus_weights_parse(const char *text, double weights[NEREUS_QUANTITY_COUNT],
                                        struct nereus_error *err);

/** Candidates, in the order given. */
struct nereus_methods {
    struct nereus_method *items; /**< owned */
    int count;
};

/** "A,B": refuses what is no method, named twice, or cannot be predicted in this version. */
enum nereus_status nereus_methods_parse(const char *text, struct nereus_methods *methods,
                                        struct nereus_error *err);
/** All that the profile knows. */
enum nereus_status nereus_methods_from_profile(const struct nereus_profile *profile,
                                               struct nereus_methods *methods, struct nereus_error *err);
/**
 * Every way to start and to end processes that is legal, with the data part left out.
 * @param ns, nt  legal for this pair; 0, 0: for any
 */
enum nereus_status nereus_methods_all(int64_t ns, int64_t nt, struct nereus_methods *methods,
                                      struct nereus_error *err);
/** Asynchronous methods of which only the synchronous twin is among the methods, where others are asynchronous: whoever compares these may
 *  miss them. */
enum nereus_status nereus_methods_missing_twins(const struct nereus_methods *methods,
                                                struct nereus_methods *missing, struct nereus_error *err);
void nereus_methods_fini(struct nereus_methods *methods);

struct nereus_refusal {
    struct nereus_method method;
    struct nereus_error why;
};

struct nereus_answer {
    struct nereus_prediction *predictions; /**< best first for the goal; owned */
    struct nereus_outlook *outlooks; /**< one a prediction where a shrink is to follow, else NULL; owned */
    int count;
    struct nereus_refusal *refusals; /**< owned */
    int refusal_count;
    int *
        tie; /**< predictions whose intervals overlap with the best one's, itself included: indices, the most robust first; owned */
    int tie_count;          /**< 1 when the best stands alone */
    const char *robust_why; /**< what sets the first of the tie apart from the best; NULL: it is the best */
    struct nereus_ranking ranking; /**< by which it was made */
    bool oversubscribed;
};

/** @return NEREUS_ERR_NO_BASIS when no candidate can be predicted (with the reason of the first) */
enum nereus_status nereus_answer_make(const struct nereus_profile *profile,
                                      const struct nereus_question *question,
                                      const struct nereus_methods *methods,
                                      const struct nereus_ranking *ranking, struct nereus_answer *answer,
                                      struct nereus_error *err);
/** The same, but without predictions (count 0, and all refusals) that is an answer, too. @return NEREUS_OK, NEREUS_ERR_MEMORY */
enum nereus_status nereus_answer_try(const struct nereus_profile *profile,
                                     const struct nereus_question *question,
                                     const struct nereus_methods *methods,
                                     const struct nereus_ranking *ranking, struct nereus_answer *answer,
                                     struct nereus_error *err);
void nereus_answer_fini(struct nereus_answer *answer);

/** The interval of omega: below 1 only where omega is; of what has nothing beside it the value. */
struct nereus_interval nereus_answer_omega(const struct nereus_prediction *prediction);

/**
 * The interval of a quantity that follows from those of RT and of omega: where RT is longer, so is a synchronous reconfiguration;
 * an asynchronous one overlaps more iterations, each of which takes the difference between a slowed one on NS
 * and one on NT processes longer. Where omega is larger, it overlaps fewer.
 * @param[in] number  of the prediction in the answer
 */
struct nereus_interval nereus_answer_interval(const struct nereus_scenario *scenario,
                                              const struct nereus_answer *answer, int number,
                                              enum nereus_quantity quantity);

#endif
