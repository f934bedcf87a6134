/**
 * @file predict.h
 * What a reconfiguration will cost: RT, alpha, omega, It, CT, T_ex, and the ranking for a goal.
 */
#ifndef NEREUS_PREDICT_H
#define NEREUS_PREDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "jobstate.h"
#include "layout.h"
#include "note.h"
#include "plan.h"
#include "price.h"
#include "profile.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum nereus_source { NEREUS_MEASURED, NEREUS_MODELLED, NEREUS_EXTRAPOLATED };
const char *nereus_source_name(enum nereus_source source);

/** Nodes that a job holds before, during and after a reconfiguration (goal.h). */
struct nereus_nodes {
    int64_t before, during, after;
};

enum { NEREUS_PREDICTION_NOTES_MAX = 10 };

struct nereus_prediction {
    struct nereus_method method;
    enum nereus_shrink
        shrink; /**< what a shrink that the method leaves open means (nereus_predicted_shrink) */
    struct nereus_interval rt_s;
    double rt_sync_s; /**< RT of the synchronous twin (= rt_s for synchronous methods) */
    double alpha,
        omega; /**< of what is beside the application; 1 and 1 for synchronous methods; never clamped */
    double
        omega_factor; /**< omega lies between itself over and times this with 90 %, never below 1 where it is above: errors that are not in rt_s; at most 1: none, or nobody asked */
    double
        iterations; /**< as will be measured (ceil of equation 6 with MODEL.md's + 0.5); 0 when synchronous */
    double iterations_expected; /**< unrounded, what the ranking uses */
    double ct_s;                /**< 0 when synchronous */
    double wait_s; /**< RT; asynchronous: CT (unrounded) + what must be done with the application stopped */
    double t_ex_s; /**< from the rounded figures */
    double t_ex_expected_s;            /**< from the unrounded ones: ranks by this */
    int rank_application, rank_system; /**< 1 is the choice; 0: not ranked */
    int rank;                          /**< for the goal that was asked for (nereus_rank_for) */
    struct nereus_nodes nodes;         /**< 0 unless nereus_predict_nodes has filled them */
    double node_s;                     /**< node-seconds held until the application ends; the same */
    double score;                      /**< of the goal weights */
    enum nereus_source source;
    bool
        beside; /**< part of it is carried out beside the application: alpha, omega, It and CT say of that part */
    bool oversubscribed;
    bool shrinks;       /**< NT < NS */
    bool starts_nobody; /**< a merge that shrinks, wakes all that it needs, or has nothing to do */
    bool
        iterations_capped; /**< would end after the last iteration, so that nothing is resized: It is that of the iterations left; ranked last */
    int note_count;
    struct nereus_note notes[NEREUS_PREDICTION_NOTES_MAX]; /**< the last member: not cleared */
};

/** Everything about one method: RT (measured where it was, else priced), alpha, omega, It, CT, T_ex. Ranks stay 0. A start that the profile would
 * price at 0 s costs the least measured one (note), or has no basis (NEREUS_ERR_NO_BASIS). What allocates: goal.h. */
enum nereus_status nereus_predict(const struct nereus_profile *profile,
                                  const struct nereus_scenario *scenario, const struct nereus_method *method,
                                  struct nereus_prediction *prediction, struct nereus_error *err);

/**
 * Put the notes of a prediction in words: stand-ins that were used, and what lies outside the
 * measured range; "" where there are none. The profile must still exist.
 * @return text
 */
char *nereus_prediction_note(const struct nereus_prediction *prediction, char text[NEREUS_NOTE_TEXT_MAX]);

/**
 * Rank predictions of one scenario for the two goals of spawning-methods (fills rank_application and rank_system; rank is that of the
 * application). Application: least T_ex. System: among the methods whose RT (asynchronous: CT) is within 10 % of the least, the one with
 * the least T_ex; the others follow by RT (CT). What would end after the last iteration comes last. Equal values (1e-9) are ordered by robustness, then as given. Other goals and another
 * threshold: nereus_rank_for (goal.h). Allocates nothing; thread-safe on different predictions.
 */
void nereus_rank_methods(struct nereus_prediction *predictions, int count);

/* Equations of spawning-methods, as pure functions (tested against the paper's numbers). */
double nereus_equation_1_s(double t_spawn_s);                    /**< RT baseline */
double nereus_equation_2_s(double t_spawn_s, double t_merge_s);  /**< RT merge expand */
double nereus_equation_3_s(double t_split_s, double t_gather_s); /**< RT merge shrink */
double nereus_equation_6_iterations(double rt_s, double alpha, double t_iter_s,
                                    double omega); /**< ceil(alpha RT / (omega T_iter)) */
double nereus_equation_6_ct_s(double iterations, double t_iter_s, double omega);
double nereus_equation_7_s(double before, double t_iter_ns_s, double rt_or_ct_s, double rt_blocking_s,
                           double after, double iterations,
                           double t_iter_nt_s);                /**< T_ex; never counts negative iterations */
double nereus_equation_8_s(double t_seq_s, int64_t processes); /**< strong scaling */

#ifdef __cplusplus
}
#endif
#endif
