/**
 * @file goal.h
 * Goals: what "best" means, the nodes that a reconfiguration holds, and the order of equal methods.
 * All functions are local; thread-safe on different predictions.
 *
 * Goals (the first two: spawning-methods 4.4):
 *   application   least T_ex;
 *   system        among methods whose RT (asynchronous: CT) is within 10 % of the least, least
 *                 T_ex;
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

/**
 * Quantities with weights. RT of asynchronous methods: CT and the time with the application stopped
 * (wait_s).
 */
enum nereus_quantity {
    NEREUS_QUANTITY_T_EX,
    NEREUS_QUANTITY_RT,
    NEREUS_QUANTITY_NODE_HOURS,
    NEREUS_QUANTITY_COUNT
};

struct nereus_ranking {
    enum nereus_goal goal;
    double system_threshold;               /**< 0.1: within 10 % of the least RT; at least 0 */
    double weights[NEREUS_QUANTITY_COUNT]; /**< at least 0; for the goal weights, not all 0 */
};
#define NEREUS_RANKING_INIT                                                                        \
    {                                                                                              \
        .goal = NEREUS_GOAL_APPLICATION, .system_threshold = 0.1, .weights = { 0, 0, 0 }           \
    }

/** Does a ranking use nodes? */
bool nereus_ranking_needs_nodes(const struct nereus_ranking *ranking);

/**
 * Rank predictions of one scenario: rank_application, rank_system and, for ranking->goal, rank (and
 * for the goal weights score), by the expected, unrounded figures. Methods that would end after the
 * last iteration (iterations_capped) come last. Values equal to 30 bits (1e-9) are ordered by
 * robustness (nereus_robustness_compare), then as given. The goals node-hours and weights need
 * node_s. Allocates nothing.
 */
void nereus_rank_for(const struct nereus_ranking *ranking, struct nereus_prediction *predictions,
                     int count);

/** What is predicted: a scenario, by a profile, for a goal. All are the caller's and only read. */
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

/** nereus_predict_all, and the choices for the goals application and system.
 * @param[out] best  not written if no method is possible; so in the next two functions */
int nereus_predict_best(const struct nereus_goal_question *question,
                        const struct nereus_method *methods, int method_count,
                        struct nereus_prediction *predictions, struct nereus_prediction best[2]);

/** nereus_predict_all, and the choice for the goal of the ranking. Allocates for the goals node-hours
 * and weights in a state that is not initial, to follow where each process is. */
int nereus_predict_for_goal(const struct nereus_goal_question *question,
                            const struct nereus_method *methods, int method_count,
                            struct nereus_prediction *predictions, struct nereus_prediction *best);

/**
 * The choice where either of two scenarios may hold, as for iterations of an unknown law: of the
 * choices of both the one that loses less T_ex in the scenario of the other (minimax regret).
 * @param[in]  other  scenario that differs from the question's in iteration times only
 * @param[out] best   predicted for the question's scenario; without ranks if it is the other's choice
 * @return how many methods were predicted for the question's scenario
 */
int nereus_predict_for_either(const struct nereus_goal_question *question,
                              const struct nereus_scenario *other,
                              const struct nereus_method *methods, int method_count,
                              struct nereus_prediction *predictions,
                              struct nereus_prediction *best);

/** The quantities of a prediction, by enum nereus_quantity: seconds, seconds, node-seconds. */
void nereus_goal_quantities(const struct nereus_prediction *prediction,
                            double values[NEREUS_QUANTITY_COUNT]);

/** Least and largest of each quantity among predictions, to normalise weighted sums. Methods that
 * would end after the last iteration are left out, unless all would. */
struct nereus_goal_extremes {
    double least[NEREUS_QUANTITY_COUNT], most[NEREUS_QUANTITY_COUNT];
};
void nereus_goal_extremes_of(const struct nereus_prediction *predictions, int count,
                             struct nereus_goal_extremes *extremes);

/** Sum of weight x value / least. If the least is 0 the divisor is the largest; if that is 0,
 * nothing is added. */
double nereus_goal_score(const double weights[NEREUS_QUANTITY_COUNT],
                         const struct nereus_goal_extremes *extremes,
                         const double values[NEREUS_QUANTITY_COUNT]);

/* ---- intervals of quantities (quantity_interval.c) ---- */

/**
 * The 90 % interval of omega as measured: over few iterations, the last of which overlaps only in
 * part, relative to the iterations before; both repeat to 4 %, and above the cores they scatter by
 * time slices. Its low end is below 1 only there, or where omega is; for a synchronous method it is
 * the value.
 */
struct nereus_interval nereus_omega_interval(const struct nereus_scenario *scenario,
                                             const struct nereus_prediction *prediction);

