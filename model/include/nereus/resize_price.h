/**
 * @file resize_price.h
 * Prices a resize in a simulation, by the predictor: one method, or the one with the least RT.
 */
#ifndef NEREUS_RESIZE_PRICE_H
#define NEREUS_RESIZE_PRICE_H

#include <stdbool.h>
#include <stdint.h>

#include "predict.h"

NEREUS_BEGIN_C

struct nereus_resize_question {
    int64_t ns, nt;
    double bytes; /**< variable data */
    double t_iter_ns_s, t_iter_nt_s;
};
struct nereus_resize_price {
    double rt_s;
    int method; /**< index into `methods` */
};

struct nereus_resize_prices {
    const struct nereus_profile *profile; /**< the caller's */
    struct nereus_machine machine;        /**< the caller's */
    double scale;                         /**< factor on every price; initially 1 */
    struct nereus_method *methods;        /**< owned */
    int64_t *resizes;                     /**< number of resizes by each method; owned */
    int count;
    int64_t without_price;       /**< number of questions that no method has a price for */
    struct nereus_error refusal; /**< reason, for the first of them */
};

/** Does this name every method ("best", "auto")? */
bool nereus_resize_names_every_method(const char *method);

/**
 * Prices of resizes by one method, or by the best one.
 * @param[in]  method  synchronous; "best", "auto": every synchronous one of the profile
 * @param[out] prices  to be freed with nereus_resize_prices_fini
 * @return NEREUS_ERR_PARSE, NEREUS_ERR_ILLEGAL, NEREUS_ERR_ARGUMENT, NEREUS_ERR_NO_BASIS
 */
enum nereus_status nereus_resize_prices_init(const struct nereus_profile *profile,
                                             const char *method, int64_t cores_per_node,
                                             struct nereus_resize_prices *prices,
                                             struct nereus_error *err);
/** Free the methods and counts. */
void nereus_resize_prices_fini(struct nereus_resize_prices *prices);

/**
 * The price of a resize.
 * @param[in,out] prices  counts questions without a price
 * @param[out]    price   of the method with the least RT
 * @return false: no method has a price
 */
bool nereus_resize_prices_find(struct nereus_resize_prices *prices,
                               const struct nereus_resize_question *question,
                               struct nereus_resize_price *price);
/**
 * Count a resize that was carried out by the price's method.
 * @param[in,out] prices  `resizes` of that method
 */
void nereus_resize_prices_count(struct nereus_resize_prices *prices,
                                const struct nereus_resize_price *price);

NEREUS_END_C
#endif
