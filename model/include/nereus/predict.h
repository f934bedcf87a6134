/**
 * @file predict.h
 * Predicts the cost of a reconfiguration: RT, alpha, omega, It, CT, T_ex.
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
/** Name of a source, such as "measured". Never NULL. */
const char *nereus_source_name(enum nereus_source source);

/** Power of all nodes held, in watts. */
struct nereus_held_power {
    double before, during, after;
};

/** Nodes held (goal.h). */
struct nereus_nodes {
    int64_t before, during, after;
};

enum { NEREUS_PREDICTION_NOTES_MAX = 10 };

struct nereus_prediction {
    struct nereus_method method;
    enum nereus_shrink shrink; /**< as nereus_predicted_shrink_kind */
    struct nereus_interval rt_s;
    double rt_sync_s; /**< RT of the synchronous counterpart */
    /** start-up time of the profile's program beyond that of the calibration program; included in
     * rt_sync_s */
    double start_up_s;
    /** for the overlapped part, not clamped; 1 if synchronous */
    double alpha, omega;
    /** 90 % interval of omega: omega / factor (at least 1 if omega is above) to omega x factor; not
     * in rt_s. At most 1: none */
    double omega_factor;
    /** It, rounded as a measurement counts it (docs/model.md); 0 if synchronous */
    double iterations;
    double iterations_expected; /**< unrounded, for rankings */
    double ct_s;                /**< 0 if synchronous */
    /** RT; asynchronous: unrounded CT and the time with the application stopped */
    double wait_s;
    double t_ex_s;
    double t_ex_expected_s;            /**< unrounded, for rankings */
    int rank_application, rank_system; /**< 1: best; 0: not ranked */
    int rank;                          /**< for the goal */
    struct nereus_nodes nodes;         /**< set by nereus_predict_nodes, else 0 */
    double node_s;                     /**< node-seconds; set by nereus_predict_nodes, else 0 */
    struct nereus_held_power power_w;  /**< as node_s */
    double energy_j;                   /**< as node_s */
    double score;
    enum nereus_source source;
    /** a part overlaps with the application; alpha, omega, It and CT describe that part */
    bool overlapped;
    bool oversubscribed;
    bool shrinks;
    bool starts_nobody; /**< starts no process: a merge that shrinks or only wakes zombies */
    /** would end after the last iteration: no resize, and It is the number of iterations left */
    bool iterations_capped;
    int note_count;
    struct nereus_note notes[NEREUS_PREDICTION_NOTES_MAX]; /**< last member: not cleared */
};

/**
 * Predict one method; ranks are 0. If the profile's model gives 0 s for a start of processes, there
 * is no basis. Allocation: see nereus_predict_all (goal.h).
 * @param[out] prediction  complete but for ranks, nodes, node_s, power_w and energy_j
 * @return NEREUS_ERR_ARGUMENT, NEREUS_ERR_ILLEGAL or NEREUS_ERR_NO_BASIS
 */
enum nereus_status nereus_predict(const struct nereus_profile *profile,
                                  const struct nereus_scenario *scenario,
                                  const struct nereus_method *method,
                                  struct nereus_prediction *prediction, struct nereus_error *err);

/**
 * The notes as text; "" if there are none. The profile must still exist.
 * @param[out] text  NEREUS_NOTE_TEXT_MAX characters
 * @return text
 */
char *nereus_prediction_note(const struct nereus_prediction *prediction,
                             char text[NEREUS_NOTE_TEXT_MAX]);

/**
 * nereus_rank_by_goal (goal.h) for the goal application, within 10 % for the goal system.
 * @param[in,out] predictions  array of count; the order stays
 */
void nereus_rank_methods(struct nereus_prediction *predictions, int count);

/** CT by equation 6 of Martín-Álvarez et al. (2024a). */
double nereus_equation_6_ct_s(double iterations, double t_iter_s, double omega);
/** T_ex by equation 7, with data that stops the application; iterations are never negative. */
double nereus_equation_7_s(double iterations_before, double t_iter_ns_s, double rt_or_ct_s,
                           double rt_blocking_s, double iterations_after, double iterations,
                           double t_iter_nt_s);

NEREUS_END_C
#endif
