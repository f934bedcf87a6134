/**
 * @file model_choice.h
 * Chooses a method by the cost model, from what rank 0 knows of the machine (its profile) and of
 * the application (iteration times, bytes, iterations left).
 */
#pragma once

#include "src/job/job.h"

/** Rank 0, when a job begins: read the profile, which takes some milliseconds, and set from it the
 * settings that were left open (huge pages). */
void nereus_model_choice_begin(nereus_job *job);
/** Rank 0: choose the method with the best prediction for the job's goal. can_launch: new processes
 * can be launched.
 * @return false: no profile, or no prediction is possible; request is unchanged, and the reason is
 *     in the choice */
bool nereus_choose_by_model(nereus_job *job, bool can_launch, struct resize_request *request,
                            struct method_choice *choice);
/** Local: iterations of this size are timed from now on.
 * @param points  points passed so far */
void nereus_model_choice_start_timing(nereus_job *job, int64_t points);
/** Local: measured seconds of an iteration at this size; NAN: never measured. */
double nereus_model_choice_measured_s(const nereus_job *job, int64_t size);
/** Rank 0: seconds of an iteration at this size, measured since the job has this size, else when it
 * last had it; 0: unknown. */
double nereus_model_choice_iteration_s(nereus_job *job);
/** Iterations until the end of the job; if unknown, as many as pay off for any method. */
double nereus_model_choice_iterations_left(const nereus_job *job, double t_iter_s);
/** Rank 0: predicted RT of a method; the registered bytes are added to the scenario.
 * @return false: no profile, or no prediction is possible */
bool nereus_model_choice_price(nereus_job *job, struct nereus_scenario *scenario,
                               const struct nereus_method *method, double *rt_s);
/** Rank 0: the profile of this machine, owned by the job. NULL: none was found. */
const struct nereus_profile *nereus_model_choice_profile(nereus_job *job);
/** Free the profile and the measured iteration times. */
void nereus_model_choice_fini(nereus_job *job);
