/**
 * @file predict.h
 * The cost of a reconfiguration: RT, alpha, omega, It, CT, T_ex.
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

/** Nodes held (goal.h). */
struct nereus_nodes {
    int64_t before, during, after;
};

enum { NEREUS_PREDICTION_NOTES_MAX = 10 };

struct nereus_prediction {
    struct nereus_method method;
    /** nereus_predicted_shrink */
    enum nereus_shrink shrink;
    struct nereus_interval rt_s;
    /** of the synchronous counterpart */
    double rt_sync_s;
    /** start-up of the profile's program beyond the calibration's own; in rt_sync_s */
    double start_up_s;
    /** of the overlapped part, not clamped; 1: synchronous */
    double alpha, omega;
    /** 90 % interval of omega: omega / factor (at least 1 if omega is above) to omega x factor; not
     * in rt_s. At most 1: none */
    double omega_factor;
    /** It, rounded as it will be measured (docs/model.md); 0: synchronous */
    double iterations;
    double iterations_expected; /**< unrounded, for rankings */
    double ct_s;                /**< 0: synchronous */
    /** RT; asynchronous: unrounded CT and the time with the application stopped */
    double wait_s;
    double t_ex_s;
    double t_ex_expected_s;            /**< unrounded, for rankings */
    int rank_application, rank_system; /**< 1: best; 0: not ranked */
    int rank;                          /**< for the goal */
    struct nereus_nodes nodes;         /**< set by nereus_predict_nodes, else 0 */
    double node_s;                     /**< until the application ends; set likewise */
    double score;
    enum nereus_source source;
    /** a part overlaps with the application; alpha, omega, It and CT are of it */
    bool overlapped;
    bool oversubscribed;
    bool shrinks;
    bool starts_nobody; /**< a merge that shrinks, only wakes zombies, or does nothing */
    /** would end after the last iteration: nothing is resized, and It is the number left */
    bool iterations_capped;
    int note_count;
    struct nereus_note notes[NEREUS_PREDICTION_NOTES_MAX]; /**< last member: not cleared */
};

/**
 * Predict one method; ranks are 0. A start that the profile prices at 0 s costs the least measured
 * one, with a note, or has no basis. Allocation: see nereus_predict_all (goal.h).
 * @return NEREUS_ERR_ARGUMENT, NEREUS_ERR_ILLEGAL or NEREUS_ERR_NO_BASIS
 */
enum nereus_status nereus_predict(const struct nereus_profile *profile,
                                  const struct nereus_scenario *scenario,
                                  const struct nereus_method *method,
                                  struct nereus_prediction *prediction, struct nereus_error *err);

/** The notes as text; "" if there are none. The profile must still exist. @return text */
char *nereus_prediction_note(const struct nereus_prediction *prediction,
                             char text[NEREUS_NOTE_TEXT_MAX]);

/** nereus_rank_for (goal.h) for the goal application, within 10 % for the goal system. */
void nereus_rank_methods(struct nereus_prediction *predictions, int count);

/** Equation 6 of spawning-methods: CT. */
double nereus_equation_6_ct_s(double iterations, double t_iter_s, double omega);
/** Equation 7: T_ex, with data that stops the application; iterations are never negative. */
double nereus_equation_7_s(double before, double t_iter_ns_s, double rt_or_ct_s,
                           double rt_blocking_s, double after, double iterations,
                           double t_iter_nt_s);

NEREUS_END_C
#endif