/** The 90 % interval of It, whole numbers; 0 0 0 for a synchronous method. */
struct nereus_interval nereus_iterations_interval(const struct nereus_scenario *scenario,
                                                  const struct nereus_prediction *prediction);

/** One quantity, or the weighted score. */
struct nereus_goal_figure {
    enum nereus_quantity quantity;
    const double *weights;                       /**< NULL: the quantity */
    const struct nereus_goal_extremes *extremes; /**< of the score */
};

/** A prediction and its scenario. */
struct nereus_goal_part {
    const struct nereus_scenario *scenario;
    const struct nereus_prediction *prediction;
};

/**
 * The interval of a figure, propagated from those of RT and omega. With a longer RT a synchronous
 * reconfiguration takes longer, and an asynchronous one overlaps more iterations, each of which
 * costs the difference between a slowed iteration on NS and an iteration on NT processes. With a
 * larger omega it overlaps fewer. Allocates nothing.
 * @param[in] parts  whose quantities add up: one, or an expansion and its later shrink, which err
 *    together, as both come from one profile
 */
struct nereus_interval nereus_goal_interval(const struct nereus_goal_part *parts, int count,
                                            const struct nereus_goal_figure *figure);

/* ---- nodes and node-seconds (node_seconds.c) ---- */

/**
 * The nodes that a job holds before, during and after a reconfiguration. A node is held while a
 * process of the job, awake or asleep, is on it; during the reconfiguration those of old and new
 * processes.
 * @param[in] scenario  without a state: one initial world, for which nothing is allocated
 * @return NEREUS_ERR_ILLEGAL, NEREUS_ERR_ARGUMENT as nereus_request_place; NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_nodes_held(const struct nereus_scenario *scenario,
                                     const struct nereus_method *method, struct nereus_nodes *nodes,
                                     struct nereus_error *err);

/** The state of a job after a reconfiguration. @param[in,out] state unchanged on error */
enum nereus_status nereus_state_after(const struct nereus_machine *machine, int64_t ns, int64_t nt,
                                      const struct nereus_method *method,
                                      struct nereus_jobstate *state, struct nereus_error *err);

/** The method with a definite shrink kind (prediction->shrink). */
struct nereus_method nereus_prediction_method(const struct nereus_prediction *prediction);

/**
 * Set prediction->nodes and node_s: nereus_nodes_held, and before_nodes before T(NS) + during_nodes
 * (RT or CT, and the stopped time) + after_nodes (iterations left) T(NT).
 */
enum nereus_status nereus_predict_nodes(const struct nereus_scenario *scenario,
                                        struct nereus_prediction *prediction,
                                        struct nereus_error *err);

/* ---- an expansion with a later shrink (later_shrink.c) ---- */

/** A shrink that follows an expansion. */
struct nereus_later_shrink {
    int64_t processes; /**< processes after it, below NT; 0: no shrink */
    /** iterations on NT processes before it, of the scenario's iterations_after */
    double iterations;
    double t_iter_s; /**< seconds of one iteration on `processes` */
    /** false: it must give back nodes that are not needed; true: zombies may keep them */
    bool any_nodes;
};

/** The two parts of a prediction with a later shrink. The states of the scenarios are not kept. */
struct nereus_outlook {
    struct nereus_scenario expand_scenario, shrink_scenario;
    struct nereus_prediction expand, shrink; /**< each by itself, with its nodes */
};

/**
 * Predict an expansion together with a later shrink, whose possible kinds depend on the state that
 * the expansion leaves. Candidates: merge-ts, merge-zs and the respawns that ss stands for
 * (baseline, plain and with each strategy that has a tree: measured ones, else all), with the data
 * part of the expansion's method; the best for the ranking's goal is taken.
 * @param[out] prediction  of the expansion, but t_ex_s, t_ex_expected_s, wait_s and node_s are sums
 *         over both; source: the less certain one
 * @return NEREUS_ERR_ARGUMENT if it is no expansion or no shrink follows; NEREUS_ERR_ILLEGAL if no
 *         method can shrink so; else as nereus_predict and nereus_request_place. Allocates.
 */
enum nereus_status nereus_predict_later(const struct nereus_goal_question *question,
                                        const struct nereus_method *method,
                                        const struct nereus_later_shrink *later,
                                        struct nereus_prediction *prediction,
                                        struct nereus_outlook *outlook, struct nereus_error *err);

/* ---- robustness (robustness.c) ---- */

/**
 * Which of two methods survives more failures (docs/failures.md)?
 * @param[out] why  clause about the better one, from the first difference; NULL: none. May be NULL
 * @return below 0: a; above 0: b; 0: no difference
 */
int nereus_robustness_compare(const struct nereus_prediction *a, const struct nereus_prediction *b,
                              const char **why);

NEREUS_END_C
#endif
