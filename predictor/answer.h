/**
 * @file answer.h
 * The answer to one question: the candidates' predictions, ranked, and those that were refused with their
 * reason.
 */
#ifndef NEREUS_ANSWER_H
#define NEREUS_ANSWER_H

#include <stdbool.h>

#include "predict.h"
#include "scenario.h"

enum nereus_goal { NEREUS_GOAL_APPLICATION, NEREUS_GOAL_SYSTEM };
extern const char *const nereus_goal_choices[];

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
void nereus_methods_fini(struct nereus_methods *methods);

struct nereus_refusal {
    struct nereus_method method;
    struct nereus_error why;
};

struct nereus_answer {
    struct nereus_prediction *predictions; /**< best first for the goal; owned */
    int count;
    struct nereus_refusal *refusals; /**< owned */
    int refusal_count;
    int tied; /**< how many of the first predictions cannot be told apart: 1 when the best stands alone */
    bool oversubscribed;
};

/** @return NEREUS_ERR_NO_BASIS when no candidate can be predicted (with the reason of the first) */
enum nereus_status nereus_answer_make(const struct nereus_profile *profile,
                                      const struct nereus_question *question,
                                      const struct nereus_methods *methods, enum nereus_goal goal,
                                      struct nereus_answer *answer, struct nereus_error *err);
void nereus_answer_fini(struct nereus_answer *answer);

/**
 * The interval of T_ex that follows from that of RT: where RT is longer, so is a synchronous reconfiguration;
 * an asynchronous one overlaps more iterations, each of which takes the difference between a slowed one on NS
 * and one on NT processes longer.
 */
struct nereus_interval nereus_answer_t_ex(const struct nereus_scenario *scenario,
                                          const struct nereus_prediction *prediction);

#endif
