/**
 * @file cost_between.h
 * Prices a redistribution between nodes from measured ones (fit_between.c). Private to model/.
 */
#ifndef NEREUS_MODEL_PRICE_COST_BETWEEN_H
#define NEREUS_MODEL_PRICE_COST_BETWEEN_H

#include "cost.h"

/** @return index in profile->between of a redistribution; -1: all processes are on one node */
int nereus_between_model_index(const struct nereus_cost_context *context);

/** Does the redistribution with this index in profile->between move data in rounds, by a blocking
 * alltoallv between two groups? */
bool nereus_between_moves_in_rounds(int model);

/** Does the profile have rows of redistributions between nodes? */
bool nereus_between_is_measured(const struct nereus_profile *profile);

/** @return bytes that a redistribution moves, by kind of term */
struct nereus_between_bytes nereus_between_bytes_of(const struct nereus_cost_context *context,
                                                    double bytes);

/** Find the model of a redistribution: the measured one, else a prior from other measurements.
 * @param own  storage for a prior
 * @return NULL: all are on one node, or the profile has no row of a redistribution between nodes,
 * and the link alone does not price this one (rounds of a synthetic cluster, which has no rows) */
const struct nereus_linear_model *nereus_between_model(const struct nereus_cost_context *context,
                                                       struct nereus_linear_model *own,
                                                       const struct nereus_linear_model **prior);

#endif
