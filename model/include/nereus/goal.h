/**
 * @file goal.h
 * Defines goals, and chooses the best method for a goal, with nodes held, prediction intervals, a
 * later shrink, and robustness as tie-breaker. Goals (the first two: Martín-Álvarez et al. (2024a),
 * section 4.4):
 *
 *   application   least T_ex;
 *   system        least T_ex among methods whose RT (asynchronous: CT) is within 10 % of the least;
 *   node-hours    least node-seconds until the application ends;
 *   energy        least energy of the nodes that the job holds until then;
 *   weights       least weighted sum of T_ex, RT, node-seconds and energy, each divided by its
 *                 minimum over the candidates that complete the resize.
 */
#ifndef NEREUS_GOAL_H
#define NEREUS_GOAL_H

#include <stdbool.h>
#include <stdint.h>

#include "node_power.h"
#include "predict.h"

NEREUS_BEGIN_C

enum nereus_goal {
    NEREUS_GOAL_APPLICATION,
    NEREUS_GOAL_SYSTEM,
    NEREUS_GOAL_NODE_HOURS,
    NEREUS_GOAL_ENERGY,
    NEREUS_GOAL_WEIGHTS
};

/** Quantities of the weighted sum. RT is wait_s of the prediction. */
enum nereus_quantity {
    NEREUS_QUANTITY_T_EX,
    NEREUS_QUANTITY_RT,
    NEREUS_QUANTITY_NODE_HOURS,
    NEREUS_QUANTITY_ENERGY,
    NEREUS_QUANTITY_COUNT
};

struct nereus_ranking {
    enum nereus_goal goal;
    double system_threshold;               /**< at least 0 */
    double weights[NEREUS_QUANTITY_COUNT]; /**< at least 0, not all 0 */
    struct nereus_node_power power;        /**< for energies */
};
#define NEREUS_RANKING_INIT                                                                        \
    {                                                                                              \
        .goal = NEREUS_GOAL_APPLICATION, .system_threshold = 0.1, .weights = { 0 }                 \
    }

/** Does the goal need node_s and energy_j of the predictions (node-hours, energy and weights)? */
bool nereus_ranking_needs_nodes(const struct nereus_ranking *ranking);

/**
 * Rank predictions of one scenario by the unrounded figures: rank_application, rank_system and,
 * for the goal, rank (and score). Methods that would end after the last iteration
 * (iterations_capped) come last. Ties (equal to 30 bits, 1e-9) are ordered by robustness, then as
 * given. The goals node-hours, energy and weights need node_s and energy_j.
 * @param[in,out] predictions  array of count; the order stays
 */
void nereus_rank_by_goal(const struct nereus_ranking *ranking,
                         struct nereus_prediction *predictions, int count);

/** A question: which method is best in a scenario for a goal. All pointers are the caller's. */
struct nereus_goal_question {
    const struct nereus_profile *profile;
    const struct nereus_scenario *scenario;
    const struct nereus_ranking *ranking;
};

/**
 * Predict every candidate that is possible, and rank them. Sets node_s if the goal needs it.
 *
 * Allocates nothing (nor does nereus_predict without err) for the states NULL, initial and per
 * node, and for any other whose processes fill their nodes in rank order, without zombies, if the
 * nodes of a finite machine of several have cores for old and new processes together. Otherwise
 * strategies with several worlds allocate. So do methods with keep, up to
 * NEREUS_TRANSFER_KEEP_PROCESSES processes, with data: without memory they are priced as equal
 * blocks. Thread-safe: the profile is only read (nereus_profile_prepare).
 *
 * @param[in]  methods      candidates, usually those of the profile
 * @param[out] predictions  array of method_count; in the candidates' order, without impossible ones
 * @return number of predictions
 */
int nereus_predict_all(const struct nereus_goal_question *question,
                       const struct nereus_method *methods, int method_count,
                       struct nereus_prediction *predictions);

/**
 * nereus_predict_all, and the best methods for the goals application and system.
 * @param[out] predictions  as of nereus_predict_all
 * @param[out] best         not written if no method is possible
 * @return number of predictions
 */
