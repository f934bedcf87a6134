/**
 * @file predict.h
 * The cost of a reconfiguration: RT, alpha, omega, It, CT, T_ex, and the ranking for a goal. All
 * functions are local; thread-safe on different predictions.
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

NEREUS_BEGIN_C

enum nereus_source { NEREUS_MEASURED, NEREUS_MODELLED, NEREUS_EXTRAPOLATED };
const char *nereus_source_name(enum nereus_source source);

/** Nodes held before, during and after a reconfiguration (goal.h). */
struct nereus_nodes {
    int64_t before, during, after;
};

enum { NEREUS_PREDICTION_NOTES_MAX = 10 };

struct nereus_prediction {
    struct nereus_method method;
    /** kind of a shrink that the method leaves open (nereus_predicted_shrink) */
    enum nereus_shrink shrink;
    struct nereus_interval rt_s;
    /** RT of the synchronous counterpart (= rt_s for synchronous methods) */
    double rt_sync_s;
    /** part of rt_sync_s: start-up of the profile's program beyond the calibration's own; 0: the
     * profile has none, or nothing is started */
    double start_up_s;
    /** of the overlapped part; 1 and 1 for synchronous methods; not clamped */
    double alpha, omega;
    /** 90 % interval of omega: omega / factor (at least 1 if omega is above) to omega x factor;
     * errors not in rt_s. At most 1: none, or values_only */
    double omega_factor;
    /** as will be measured (ceil of equation 6 with + 0.5, docs/model.md); 0 if synchronous */
    double iterations;
    double iterations_expected; /**< unrounded; the ranking uses it */
    double ct_s;                /**< seconds; 0 if synchronous */
    /** RT; asynchronous: CT (unrounded) + time with the application stopped */
    double wait_s;
    double t_ex_s;                     /**< from the rounded figures */
    double t_ex_expected_s;            /**< from the unrounded figures: ranks by this */
    int rank_application, rank_system; /**< 1: best; 0: not ranked */
    int rank;                          /**< for the goal of nereus_rank_for */
    struct nereus_nodes nodes;         /**< 0 unless nereus_predict_nodes has set them */
    double node_s;                     /**< node-seconds until the application ends; set likewise */
    double score;                      /**< of the goal weights */
    enum nereus_source source;
    /** a part overlaps with the application: alpha, omega, It and CT are of that part */
    bool overlapped;
    bool oversubscribed;
    bool shrinks;       /**< NT < NS */
    bool starts_nobody; /**< a merge that shrinks, only wakes zombies, or does nothing */
    /**
     * would end after the last iteration, so nothing is resized: It is the number of iterations
     * left; ranked last
     */
    bool iterations_capped;
    int note_count;
    struct nereus_note notes[NEREUS_PREDICTION_NOTES_MAX]; /**< last member: not cleared */
};

/**
 * Predict one method: RT (measured, or priced), alpha, omega, It, CT, T_ex. Ranks are 0. A start
 * that the profile prices at 0 s costs the least measured one (with a note), or has no basis.
 * Allocation: see nereus_predict_all (goal.h).
 * @return NEREUS_ERR_ARGUMENT, NEREUS_ERR_ILLEGAL or NEREUS_ERR_NO_BASIS
 */
enum nereus_status nereus_predict(const struct nereus_profile *profile,
                                  const struct nereus_scenario *scenario,
                                  const struct nereus_method *method,
                                  struct nereus_prediction *prediction, struct nereus_error *err);

/**
 * Put the notes of a prediction in words: stand-ins that were used, and what lies outside the
 * measured range; "" where there are none. The profile must still exist.
 * @return text
 */
char *nereus_prediction_note(const struct nereus_prediction *prediction,
                             char text[NEREUS_NOTE_TEXT_MAX]);

/**
 * Rank predictions of one scenario for the two goals of spawning-methods (sets rank_application and
 * rank_system; rank is that of the application). Application: least T_ex. System: among the methods
 * whose RT (asynchronous: CT) is within 10 % of the least, the one with the least T_ex; the others
 * follow by RT (CT). Methods that would end after the last iteration come last. Equal values (1e-9)
 * are ordered by robustness, then as given. Other goals and thresholds: nereus_rank_for (goal.h).
 * Allocates nothing.
 */
void nereus_rank_methods(struct nereus_prediction *predictions, int count);

/* Equations of spawning-methods, as pure functions (tested against the paper's numbers). */

/** Equation 6: CT in seconds. */
double nereus_equation_6_ct_s(double iterations, double t_iter_s, double omega);
/** Equation 7: T_ex in seconds, with data that stops the application; never counts negative
 * iterations. */
double nereus_equation_7_s(double before, double t_iter_ns_s, double rt_or_ct_s,
                           double rt_blocking_s, double after, double iterations,
                           double t_iter_nt_s);

NEREUS_END_C
#endif
