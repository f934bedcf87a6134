/** @file broker_price.h  What a resize of a broker's job costs, by the profile of the machine. */
#ifndef NEREUS_BROKER_PRICE_H
#define NEREUS_BROKER_PRICE_H

#include "broker_view.h"
#include "predictor/simulate/resize_price.h"

struct nereus_broker_prices {
    struct nereus_resize_prices *prices; /**< NULL: resizes cost nothing */
    double bytes_per_process;            /**< variable data of a job at its least size */
    const struct nereus_broker_view *view;
};

/** A nereus_broker_price; `user` is a struct nereus_broker_prices. A resize that the profile has no
 * price for costs nothing, and is counted. */
double nereus_broker_price_by_profile(void *user, int64_t job, int64_t ns, int64_t nt);

#endif