int nereus_predict_best(const struct nereus_goal_question *question,
                        const struct nereus_method *methods, int method_count,
                        struct nereus_prediction *predictions, struct nereus_prediction best[2]);

/**
 * nereus_predict_all, and the best method for the goal. For node-hours, energy and weights it
 * allocates in a state that is not initial.
 * @param[out] predictions  as of nereus_predict_all
 * @param[out] best_prediction         not written if no method is possible
 * @return number of predictions
 */
int nereus_predict_for_goal(const struct nereus_goal_question *question,
                            const struct nereus_method *methods, int method_count,
                            struct nereus_prediction *predictions,
                            struct nereus_prediction *best_prediction);

/**
 * The method with the smaller maximum regret over two scenarios, for instance of unknown scaling
 * (minimax regret); only the best methods of both are compared. The regret is in node-seconds or
 * joules where the goal is, else in T_ex.
 * @param[in]  other        scenario that differs from the question's in iteration times only
 * @param[out] predictions  as of nereus_predict_all, for the question's scenario
 * @param[out] best_prediction         prediction for the question's scenario; not ranked if it is
 * the best method of `other`
 * @return number of predictions for the question's scenario
 */
int nereus_predict_minimax_regret(const struct nereus_goal_question *question,
                                  const struct nereus_scenario *other,
                                  const struct nereus_method *methods, int method_count,
                                  struct nereus_prediction *predictions,
                                  struct nereus_prediction *best_prediction);

/**
 * The quantities of a prediction that a weighted sum has, by enum nereus_quantity: t_ex_expected_s,
 * wait_s, node_s, energy_j.
 * @param[out] values  in seconds, node-seconds and joules
 */
void nereus_goal_read_quantities(const struct nereus_prediction *prediction,
                                 double values[NEREUS_QUANTITY_COUNT]);

/** Minimum and maximum of each quantity, to normalise weighted sums. Methods that would end after
 * the last iteration are left out, unless all would. */
struct nereus_goal_extremes {
    double min[NEREUS_QUANTITY_COUNT], max[NEREUS_QUANTITY_COUNT];
    bool any_ends; /**< a method ends before the last iteration */
};
/**
 * Extremes of `count` predictions.
 * @param[out] extremes  without predictions INFINITY and 0
 */
void nereus_goal_extremes_make(const struct nereus_prediction *predictions, int count,
                               struct nereus_goal_extremes *extremes);
/**
 * Include a prediction in the extremes, which start as those of 0 predictions.
 * @param[in,out] extremes  of the predictions so far
 */
void nereus_goal_extremes_add(const struct nereus_prediction *prediction,
                              struct nereus_goal_extremes *extremes);

/** Sum of weight x value / least. If the least is 0 the divisor is the largest; if that is 0, the
 * quantity is left out. */
double nereus_goal_score(const double weights[NEREUS_QUANTITY_COUNT],
                         const struct nereus_goal_extremes *extremes,
                         const double values[NEREUS_QUANTITY_COUNT]);

/** The 90 % prediction interval of a measured omega: a ratio of few iterations, the last of which
 * overlaps only in part, to iterations before; both have measurement scatter. Synchronous: no
 * width. */
struct nereus_interval nereus_omega_interval(const struct nereus_scenario *scenario,
                                             const struct nereus_prediction *prediction);

/** The 90 % interval of It, in whole iterations; all 0 for a synchronous method. */
struct nereus_interval nereus_iterations_interval(const struct nereus_scenario *scenario,
                                                  const struct nereus_prediction *prediction);

/** One quantity, or the weighted score. */
struct nereus_goal_figure {
    enum nereus_quantity quantity;
    const double *weights;                       /**< weights of the score; NULL: use `quantity` */
    const struct nereus_goal_extremes *extremes; /**< extremes of each quantity, for the score */
};

/** The figure that a goal compares: one of the values, or the score of all. */
double nereus_goal_figure_value(const struct nereus_goal_figure *figure,
                                const double values[NEREUS_QUANTITY_COUNT]);

struct nereus_goal_part {
    const struct nereus_scenario *scenario;
    const struct nereus_prediction *prediction;
};

