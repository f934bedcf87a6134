/**
 * @file overlap.h
 * Prices the interaction of an asynchronous reconfiguration and the application: RT_async (hence
 * alpha) and omega. Private to model/.
 */
#pragma once

#include "cost_sum.h"
#include "nereus/layout.h"
#include "nereus/method.h"
#include "nereus/profile.h"

/** The three RT_async models. */
enum nereus_async_group { NEREUS_ASYNC_PLAIN, NEREUS_ASYNC_SINGLE, NEREUS_ASYNC_SHRINK };

struct nereus_overlap_input {
    enum nereus_async_group group;
    int64_t ns;
    struct nereus_load load;
    double own_load; /**< load of the sources alone, on the fullest node; at least 1 */
    /** overload of nodes with new processes, without and with auxiliary threads */
    double e_sync, e_async;
    double t_iter_s, rt_sync_s;
    /** RT_async and It, of measured rows and by nereus_overlap_input_make_locked */
    double rt_async_s, iterations;
    /** overlapped constant data, else 0: time to move it, with the load of a thread; time until the
     * thread's end is seen at a point; time of the points that pass until all stop */
    double move_s, points_s, passed_s;
    /** stage of the application's iterations; the first one by default */
    enum nereus_stage stage;
    bool communicates; /**< the threads move data (else they wait, mostly asleep) */
    /** processes are launched (the thread that waits for them sleeps), or the auxiliary thread has
     * a core of its own */
    bool no_thread_on_application_core;
    bool respawn; /**< all targets are new (baseline) */
};

/** Set the members that follow from the machine, the sizes, the method and the iteration time. The
 * others are 0: rt_sync_s, rt_async_s, iterations, the times of overlapped data, communicates;
 * stage is the first one. */
void nereus_overlap_input_make(const struct nereus_machine *machine, int64_t ns, int64_t nt,
                               const struct nereus_method *method, double t_iter_s,
                               struct nereus_overlap_input *input);

double nereus_overlap_feature(enum nereus_overlap_term term,
                              const struct nereus_overlap_input *input);

/** List the terms of the RT_async model of a group.
 * @param is_own_runtime  this library's runtime was measured, whose way to stop at a point is known
 * @return number of terms */
int nereus_overlap_terms(enum nereus_async_group group, bool is_own_runtime,
                         const enum nereus_overlap_term **terms);
/** List the terms of omega T_iter - T_iter. @return their number */
int nereus_overlap_omega_terms(const enum nereus_overlap_term **terms);
/** List the terms of It - RT_async / (omega T_iter). @return their number */
int nereus_overlap_extra_terms(const enum nereus_overlap_term **terms);

/** @return value of a model. @param[out] variance  variance of the coefficients; may be NULL */
double nereus_overlap_value(const struct nereus_linear_model *model,
                            const struct nereus_overlap_input *input, double *variance);

/** @return iteration time from the terms of omega alone, without what a calibration measured next
 * to threads */
double nereus_overlap_omega_s(const struct nereus_profile *profile,
                              const struct nereus_overlap_input *input, double rt_async_s);
/** Make the input of omega for iterations during a merge shrink, in which computing processes wait
 * for MPI's lock, with RT_async and It.
 * @param[out] locked  input with the waits for MPI's lock
 * @return false: another method, or an older profile */
bool nereus_overlap_input_make_locked(const struct nereus_profile *profile,
                                      const struct nereus_overlap_input *input, double rt_async_s,
                                      struct nereus_overlap_input *locked);
/** @return seconds of one iteration during a reconfiguration: omega T_iter. @param rt_async_s  its
 * duration; INFINITY: longer than the iteration */
double nereus_overlap_iteration_s(const struct nereus_profile *profile,
                                  const struct nereus_overlap_input *input, double rt_async_s);

/** Were iterations of this stage measured next to threads at this load (contention_price.c)? false
 * if whole reconfigurations are the better source. */
bool nereus_contention_is_measured(const struct nereus_profile *profile,
                                   const struct nereus_overlap_input *input);
/** @return load of a source's core: its process, a share of the new ones, and the thread bound to
 * it */
double nereus_contention_load(const struct nereus_overlap_input *input);
/** @return seconds of one iteration during a reconfiguration, if nereus_contention_is_measured */
double nereus_contention_iteration_s(const struct nereus_profile *profile,
                                     const struct nereus_overlap_input *input);

/** @return log-error of the iteration time (90 %), by the model that prices it (overlap_error.c) */
double nereus_overlap_iteration_half_width(const struct nereus_profile *profile,
                                           const struct nereus_overlap_input *input,
                                           double rt_async_s);
/** As nereus_overlap_iteration_half_width, in seconds, by one model. @param[out] iteration_s the
 * iteration time by that model */
double nereus_overlap_half_width_s(const struct nereus_linear_model *model,
                                   const struct nereus_overlap_input *input, double *iteration_s);
/** As nereus_overlap_half_width_s, for nereus_contention_iteration_s. */
double nereus_contention_half_width_s(const struct nereus_profile *profile,
                                      const struct nereus_overlap_input *input);

/** Seconds of RT_async after the auxiliary thread has finished, until all processes have stopped at
 * a point; 0: not in the model. */
double nereus_overlap_notice_s(const struct nereus_linear_model *model,
                               const struct nereus_overlap_input *input);

/** @return RT_async model of a group: the oversubscribed one if it exists and applies */
const struct nereus_linear_model *nereus_overlap_model(const struct nereus_profile *profile,
                                                       enum nereus_async_group group,
                                                       bool oversubscribed);

/** Make the input of data_at_points and data_by_thread.
 * @param alone_s  time to move the data without the application */
void nereus_overlap_data_input(const struct nereus_scenario *scenario,
                               const struct nereus_method *method, double alone_s,
                               struct nereus_overlap_input *input);

/** Price of overlapped constant data (overlap_data.c). */
struct nereus_overlap_data {
    struct nereus_cost_sum sum; /**< duration */
    double iteration_s;         /**< iteration time meanwhile */
    double half_width;          /**< relative error of the iteration time (90 %) */
};

/** Price overlapped constant data. Its duration without the application is `alone`. */
void nereus_overlap_data_make(const struct nereus_profile *profile,
                              const struct nereus_scenario *scenario,
                              const struct nereus_method *method,
                              const struct nereus_cost_sum *alone,
                              struct nereus_overlap_data *data);

/** @return expected (unrounded) number of overlapped iterations; at least 1
 * @param extra  nereus_overlap_extra_iterations */
double nereus_overlap_iterations(double rt_async_s, double iteration_s, double extra);
/** @return iterations beyond RT / (omega T_iter): the one in which a reconfiguration ends, and
 * those until that is noticed */
double nereus_overlap_extra_iterations(const struct nereus_profile *profile,
                                       const struct nereus_overlap_input *input);
