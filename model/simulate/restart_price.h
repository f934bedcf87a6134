/** @file restart_price.h  What a checkpoint and a restart cost a job, by the predictor. */
#ifndef NEREUS_MODEL_SIMULATE_RESTART_PRICE_H
#define NEREUS_MODEL_SIMULATE_RESTART_PRICE_H

#include "nereus/price.h"

struct nereus_restart_price {
    double write_s;   /**< to write a checkpoint */
    double restart_s; /**< to start the processes and to read it */
};

/**
 * @param bytes  variable data of all processes
 * @return NEREUS_ERR_NO_BASIS, ...
 */
enum nereus_status nereus_restart_price_ask(const struct nereus_profile *profile,
                                            int64_t cores_per_node, int64_t processes, double bytes,
                                            struct nereus_restart_price *price,
                                            struct nereus_error *err);

#endif
