/**
 * @file goal.h
 * What "best" means: the goals, the nodes that a reconfiguration holds, and what is chosen among equals.
 *
 * Goals (spawning-methods 4.4 for the first two):
 *   application   least T_ex;
 *   system        among those whose RT (asynchronous: CT) is within 10 % of the least, the least T_ex;
 *   node-hours    least node-seconds held until the application ends;
 *   weights       least weighted sum of T_ex, RT and node-seconds, each over its least among the candidates that end with a resize.
 */
#ifndef NEREUS_GOAL_H
#define NEREUS_GOAL_H

#include <stdbool.h>
#include <stdint.h>

#include "predict.h"

#ifdef __cplusplus
extern "C" {
#endif

enum nereus_goal { NEREUS_GOAL_APPLICATION, NEREUS_GOAL_SYSTEM, NEREUS_GOAL_NODE_HOURS, NEREUS_GOAL_WEIGHTS };

/** What weights are given to. RT of what is asynchronous: CT and what stops the application (wait_s). */
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
#define NEREUS_RANKING_INIT                                                                                  \
    {                                                                                                        \
        .goal = NEREUS_GOAL_APPLICATION, .system_threshold = 0.1, .weights = { 0, 0, 0 }                     \
    }

/** Does a ranking look at nodes? */
bool nereus_ranking_needs_nodes(const struct nereus_ranking *ranking);

/**
 * Rank predictions of one scenario: rank_application, rank_system and, for ranking->goal, rank (and of the goal weights score).
 * All by the expected, unrounded figures. What would end after the last iteration (iterations_capped) is behind all that ends. Values that are equal to 30 bits (1e-9) are ordered by robustness
 * (nereus_robustness_compare), then as given. The goals node-hours and weights need node_s. Allocates nothing; thread-safe
 * on different predictions.
 */
void nereus_rank_for(const struct nereus_ranking *ranking, struct nereus_prediction *predictions, int count);

/**
 * Predict all methods that are possible for a pair of sizes, and rank them; for a goal that looks at nodes (nereus_ranking_needs_nodes)
 * with these.
 *
 * Allocates nothing (nor does nereus_predict without an err) where the state is NULL, initial or per node, or any other whose processes fill
 * their nodes in the order of their ranks and of which nobody sleeps, and the nodes of a machine of several have cores for old and new
 * processes together; else strategies that start several worlds do. So do methods with keep of up to NEREUS_TRANSFER_KEEP_PROCESSES processes
 * and data to move: its ranges are searched, which takes far longer, and without memory they are priced as equal blocks. Thread-safe: any number of
 * threads may ask the same profile, which is only read (nereus_profile_prepare); answers do not depend on who else asks.
 *
 * @param[in]  methods      candidates, mostly profile->methods; method_count of them
 * @param[out] predictions  room for method_count of them, in the order of the methods; those that are refused are left out
 * @return how many were predicted
 */
int nereus_predict_all(const struct nereus_profile *profile, const struct nereus_scenario *scenario,
                       const struct nereus_method *methods, int method_count,
                       const struct nereus_ranking *ranking, struct nereus_prediction *predictions);

/**
 * The same, and the two choices.
 * @param[out] predictions  to work in: room for method_count
 * @param[out] best         of the goals application and system; not written where no method is possible
 * @return how many methods were predicted
 */
int nereus_predict_best(const struct nereus_profile *profile, const struct nereus_scenario *scenario,
                        const struct nereus_method *methods, int method_count,
                        const struct nereus_ranking *ranking, struct nereus_prediction *predictions,
                        struct nereus_prediction best[2]);

/**
 * The same, and the one choice for ranking->goal. With the goals node-hours and weights and a state that is not initial it allocates, to follow where
 * each process is.
 * @param[out] best  with its nodes and score, where the goal has them; not written where no method is possible
 */
int nereus_predict_for_goal(const struct nereus_profile *profile, const struct nereus_scenario *scenario,
                            const struct nereus_method *methods, int method_count,
                            const struct nereus_ranking *ranking, struct nereus_prediction *predictions,
                            struct nereus_prediction *best);

/** The three quantities of a prediction, by enum nereus_quantity: seconds, seconds, node-seconds. */
void nereus_goal_quantities(const struct nereus_prediction *prediction, double values[NEREUS_QUANTITY_COUNT]);

/** The least and the largest of each quantity among predictions; what a weighted sum is normalised by. What would end after the last iteration is
 *  left out, unless all would. */
struct nereus_goal_extremes {
    double least[NEREUS_QUANTITY_COUNT], most[NEREUS_QUANTITY_COUNT];
};
void nereus_goal_extremes_of(const struct nereus_prediction *predictions, int count,
                             struct nereus_goal_extremes *extremes);

/** sum of weight x value / least. Where the least is 0 the divisor is the largest; where that is 0, too, nothing is added. */
double nereus_goal_score(const double weights[NEREUS_QUANTITY_COUNT],
                         const struct nereus_goal_extremes *extremes,
                         const double values[NEREUS_QUANTITY_COUNT]);

/* ---- nodes and node-seconds (held.c) ---- */

/**
 * The nodes that a job holds before, during and after a reconfiguration by a method. A node is held as long as a process of the
 * job is on it, awake or asleep; while the reconfiguration goes on, those of the old and of the new processes are held.
 * @param[in] state  of the job before it; NULL: one initial world, for which nothing is allocated
 * @return NEREUS_ERR_ILLEGAL, NEREUS_ERR_ARGUMENT as nereus_request_place; NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_nodes_held(const struct nereus_machine *machine,
                                     const struct nereus_jobstate *state, int64_t ns, int64_t nt,
                                     const struct nereus_method *method, struct nereus_nodes *nodes,
                                     struct nereus_error *err);

/** The state of a job after a reconfiguration by a method. @param[in,out] state  unchanged where it fails */
enum nereus_status nereus_state_after(const struct nereus_machine *machine, int64_t ns, int64_t nt,
                                      const struct nereus_method *method, struct nereus_jobstate *state,
                                      struct nereus_error *err);

/** The method with what its shrink means (prediction->shrink). */
struct nereus_method nereus_prediction_method(const struct nereus_prediction *prediction);

/** Fill prediction->nodes and node_s of a scenario: nereus_nodes_held and
 *  before_nodes before T(NS) + during_nodes (RT or CT, and what stops the application) + after_nodes (iterations left) T(NT). */
enum nereus_status nereus_predict_nodes(const struct nereus_scenario *scenario,
                                        struct nereus_prediction *prediction, struct nereus_error *err);

/* ---- an expansion with the shrink that it makes possible (later.c) ---- */

/** A shrink that follows an expansion. */
struct nereus_later {
    int64_t processes; /**< that it leaves, below NT; 0: none follows */
    double
        iterations; /**< of the scenario's iterations after, those on NT processes, before it; the others are on `processes` */
    double t_iter_s; /**< of one iteration on `processes` */
    bool
        any_nodes; /**< false: it has to give back the nodes that are not needed; true: zombies may keep them */
};

/** What is behind the sums of an expansion and a later shrink. The states of the scenarios are not kept. */
struct nereus_outlook {
    struct nereus_scenario expand_scenario, shrink_scenario;
    struct nereus_prediction expand, shrink; /**< each by itself, with its nodes */
};

/**
 * Predict an expansion together with the shrink that follows: the state that the expansion leaves decides what that can be. Its
 * candidates are merge-ts, merge-zs and the respawns that ss stands for (baseline, plain and with each strategy
 * that has a tree: those that the profile has measured, else all), with the data part of the expansion's method; the best for the ranking's goal is taken.
 * @param[out] prediction  of the expansion, but t_ex_s, t_ex_expected_s, wait_s and node_s are sums over both; source: the
 *                         less sure one's
 * @return NEREUS_ERR_ARGUMENT where it is no expansion, or no shrink; NEREUS_ERR_ILLEGAL where nothing can shrink it so;
 *         else as nereus_predict and nereus_request_place. Allocates; thread-safe.
 */
enum nereus_status nereus_predict_later(const struct nereus_profile *profile,
                                        const struct nereus_scenario *scenario,
                                        const struct nereus_method *method, const struct nereus_later *later,
                                        const struct nereus_ranking *ranking,
                                        struct nereus_prediction *prediction, struct nereus_outlook *outlook,
                                        struct nereus_error *err);

/* ---- robustness (robustness.c) ---- */

/**
 * Which of two predictions is of the method that survives more failures (docs/failures.md)?
 * @param[out] why  of the first difference, a clause about the better one; NULL: none. May be NULL
 * @return below 0: a; above 0: b; 0: no difference
 */
int nereus_robustness_compare(const struct nereus_prediction *a, const struct nereus_prediction *b,
                              const char **why);

#ifdef __cplusplus
}
#endif
#endif
