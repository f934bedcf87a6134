/**
 * @file availability.h
 * Free nodes as a function of future time: a step function, as a sorted array.
 */
#ifndef NEREUS_MODEL_SIMULATE_AVAILABILITY_H
#define NEREUS_MODEL_SIMULATE_AVAILABILITY_H

#include <stdint.h>

#include "nereus/status.h"

struct nereus_availability {
    struct nereus_availability_step {
        double begin_s; /**< until the next step's begin; the last one: forever */
        int32_t free;
    } * steps; /**< owned */
    int32_t count, room;
};

/** All nodes free from a time on. The array is kept. */
enum nereus_status nereus_availability_reset(struct nereus_availability *availability,
                                             double begin_s, int32_t free,
                                             struct nereus_error *err);
void nereus_availability_fini(struct nereus_availability *availability);
/** Forget what lies before a time. */
void nereus_availability_advance(struct nereus_availability *availability, double now_s);

/** The earliest time from the first step on when so many nodes are free for so long. There always
 * is one if the last step has them. */
double nereus_availability_find(const struct nereus_availability *availability, int32_t nodes,
                                double duration_s);
/** Take nodes away from begin_s to end_s. */
enum nereus_status nereus_availability_take(struct nereus_availability *availability,
                                            double begin_s, double end_s, int32_t nodes,
                                            struct nereus_error *err);

#endif
