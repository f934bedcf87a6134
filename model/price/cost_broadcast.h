/**
 * @file cost_broadcast.h
 * What the broadcast of replicated values costs in a reconfiguration. Private to model/.
 */
#ifndef NEREUS_COST_BROADCAST_H
#define NEREUS_COST_BROADCAST_H

#include "cost.h"

enum nereus_broadcast_basis {
    NEREUS_BROADCAST_MEASURED, /**< MPI_Bcast was measured */
    NEREUS_BROADCAST_MESSAGES, /**< a tree of messages at ping-pong speed */
    NEREUS_BROADCAST_ASSUMED   /**< a tree of messages of which nothing is known */
};

/** Does anybody lack the values? Who stays has them. */
bool nereus_cost_lacks_replicated(const struct nereus_cost_context *context);

/** Seconds to give so many bytes (of one copy) to all who lack them. */
double nereus_cost_broadcast_s(const struct nereus_profile *profile,
                               const struct nereus_cost_context *context, double bytes,
                               enum nereus_broadcast_basis *basis);

#endif
