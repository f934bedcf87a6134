/*
 * The choice of a method by the cost model: what rank 0 knows of the machine (its profile) and of
 * the application (iteration times, bytes, iterations that are left). Private to src/.
 */
#ifndef NEREUS_SRC_BY_MODEL_H
#define NEREUS_SRC_BY_MODEL_H

#include "src/job/job.h"

/* Rank 0, as a job begins: read the profile, which takes some milliseconds, and take from it what
 * the settings leave open (huge pages). */
void nereus_by_model_begin(nereus_job *job);
/*
 * Rank 0: take the method with the best prediction for the job's goal. `start`: new processes can be
 * launched. @return false: there is no profile, or it has no basis; wanted is unchanged, and the
 * reason is in the choice
 */
bool nereus_choose_by_model(nereus_job *job, bool can_launch, struct resize_request *wanted,
                            struct method_choice *choice);
/* Local: iteration times of this size count from now; @param points  those that have been passed */
void nereus_by_model_mark(nereus_job *job, int64_t points);
/* Local: seconds of an iteration with this size, as the job has had it; NAN: it has not. */
double nereus_by_model_seen_s(const nereus_job *job, int64_t size);
/* Rank 0: of this size since it began, else as it was the last time; 0: unknown. */
double nereus_by_model_iteration_s(nereus_job *job);
/* Iterations until the end of the job; where nobody has said, as many as pay for any method. */
double nereus_by_model_iterations_left(const nereus_job *job, double t_iter_s);
/* Rank 0: RT of a method; the registered bytes are added to the scenario. @return false: there is no
 * profile, or it has no basis */
bool nereus_by_model_price(nereus_job *job, struct nereus_scenario *scenario,
                           const struct nereus_method *method, double *rt_s);
/* Rank 0: the profile of this machine, as it is found; the job's. NULL: there is none. */
const struct nereus_profile *nereus_by_model_profile(nereus_job *job);
void nereus_by_model_fini(nereus_job *job);

#endif
