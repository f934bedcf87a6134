/**
 * @file goal.h
 * Goals, the choice of a method for a goal, and what belongs to it: nodes, intervals, a later
 * shrink, the order of equal methods. Goals (the first two: spawning-methods 4.4):
 *
 *   application   least T_ex;
 *   system        least T_ex among methods whose RT (asynchronous: CT) is within 10 % of the least;
 *   node-hours    least node-seconds until the application ends;
 *   weights       least weighted sum of T_ex, RT and node-seconds, each over its least among the
 *                 candidates that end with a resize.
 */
#ifndef NEREUS_GOAL_H
#define NEREUS_GOAL_H

#include <stdbool.h>
#include <stdint.h>

#include "predict.h"

NEREUS_BEGIN_C

enum nereus_goal {
    NEREUS_GOAL_APPLICATION,
    NEREUS_GOAL_SYSTEM,
    NEREUS_GOAL_NODE_HOURS,
    NEREUS_GOAL_WEIGHTS
};

/** Quantities with weights. RT is wait_s of the prediction. */
enum nereus_quantity {
    NEREUS_QUANTITY_T_EX,
    NEREUS_QUANTITY_RT,
    NEREUS_QUANTITY_NODE_HOURS,
    NEREUS_QUANTITY_COUNT
};

struct nereus_ranking {
    enum nereus_goal goal;
    double system_threshold;               /**< at least 0 */
    double weights[NEREUS_QUANTITY_COUNT]; /**< at least 0, not all 0 */
};
#define NEREUS_RANKING_INIT                                                                        \
    {                                                                                              \
        .goal = NEREUS_GOAL_APPLICATION, .system_threshold = 0.1, .weights = { 0, 0, 0 }           \
    }

bool nereus_ranking_needs_nodes(const struct nereus_ranking *ranking);

/** Rank predictions of one scenario by the unrounded figures: rank_application, rank_system and,
 * for the goal, rank (and score). Methods that would end after the last iteration
 * (iterations_capped) come last. Values equal to 30 bits (1e-9) are ordered by robustness, then as
 * given. The goals node-hours and weights need node_s. */
void nereus_rank_for(const struct nereus_ranking *ranking, struct nereus_prediction *predictions,
                     int count);

/** A question: which method is best in a scenario for a goal. All pointers are the caller's. */
struct nereus_goal_question {
    const struct nereus_profile *profile;
    const struct nereus_scenario *scenario;
    const struct nereus_ranking *ranking;
};

/**
 * Predict every candidate that is possible, and rank them; for a goal that uses nodes, with these.
 *
 * Allocates nothing (nor does nereus_predict without err) for the states NULL, initial and per
 * node, and for any other whose processes fill their nodes in rank order, without zombies, if the
 * nodes of a finite machine of several have cores for old and new processes together. Otherwise
 * strategies with several worlds allocate. So do methods with keep, up to
 * NEREUS_TRANSFER_KEEP_PROCESSES processes, with data: without memory they are priced as equal
 * blocks. Thread-safe: the profile is only read (nereus_profile_prepare).
 *
 * @param[in]  methods      candidates, mostly those of the profile
 * @param[out] predictions  room for all candidates, in their order; refused ones are left out
 * @return how many were predicted
 */
int nereus_predict_all(const struct nereus_goal_question *question,
                       const struct nereus_method *methods, int method_count,
                       struct nereus_prediction *predictions);

/**
 * nereus_predict_all, and the choices for the goals application and system.
 * @param[out] best  not written if no method is possible; so in the next two functions
 */
int nereus_predict_best(const struct nereus_goal_question *question,
                        const struct nereus_method *methods, int method_count,
                        struct nereus_prediction *predictions, struct nereus_prediction best[2]);

/** nereus_predict_all, and the choice for the goal. For node-hours and weights it allocates in a
 * state that is not initial. */
int nereus_predict_for_goal(const struct nereus_goal_question *question,
                            const struct nereus_method *methods, int method_count,
                            struct nereus_prediction *predictions, struct nereus_prediction *best);

/**
 * The choice where either of two scenarios may hold, as for iterations of an unknown law: of the
 * choices of both the one that loses less T_ex in the scenario of the other (minimax regret).
 * @param[in]  other  scenario that differs from the question's in iteration times only
 * @param[out] best   of the question's scenario; without ranks if it is the other's choice
 * @return how many methods were predicted for the question's scenario
 */
int nereus_predict_for_either(const struct nereus_goal_question *question,
                              const struct nereus_scenario *other,
                              const struct nereus_method *methods, int method_count,
                              struct nereus_prediction *predictions,
                              struct nereus_prediction *best);

void nereus_goal_quantities(const struct nereus_prediction *prediction,
                            double values[NEREUS_QUANTITY_COUNT]);

/** Least and largest of each quantity, to normalise weighted sums. Methods that would end after the
 * last iteration are left out, unless all would. */
