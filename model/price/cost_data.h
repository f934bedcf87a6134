/**
 * @file cost_data.h
 * Prices data that moves: by messages (cost_transfer.c), collectives (cost_collective.c), between
 * nodes from measured redistributions (cost_between.c; fit_between.c), replicated values, which
 * only new processes need (cost_broadcast.c). Private to model/.
 */
#pragma once

#include "cost.h"

/** @return Hockney estimate for the busiest process in a redistribution, in seconds; 0: no
 * ping-pong was measured */
double nereus_cost_transfer_s(const struct nereus_cost_context *context, double bytes);
/** @return seconds of an operation between two processes placed as sources and targets; 0: not
 * measured */
double nereus_cost_operation_s(const struct nereus_cost_context *context,
                               enum nereus_operation operation, double bytes);
/** @return bytes through the link of the busiest node in a redistribution of `bytes` */
double nereus_cost_node_bytes(const struct nereus_cost_context *context, double bytes);
/** @return seconds of the busiest node's link; 0: its rate is unknown, or nothing passes */
double nereus_cost_link_s(const struct nereus_cost_context *context, double bytes);
/** @return seconds in which the link of a node transfers these bytes; 0: its rate is unknown */
double nereus_cost_through_link_s(const struct nereus_profile *profile, double bytes);

struct nereus_collective_call {
    enum nereus_collective collective;
    int64_t processes;
    double bytes; /**< bytes of one process' part, as in collective.h */
};
/** Predict the time of a collective (cost_collective.c).
 * @param[in] machine  NULL: the measured nodes
 * @return NEREUS_ERR_NO_BASIS: the collective was not measured */
enum nereus_status nereus_cost_collective_s(const struct nereus_profile *profile,
                                            const struct nereus_machine *machine,
                                            const struct nereus_collective_call *call,
                                            double *time_s);
/** @return model of the pair class, or of the nearest measured one; NULL: none */
const struct nereus_hockney *nereus_cost_pair(const struct nereus_hockney *pairs, bool same_world,
                                              bool same_node);

/** @return index in profile->between_models of a redistribution; -1: all processes are on one node
 */
int nereus_between_model_index(const struct nereus_cost_context *context);

/** Does the redistribution with this index in profile->between_models move data in rounds, by a
 * blocking alltoallv between two groups? */
bool nereus_between_moves_in_rounds(int model);

/** Does the profile have rows of redistributions between nodes? */
bool nereus_between_is_measured(const struct nereus_profile *profile);

/** @return bytes that a redistribution moves, by kind of term */
struct nereus_between_bytes nereus_between_bytes_of(const struct nereus_cost_context *context,
                                                    double bytes);

/** Find the model of a redistribution: the measured one, else a prior from other measurements.
 * @param own_model  storage for a prior
 * @return NULL: all are on one node, or the profile has no row of a redistribution between nodes,
 * and the link alone does not price this one (rounds of a synthetic cluster, which has no rows) */
const struct nereus_linear_model *nereus_between_model(const struct nereus_cost_context *context,
                                                       struct nereus_linear_model *own_model,
                                                       const struct nereus_linear_model **prior);

enum nereus_broadcast_basis {
    NEREUS_BROADCAST_MEASURED, /**< MPI_Bcast was measured */
    NEREUS_BROADCAST_MESSAGES, /**< binomial tree of messages at ping-pong speed */
    NEREUS_BROADCAST_ASSUMED   /**< binomial tree of messages of assumed speed */
};

/** Do processes lack the replicated values? New processes do; processes that stay have them. */
bool nereus_cost_lacks_replicated(const struct nereus_cost_context *context);

/** @return seconds to send `bytes` (one copy) to all processes that lack them */
double nereus_cost_broadcast_s(const struct nereus_cost_context *context, double bytes,
                               enum nereus_broadcast_basis *basis);
