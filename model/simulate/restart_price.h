/** @file restart_price.h  Predicts the times of a checkpoint and of a restart of a job. */
#pragma once

#include "model/util/base.h"
#include "nereus/price.h"

struct nereus_restart_price {
    double write_s;   /**< time to write a checkpoint */
    double restart_s; /**< time to start the processes and to read the checkpoint */
};

/** Predict the times of a checkpoint and of a restart.
 * @param bytes  variable data of all processes
 * @return NEREUS_ERR_NO_BASIS: the profile has no price of such a step; or the error of the machine
 *     or the plan */
enum nereus_status nereus_restart_price_predict(const struct nereus_profile *profile,
                                                int64_t cores_per_node, int64_t processes,
                                                double bytes, struct nereus_restart_price *price,
                                                struct nereus_error *err);
