/**
 * @file availability.h
 * The number of free nodes over future time: a step function, as a sorted array, for schedulers
 * that plan ahead.
 */
#pragma once

#include "model/util/base.h"

struct nereus_availability {
    struct nereus_availability_step {
        double begin_s; /**< the step lasts until the next step begins, the last step forever */
        int32_t free;
    } * steps; /**< owned */
    int32_t count;
};

/** Set all nodes free from a time on. */
enum nereus_status nereus_availability_reset(struct nereus_availability *availability,
                                             double begin_s, int32_t free,
                                             struct nereus_error *err);
void nereus_availability_fini(struct nereus_availability *availability);
/** Remove the steps before a time. */
void nereus_availability_advance(struct nereus_availability *availability, double now_s);

/** @return earliest time from which on `nodes` nodes are free for duration_s; it exists if the last
 * step has that many */
double nereus_availability_find(const struct nereus_availability *availability, int32_t nodes,
                                double duration_s);
/** Take nodes away from begin_s to end_s. */
enum nereus_status nereus_availability_reserve(struct nereus_availability *availability,
                                               double begin_s, double end_s, int32_t nodes,
                                               struct nereus_error *err);