/**
 * The 90 % interval of a figure, propagated from those of RT and omega. A longer RT delays a
 * synchronous reconfiguration, and makes an asynchronous one overlap more iterations, each of which
 * costs the difference between a slowed iteration on NS and one on NT processes. A larger omega
 * makes it overlap fewer.
 * @param[in] parts  whose quantities are summed: one prediction, or an expansion and its later
 *                   shrink, whose errors are taken as fully correlated, as both come from one
 *                   profile
 */
struct nereus_interval nereus_goal_interval(const struct nereus_goal_part *parts, int count,
                                            const struct nereus_goal_figure *figure);

/**
 * The nodes that a job holds before, during and after a reconfiguration: those with a process,
 * awake or asleep, and during it those of old and new processes. Without a state: one initial
 * world, for which nothing is allocated.
 * @param[out] nodes  numbers of nodes
 * @return as nereus_request_place
 */
enum nereus_status nereus_predict_held_nodes(const struct nereus_scenario *scenario,
                                             const struct nereus_method *method,
                                             struct nereus_nodes *nodes, struct nereus_error *err);

/**
 * The job's state after a reconfiguration by a method.
 * @param[in,out] state  unchanged on error
 * @return as nereus_request_place (model/plan/placement.h)
 */
enum nereus_status nereus_jobstate_reconfigure(const struct nereus_machine *machine, int64_t ns,
                                               int64_t nt, const struct nereus_method *method,
                                               struct nereus_jobstate *state,
                                               struct nereus_error *err);

/** The method of a prediction, with the shrink kind that it was predicted with. */
struct nereus_method nereus_prediction_method(const struct nereus_prediction *prediction);

/**
 * Set prediction->nodes and node_s, the node-seconds before, during and after the reconfiguration,
 * and power_w and energy_j of these nodes. A node that no awake process needs (zombies) is idle.
 * @param[in]     power       NULL: 0 W
 * @param[in,out] prediction  of that scenario
 * @return as nereus_predict_held_nodes
 */
enum nereus_status nereus_predict_nodes(const struct nereus_scenario *scenario,
                                        const struct nereus_node_power *power,
                                        struct nereus_prediction *prediction,
                                        struct nereus_error *err);

struct nereus_later_shrink {
    int64_t processes; /**< below NT; 0: no shrink */
    double iterations; /**< between expansion and shrink; part of the scenario's iterations_after */
    double t_iter_s;   /**< iteration time after the shrink */
    bool any_nodes;    /**< zombies may remain on nodes that the job no longer needs */
};

/** An expansion and its later shrink. Both scenarios' state is NULL. */
struct nereus_later_prediction {
    struct nereus_scenario expand_scenario, shrink_scenario;
    struct nereus_prediction expand, shrink; /**< with nodes, node_s and energy_j */
};

/**
 * Predict an expansion together with a later shrink. Which shrinks are possible depends on the job
 * state after the expansion. Candidates are merge-ts, merge-zs and the baseline methods that ss
 * stands for (measured ones, else all), with the data part of the expansion's method; the best for
 * the goal is chosen. Allocates.
 * @param[out] prediction  of the expansion, except that t_ex_s, t_ex_expected_s, wait_s, node_s
 *                         and energy_j are sums over both, and source is the less certain one
 * @param[out] predictions        the two predictions alone
 * @return NEREUS_ERR_ARGUMENT if it is no expansion or no shrink follows; NEREUS_ERR_ILLEGAL if no
 *         method can shrink so; else as nereus_predict and nereus_request_place
 */
enum nereus_status nereus_predict_later(const struct nereus_goal_question *question,
                                        const struct nereus_method *method,
                                        const struct nereus_later_shrink *later_shrink,
                                        struct nereus_prediction *prediction,
                                        struct nereus_later_prediction *predictions,
                                        struct nereus_error *err);

/**
 * Which of two methods survives more failures (docs/failures.md)?
 * @param[out] why  clause about the better one; NULL: they are equal. May be NULL.
 * @return below 0: a; above 0: b
 */
int nereus_robustness_compare(const struct nereus_prediction *a, const struct nereus_prediction *b,
                              const char **why);

NEREUS_END_C
#endif
