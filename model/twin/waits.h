/**
 * @file waits.h
 * What processes wait for: in the program, and in its twin, whose messages of an exchange are all
 * sent before any is waited for.
 */
#ifndef NEREUS_MODEL_TWIN_WAITS_H
#define NEREUS_MODEL_TWIN_WAITS_H

#include "twin.h"

/** Does the process send a message after it has received one, before it has sent any since the last
 * collective (a sweep, a pipeline, a worker)? In an exchange of the twin it does not. */
bool nereus_calls_relay(const struct nereus_calls *calls);

/** Time of an iteration of the twin in which nothing that is communicated takes time: computing, and
 * waiting for the processes that compute longer.
 * @param[out] iteration_s  in the mean over some iterations
 * @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_twin_simulate_ideal_network(const struct nereus_twin *twin,
                                                      double *iteration_s,
                                                      struct nereus_error *err);

#endif
