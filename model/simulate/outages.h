/**
 * @file outages.h
 * The times at which nodes fail and are repaired: drawn with a seed, or from a list.
 */
#pragma once

#include <gsl/gsl_rng.h>

#include "model/util/base.h"
#include "nereus/simulate.h"

/** Zero-initialised: no node fails. */
struct nereus_outages {
    const struct nereus_sim_failures *settings; /**< owned by the caller; NULL: no node fails */
    int32_t nodes;
    gsl_rng *rng;                   /**< NULL: failures come from a list */
    int64_t taken;                  /**< number of failures taken from the list */
    struct nereus_sim_failure next; /**< time_s INFINITY: no failure follows */
    struct nereus_outage {
        double begin_s, end_s;
        int32_t node;
    } * down; /**< nodes in repair, in order of their ends; owned */
    int32_t down_count;
    bool *is_down; /**< indexed by node; owned */
    int64_t failures;
    double down_node_s;
};

/** @param from_s  time from which on failures are drawn */
enum nereus_status nereus_outages_init(const struct nereus_sim_failures *settings, int32_t nodes,
                                       double from_s, struct nereus_outages *outages,
                                       struct nereus_error *err);
void nereus_outages_fini(struct nereus_outages *outages);

/** @return time of the next failure or repair; INFINITY: none follows */
double nereus_outages_next_s(const struct nereus_outages *outages);

/** End a repair that is complete by now.
 * @return its node; NEREUS_SIM_NONE: there is none */
int32_t nereus_outages_repair(struct nereus_outages *outages, double now_s);

/** Take a failure that has happened by now, and begin the repair; a failure of a node in repair has
 * no effect.
 * @return its node; NEREUS_SIM_NONE: there is none */
int32_t nereus_outages_fail(struct nereus_outages *outages, double now_s);

/** Count the time until now of repairs that are not complete. */
void nereus_outages_finish(struct nereus_outages *outages, double now_s);
