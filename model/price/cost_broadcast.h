/**
 * @file cost_broadcast.h
 * The cost of broadcasting replicated values. Private to model/.
 */
#ifndef NEREUS_MODEL_PRICE_COST_BROADCAST_H
#define NEREUS_MODEL_PRICE_COST_BROADCAST_H

#include "cost.h"

enum nereus_broadcast_basis {
    NEREUS_BROADCAST_MEASURED, /**< MPI_Bcast was measured */
    NEREUS_BROADCAST_MESSAGES, /**< binomial tree of messages at ping-pong speed */
    NEREUS_BROADCAST_ASSUMED   /**< binomial tree of messages of assumed speed */
};

/** Are there processes without the values? Processes that stay have them. */
bool nereus_cost_lacks_replicated(const struct nereus_cost_context *context);

/** Seconds to send `bytes` (of one copy) to all processes without them. */
double nereus_cost_broadcast_s(const struct nereus_cost_context *context, double bytes,
                               enum nereus_broadcast_basis *basis);

#endif
