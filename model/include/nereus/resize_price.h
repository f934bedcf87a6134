/**
 * @file resize_price.h
 * What a resize costs, by the predictor: one method always, or the one with the least RT.
 */
#ifndef NEREUS_RESIZE_PRICE_H
#define NEREUS_RESIZE_PRICE_H

#include <stdbool.h>
#include <stdint.h>

#include "predict.h"

NEREUS_BEGIN_C

struct nereus_resize_question {
    int64_t ns, nt; /**< processes */
    double bytes;   /**< variable data of the job */
    double t_iter_ns_s, t_iter_nt_s;
};
struct nereus_resize_price {
    double rt_s;
    int method; /**< index */
};

struct nereus_resize_prices {
    const struct nereus_profile *profile; /**< the caller's */
    struct nereus_machine machine;        /**< the caller's */
    double scale;                         /**< every price times this; init sets 1 */
    struct nereus_method *methods;        /**< candidates; owned */
    int64_t *resizes;                     /**< by candidate; owned */
    int count;
    int64_t without_price;       /**< questions that no candidate has a price for */
    struct nereus_error refusal; /**< why, for the first of them */
};

/** "best", or "auto": whichever takes least, for each resize. */
bool nereus_resize_is_any(const char *method);

/**
 * @param method  a synchronous method; "best", "auto": all of the profile that are synchronous
 * @return NEREUS_ERR_PARSE, NEREUS_ERR_ILLEGAL; NEREUS_ERR_ARGUMENT for an asynchronous method;
 *     NEREUS_ERR_NO_BASIS; NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_resize_prices_init(const struct nereus_profile *profile,
                                             const char *method, int64_t cores_per_node,
                                             struct nereus_resize_prices *prices,
                                             struct nereus_error *err);
void nereus_resize_prices_fini(struct nereus_resize_prices *prices);

/** @return false: no candidate has a price */
bool nereus_resize_prices_ask(struct nereus_resize_prices *prices,
                              const struct nereus_resize_question *question,
                              struct nereus_resize_price *price);
/** Count a resize that is carried out. */
void nereus_resize_prices_count(struct nereus_resize_prices *prices,
                                const struct nereus_resize_price *price);

NEREUS_END_C
#endif
