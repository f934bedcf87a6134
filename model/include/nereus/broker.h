/**
 * @file broker.h
 * Which malleable jobs of a cluster grow into idle nodes, and which give nodes back so that a
 * waiting job starts. Pure: nothing is measured, asked or started.
 */
#ifndef NEREUS_BROKER_H
#define NEREUS_BROKER_H

#include <stdbool.h>
#include <stdint.h>

#include "sizes.h"
#include "status.h"

NEREUS_BEGIN_C

/** A running malleable job, on whole nodes. */
struct nereus_broker_job {
    int64_t processes;      /**< 1 or more */
    int64_t nodes;          /**< 1 or more */
    int64_t kept_nodes;     /**< of its first allocation, never given back */
    int64_t cores_per_node; /**< 1 or more */
    struct nereus_sizes sizes;
    double left_s; /**< with these nodes; below 0: unknown */
    bool is_busy;  /**< a change is under way: it keeps its nodes */
};

/** Seconds that job `job` stands still for a resize from ns to nt processes, 0 or more. */
typedef double nereus_broker_price(void *user, int64_t job, int64_t ns, int64_t nt);

struct nereus_broker_state {
    int64_t idle_nodes;
    /** by waiting job, in the order of the queue */
    const int64_t *waiting_nodes;
    int64_t waiting_count;
    const struct nereus_broker_job *jobs;
    int64_t job_count;
    /** above 0: the value of an unknown left_s; a job that would stand still longer does not shrink
     * for others */
    double horizon_s;
    nereus_broker_price *price; /**< NULL: a resize costs nothing */
    void *user;
};

struct nereus_broker_action {
    int64_t job;
    int64_t from_nodes, to_nodes;
    int64_t to_processes;
    double price_s;
    double gain_s; /**< by which the job ends earlier; of a shrink 0 */
};

/**
 * Shrinks come first: the first waiting job that idle nodes do not suffice for gets what it lacks,
 * if all jobs together can give it, from those with the least price (processes x seconds) a node.
 * While a job waits nobody grows. Else idle nodes go where they save most time a node, if that is
 * more than the resize and the way back cost. Deterministic.
 * @param[out] actions  room for job_count; at most one a job
 * @return NEREUS_ERR_ARGUMENT: a number out of range
 */
enum nereus_status nereus_broker_decide(const struct nereus_broker_state *state,
                                        struct nereus_broker_action *actions, int64_t *count,
                                        struct nereus_error *err);

NEREUS_END_C
#endif
