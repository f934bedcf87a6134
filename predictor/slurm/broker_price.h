/** @file broker_price.h  What a resize of a broker's job costs, by the profile of the machine. */
#ifndef NEREUS_BROKER_PRICE_H
#define NEREUS_BROKER_PRICE_H

#include "broker_view.h"
#include "nereus/resize_price.h"

/** Of a profile. A job grows by one method (NEREUS_SLURM_GROWTH), and shrinks by any. */
struct nereus_broker_prices {
    struct nereus_resize_prices growing, shrinking;
    double bytes_per_process; /**< variable data of a job at its least size; the caller's */
    const struct nereus_broker_view *view; /**< the caller's; sets the machine's nodes, too */
};

/** @return as nereus_resize_prices_init */
enum nereus_status nereus_broker_prices_init(const struct nereus_profile *profile,
                                             struct nereus_broker_prices *prices,
                                             struct nereus_error *err);
void nereus_broker_prices_fini(struct nereus_broker_prices *prices);

/** A nereus_broker_price; `user` is a struct nereus_broker_prices with a view. A resize that the
 * profile has no price for costs nothing, and the first one is noted. */
double nereus_broker_price_by_profile(void *user, int64_t job, int64_t ns, int64_t nt);

#endif
