/**
 * @file overlap.h
 * What an asynchronous reconfiguration and the application do to each other: RT_async (hence alpha) and
 * omega. Private to model/.
 */
#ifndef NEREUS_OVERLAP_H
#define NEREUS_OVERLAP_H

#include <stdbool.h>
#include <stdint.h>

#include "cost.h"
#include "nereus/layout.h"
#include "nereus/method.h"
#include "nereus/profile.h"

/** Which of the three RT_async models is a method's? */
enum nereus_async_group {
    NEREUS_ASYNC_PLAIN,
    NEREUS_ASYNC_SINGLE,
    NEREUS_ASYNC_SHRINK,
    NEREUS_ASYNC_GROUP_COUNT
};

struct nereus_overlap_input {
    enum nereus_async_group group;
    int64_t ns;
    struct nereus_load load;
    double own_load; /**< of the sources by themselves, on the fullest node; at least 1 */
    double e_sync,
        e_async; /**< overload of the nodes with new processes, without and with the auxiliary threads */
    double t_iter_s, rt_sync_s;
    double move_s, points_s; /**< of constant data beside the application; else 0 */
    double passed_s;         /**< the same */
    enum nereus_stage stage; /**< what the application's iterations do; the first one unless set */
    bool communicates;       /**< the threads move data (else they wait, mostly asleep) */
    bool threadless;         /**< processes start without a thread beside the application (launch) */
};

/** Everything but rt_sync_s (0). */
void nereus_overlap_input_make(const struct nereus_machine *machine, int64_t ns, int64_t nt,
                               const struct nereus_method *method, double t_iter_s,
                               struct nereus_overlap_input *input);

double nereus_overlap_feature(enum nereus_overlap_feature feature, const struct nereus_overlap_input *input);

/**
 * Candidates of the RT_async model of expansions and respawns, in the order in which a fit takes them in (a merge shrink: fit_shrink.c).
 * @param own  measured with this library's runtime, whose way to stop at a point is known
 * @return how many
 */
int nereus_overlap_terms(enum nereus_async_group group, bool own, const enum nereus_overlap_feature **terms);
/** The same for omega T_iter - T_iter. */
int nereus_overlap_omega_terms(const enum nereus_overlap_feature **terms);

/**
 * What is expected of a term's coefficient before anything was measured, and its standard deviation; 0 and 0: nothing. Physics and
 * operating systems alone, no cluster's measurements (overlap.c gives the reasons).
 */
struct nereus_overlap_expected {
    double value, deviation;
};
struct nereus_overlap_expected nereus_overlap_expected(enum nereus_overlap_feature feature);

/** With so few rows more than terms a model's spread is assumed (fit_async.c), not measured. */
enum { NEREUS_OVERLAP_FEW = 3 };

/** Value of a model; variance (may be NULL) of its coefficients. */
double nereus_overlap_value(const struct nereus_linear_model *model, const struct nereus_overlap_input *input,
                            double *variance);

/** The same by the terms of omega alone, whatever a calibration says of iterations beside threads. */
double nereus_overlap_omega_s(const struct nereus_profile *profile, const struct nereus_overlap_input *input,
                              double rt_async_s);
/** Seconds of one iteration during a reconfiguration: omega T_iter. rt_async_s: how long that takes; INFINITY: it goes on for longer. */
double nereus_overlap_iteration_s(const struct nereus_profile *profile,
                                  const struct nereus_overlap_input *input, double rt_async_s);

/** Was it measured, at this load, what iterations of this stage take beside threads (contention.c)? Not where whole reconfigurations say
 * more. */
bool nereus_contention_known(const struct nereus_profile *profile, const struct nereus_overlap_input *input);
/** Load of a source's core beside what an input says: its process, a share of the new ones, and the thread that is bound to it. */
double nereus_contention_load(const struct nereus_overlap_input *input);
/** Seconds of one iteration during a reconfiguration by that; only where nereus_contention_known. */
double nereus_contention_iteration_s(const struct nereus_profile *profile,
                                     const struct nereus_overlap_input *input);

/** How far it may be off with 90 %, relative to it (overlap_error.c): by the model of either kind. */
double nereus_overlap_iteration_reach(const struct nereus_profile *profile,
                                      const struct nereus_overlap_input *input, double rt_async_s);
/** The same in seconds, by one model. @param[out] iteration_s  by that model, which its spread is relative to */
double nereus_overlap_reach_s(const struct nereus_linear_model *model,
                              const struct nereus_overlap_input *input, double *iteration_s);
/** The same of nereus_contention_iteration_s. */
double nereus_contention_reach_s(const struct nereus_profile *profile,
                                 const struct nereus_overlap_input *input);

/** What of an RT_async passes after the thread is done, until all have come to the point at which they stop; 0: the model does not tell. */
double nereus_overlap_notice_s(const struct nereus_linear_model *model,
                               const struct nereus_overlap_input *input);

/** The RT_async model of an input's group: that of oversubscribed machines where there is one and the scenario is (as nereus_cost_model).
 */
const struct nereus_linear_model *nereus_overlap_model(const struct nereus_profile *profile,
                                                       enum nereus_async_group group, bool oversubscribed);

/** Input of data_at_points and data_by_thread. @param alone_s  what moving the data would take by itself */
void nereus_overlap_data_input(const struct nereus_machine *machine, int64_t ns, int64_t nt,
                               const struct nereus_method *method, double t_iter_s, double alone_s,
                               struct nereus_overlap_input *input);

/** Constant data that moves beside the application (overlap_data.c). */
struct nereus_overlap_data {
    struct nereus_cost_sum sum; /**< how long that takes */
    double iteration_s;         /**< how long an iteration takes meanwhile */
    double reach;               /**< how far that may be off with 90 %, relative */
};

/** @param alone  what it would take by itself; @param method one with an overlap */
void nereus_overlap_data_make(const struct nereus_profile *profile, const struct nereus_machine *machine,
                              int64_t ns, int64_t nt, const struct nereus_method *method, double t_iter_s,
                              enum nereus_stage stage, const struct nereus_cost_sum *alone,
                              struct nereus_overlap_data *data);

/** Iterations that overlap, as they will be measured (ceil) and as expected. Both are at least 1. @param noticed_late  half an iteration later */
double nereus_overlap_iterations(double rt_async_s, double iteration_s, bool noticed_late);
double nereus_overlap_iterations_expected(double rt_async_s, double iteration_s);

#endif
