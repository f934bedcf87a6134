/** @file predict_all.c  Predicts all methods of one pair of sizes, and finds the best one for a
 * goal, as a scheduler needs it. */

#include "lookup.h"
#include "nereus/goal.h"

int nereus_predict_all(const struct nereus_goal_question *question,
                       const struct nereus_method *methods, int method_count,
                       struct nereus_prediction *predictions)
{
    struct nereus_estimates estimates;
    const bool nodes = nereus_ranking_needs_nodes(question->ranking);
    int count = 0;
    if (nereus_predict_check(question->scenario, NULL) != NEREUS_OK)
        return 0;
    nereus_estimates_init(&estimates);
    for (int i = 0; i < method_count; i++) {
        struct nereus_prediction *p = &predictions[count];
        if (nereus_predict_unchecked(question->profile, question->scenario, &methods[i], &estimates,
                                     p, NULL) == NEREUS_OK &&
            (!nodes || nereus_predict_nodes(question->scenario, &question->ranking->power, p,
                                            NULL) == NEREUS_OK))
            count++;
    }
    nereus_rank_by_goal(question->ranking, predictions, count);
    return count;
}

static const struct nereus_prediction *
find_ranked_first(const struct nereus_prediction *predictions, int count, bool system)
{
    for (int i = 0; i < count; i++)
        if ((system ? predictions[i].rank_system : predictions[i].rank_application) == 1)
            return &predictions[i];
    return NULL;
}

static void predict_again(const struct nereus_goal_question *q,
                          const struct nereus_prediction *ranked,
                          struct nereus_estimates *estimates,
                          struct nereus_prediction *best_prediction)
{
    if (nereus_predict_unchecked(q->profile, q->scenario, &ranked->method, estimates,
                                 best_prediction, NULL) != NEREUS_OK)
        *best_prediction = *ranked; /* not reached: the method was predicted before */
    best_prediction->rank_application = ranked->rank_application;
    best_prediction->rank_system = ranked->rank_system;
    best_prediction->rank = ranked->rank;
    best_prediction->nodes = ranked->nodes;
    best_prediction->node_s = ranked->node_s;
    best_prediction->power_w = ranked->power_w;
    best_prediction->energy_j = ranked->energy_j;
    best_prediction->score = ranked->score;
}

/* Predict values only, which suffice for a ranking: intervals would double the time. */
static int predict_values(const struct nereus_goal_question *q, const struct nereus_method *methods,
                          int method_count, struct nereus_prediction *predictions)
{
    struct nereus_scenario values = *q->scenario;
    values.values_only = true;
    return nereus_predict_all(&(struct nereus_goal_question){q->profile, &values, q->ranking},
                              methods, method_count, predictions);
}

int nereus_predict_for_goal(const struct nereus_goal_question *question,
                            const struct nereus_method *methods, int method_count,
                            struct nereus_prediction *predictions,
                            struct nereus_prediction *best_prediction)
{
    const int count = predict_values(question, methods, method_count, predictions);
    for (int i = 0; i < count; i++)
        if (predictions[i].rank == 1)
            predict_again(question, &predictions[i], NULL, best_prediction);
    return count;
}

int nereus_predict_best(const struct nereus_goal_question *question,
                        const struct nereus_method *methods, int method_count,
                        struct nereus_prediction *predictions, struct nereus_prediction best[2])
{
    const int count = predict_values(question, methods, method_count, predictions);
    const struct nereus_prediction *application = find_ranked_first(predictions, count, false),
                                   *system = find_ranked_first(predictions, count, true);
    if (count == 0)
        return 0;
    /* often one method, synchronous and asynchronous: the process part is estimated once */
    struct nereus_estimates estimates;
    nereus_estimates_init(&estimates);
    predict_again(question, application, &estimates, &best[0]);
    if (system == application)
        best[1] = best[0];
    else
        predict_again(question, system, &estimates, &best[1]);
    return count;
}

/* What is to be small: node-seconds, energy or, for all other goals, time. */
static double find_figure(const struct nereus_ranking *ranking, const struct nereus_prediction *p)
{
    return ranking->goal == NEREUS_GOAL_NODE_HOURS ? p->node_s
           : ranking->goal == NEREUS_GOAL_ENERGY   ? p->energy_j
                                                   : p->t_ex_expected_s;
}

/* Regret of the method of `taken_prediction` in this question: its figure minus that of
 * `best_prediction`. */
static double compute_regret(const struct nereus_goal_question *q,
                             const struct nereus_prediction *taken_prediction,
                             const struct nereus_prediction *best_prediction,
                             struct nereus_prediction *there)
{
    const bool nodes = nereus_ranking_needs_nodes(q->ranking);
    return nereus_predict(q->profile, q->scenario, &taken_prediction->method, there, NULL) !=
                       NEREUS_OK ||
                   (nodes && nereus_predict_nodes(q->scenario, &q->ranking->power, there, NULL) !=
                                 NEREUS_OK) ||
                   (there->iterations_capped && !best_prediction->iterations_capped)
               ? INFINITY
               : find_figure(q->ranking, there) - find_figure(q->ranking, best_prediction);
}

int nereus_predict_minimax_regret(const struct nereus_goal_question *question,
                                  const struct nereus_scenario *other,
                                  const struct nereus_method *methods, int method_count,
                                  struct nereus_prediction *predictions,
                                  struct nereus_prediction *best_prediction)
{
    const struct nereus_goal_question either[2] = {*question,
                                                   {question->profile, other, question->ranking}};
    struct nereus_prediction choices[2], there[2];
    int counts[2];
    for (int i = 0; i < 2; i++)
        counts[i] =
            nereus_predict_for_goal(&either[i], methods, method_count, predictions, &choices[i]);
    if (counts[0] == 0)
        return 0;
    *best_prediction = choices[0];
    if (counts[1] > 0 && compute_regret(&either[0], &choices[1], &choices[0], &there[0]) <
                             compute_regret(&either[1], &choices[0], &choices[1], &there[1]))
        *best_prediction = there[0];
    return counts[0];
}
