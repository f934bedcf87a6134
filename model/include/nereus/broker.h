/**
 * @file broker.h
 * Decides which malleable jobs of a cluster expand onto idle nodes, and which shrink so that a
 * queued job can start. A pure function of the state: it measures and starts nothing.
 */
#ifndef NEREUS_BROKER_H
#define NEREUS_BROKER_H

#include <stdbool.h>
#include <stdint.h>

#include "sizes.h"
#include "status.h"

NEREUS_BEGIN_C

/** Usual horizon_s. */
#define NEREUS_BROKER_HORIZON_S 600.0

/** A running malleable job, on whole nodes. */
struct nereus_broker_job {
    int64_t processes;      /**< 1 or more */
    int64_t nodes;          /**< 1 or more */
    int64_t kept_nodes;     /**< nodes of its first allocation, which it never releases */
    int64_t cores_per_node; /**< 1 or more */
    struct nereus_sizes sizes;
    double left_s; /**< remaining run time on these nodes; below 0: unknown */
    bool is_busy;  /**< a reconfiguration is pending: its nodes do not change */
};

/** Time in seconds, >= 0, for which a resize from ns to nt processes stops job number `job`. */
typedef double nereus_broker_price(void *user, int64_t job, int64_t ns, int64_t nt);

struct nereus_broker_state {
    int64_t idle_nodes;
    /** nodes that each queued job needs, in the order of the queue */
    const int64_t *waiting_nodes;
    int64_t waiting_count;
    const struct nereus_broker_job *jobs;
    int64_t job_count;
    /** > 0. Stands for an unknown left_s. A job does not shrink if the resize takes longer. */
    double horizon_s;
    nereus_broker_price *price; /**< NULL: a resize costs nothing */
    void *user;
};

struct nereus_broker_action {
    int64_t job;
    int64_t from_nodes, to_nodes;
    int64_t to_processes;
    double price_s;
    double gain_s; /**< time by which the job ends earlier; 0 for a shrink */
};

/**
 * For the first queued job that does not fit into the idle nodes, the jobs with the least cost per
 * node (processes x seconds) shrink, if all jobs together can release enough. No job expands while
 * another is queued. Otherwise idle nodes go to the jobs that save most time per node, if that is
 * more than the cost of this resize and of a later shrink. Deterministic.
 * @param[out] actions  array of job_count; at most one action per job
 * @param[out] count    number of actions
 * @return NEREUS_ERR_ARGUMENT: a number out of range
 */
enum nereus_status nereus_broker_decide(const struct nereus_broker_state *state,
                                        struct nereus_broker_action *actions, int64_t *count,
                                        struct nereus_error *err);

NEREUS_END_C
#endif
