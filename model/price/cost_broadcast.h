/**
 * @file cost_broadcast.h
 * Prices the broadcast of replicated values, which only new processes need. Private to model/.
 */
#ifndef NEREUS_MODEL_PRICE_COST_BROADCAST_H
#define NEREUS_MODEL_PRICE_COST_BROADCAST_H

#include "cost.h"

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

#endif