struct nereus_goal_extremes {
    double least[NEREUS_QUANTITY_COUNT], most[NEREUS_QUANTITY_COUNT];
    bool any_ends; /**< a method ends before the last iteration */
};
void nereus_goal_extremes_of(const struct nereus_prediction *predictions, int count,
                             struct nereus_goal_extremes *extremes);
/** Add a prediction to the extremes of others (of 0 predictions at first). */
void nereus_goal_extremes_add(const struct nereus_prediction *prediction,
                              struct nereus_goal_extremes *extremes);

/** Sum of weight x value / least. If the least is 0 the divisor is the largest; if that is 0, the
 * quantity is left out. */
double nereus_goal_score(const double weights[NEREUS_QUANTITY_COUNT],
                         const struct nereus_goal_extremes *extremes,
                         const double values[NEREUS_QUANTITY_COUNT]);

/** The 90 % interval of omega as it will be measured: over few iterations, the last of which
 * overlaps only in part, relative to iterations before, both with the scatter of repeats. For a
 * synchronous method it is the value. */
struct nereus_interval nereus_omega_interval(const struct nereus_scenario *scenario,
                                             const struct nereus_prediction *prediction);

/** The 90 % interval of It in whole numbers; 0 0 0 for a synchronous method. */
struct nereus_interval nereus_iterations_interval(const struct nereus_scenario *scenario,
                                                  const struct nereus_prediction *prediction);

/** One quantity, or the weighted score. */
struct nereus_goal_figure {
    enum nereus_quantity quantity;
    const double *weights;                       /**< NULL: the quantity */
    const struct nereus_goal_extremes *extremes; /**< of the score */
};

struct nereus_goal_part {
    const struct nereus_scenario *scenario;
    const struct nereus_prediction *prediction;
};

/**
 * The 90 % interval of a figure, propagated from those of RT and omega. A longer RT delays a
 * synchronous reconfiguration, and makes an asynchronous one overlap more iterations, each of which
 * costs the difference between a slowed iteration on NS and one on NT processes. A larger omega
 * makes it overlap fewer.
 * @param parts  whose quantities add up: one prediction, or an expansion and its later shrink,
 *     whose errors are the same, as both come from one profile
 */
struct nereus_interval nereus_goal_interval(const struct nereus_goal_part *parts, int count,
                                            const struct nereus_goal_figure *figure);

/**
 * The nodes that a job holds before, during and after a reconfiguration: those with a process,
 * awake or asleep, and during it those of old and new processes. Without a state: one initial
 * world, for which nothing is allocated.
 * @return as nereus_request_place
 */
enum nereus_status nereus_nodes_held(const struct nereus_scenario *scenario,
                                     const struct nereus_method *method, struct nereus_nodes *nodes,
                                     struct nereus_error *err);

/** @param[in,out] state  unchanged on error */
enum nereus_status nereus_state_after(const struct nereus_machine *machine, int64_t ns, int64_t nt,
                                      const struct nereus_method *method,
                                      struct nereus_jobstate *state, struct nereus_error *err);

struct nereus_method nereus_prediction_method(const struct nereus_prediction *prediction);

/** Set prediction->nodes and node_s, the node-seconds before, during and after the reconfiguration.
 */
enum nereus_status nereus_predict_nodes(const struct nereus_scenario *scenario,
                                        struct nereus_prediction *prediction,
                                        struct nereus_error *err);

struct nereus_later_shrink {
    int64_t processes; /**< below NT; 0: no shrink */
    /** on NT processes, of the scenario's iterations_after */
    double iterations;
    double t_iter_s; /**< on `processes` */
    /** zombies may keep nodes that are not needed */
    bool any_nodes;
};

/** The states of the scenarios are not kept. */
struct nereus_outlook {
    struct nereus_scenario expand_scenario, shrink_scenario;
    struct nereus_prediction expand, shrink; /**< each with its nodes */
};

/**
 * Predict an expansion together with a later shrink, whose kinds depend on the state that the
 * expansion leaves. Candidates: merge-ts, merge-zs and the respawns that ss stands for (measured
 * ones, else all), with the data part of the expansion's method; the best for the goal is taken.
 * Allocates.
 * @param[out] prediction  of the expansion, but t_ex_s, t_ex_expected_s, wait_s and node_s are sums
 *     over both; source: the less certain one
 * @return NEREUS_ERR_ARGUMENT if it is no expansion or no shrink follows; NEREUS_ERR_ILLEGAL if no
 *     method can shrink so; else as nereus_predict and nereus_request_place
 */
enum nereus_status nereus_predict_later(const struct nereus_goal_question *question,
                                        const struct nereus_method *method,
                                        const struct nereus_later_shrink *later,
                                        struct nereus_prediction *prediction,
                                        struct nereus_outlook *outlook, struct nereus_error *err);

/**
 * Which of two methods survives more failures (docs/failures.md)?
 * @param[out] why  clause about the better one; NULL: they are equal. May be NULL.
 * @return below 0: a; above 0: b
 */
int nereus_robustness_compare(const struct nereus_prediction *a, const struct nereus_prediction *b,
                              const char **why);

NEREUS_END_C
#endif
