/**
 * @file waiting.h
 * The waiting jobs as a tree over their numbers, which are in order of arrival: the next job that
 * can be backfilled (EASY, Mu'alem and Feitelson (2001)) is found without a visit to jobs that
 * cannot.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/workload.h"

/** Least values of a subtree; of a job that does not wait INT32_MAX and INFINITY. */
struct nereus_waiting_least {
    int32_t nodes;
    double estimate_s;
};

struct nereus_waiting {
    int32_t leaves;                     /**< a power of two */
    struct nereus_waiting_least *least; /**< root 1, children 2 i and 2 i + 1; owned */
};

/** EASY's condition: a job may start now if it fits into the free nodes, and is estimated to end by
 * until_s, the shadow time, or needs no more than the extra nodes (schedule_easy.c). */
struct nereus_waiting_limits {
    int32_t free, extra;
    double now_s, until_s;
};

/** @param jobs  number of jobs; none waits */
enum nereus_status nereus_waiting_init(int64_t jobs, struct nereus_waiting *waiting,
                                       struct nereus_error *err);
void nereus_waiting_fini(struct nereus_waiting *waiting);
/** A job waits, for this number of nodes and for this estimated time. O(log jobs). */
void nereus_waiting_set(struct nereus_waiting *waiting, int32_t job, int32_t nodes,
                        double estimate_s);
/** A job waits no longer. O(log jobs). */
void nereus_waiting_remove(struct nereus_waiting *waiting, int32_t job);
/** @return first waiting job from number `from` on within the limits; NEREUS_SIM_NONE: none */
int32_t nereus_waiting_find(const struct nereus_waiting *waiting, int32_t from,
                            const struct nereus_waiting_limits *limits);
