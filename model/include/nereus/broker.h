/**
 * @file broker.h
 * Which malleable jobs of a cluster are to grow into idle nodes, and which are to give nodes back so
 * that a waiting job starts. Only an answer: nothing here measures, asks or starts anything.
 */
#ifndef NEREUS_BROKER_H
#define NEREUS_BROKER_H

#include <stdbool.h>
#include <stdint.h>

#include "sizes.h"
#include "status.h"

NEREUS_BEGIN_C

/** A malleable job that runs. It holds whole nodes. */
struct nereus_broker_job {
    int64_t processes;      /**< that it has, 1 or more */
    int64_t nodes;          /**< that it holds, 1 or more */
    int64_t kept_nodes;     /**< that it never gives back: its first allocation */
    int64_t cores_per_node; /**< processes of a node, 1 or more */
    struct nereus_sizes sizes;
    double left_s; /**< time left with these nodes; below 0: unknown */
    bool is_busy;  /**< a change is under way: it keeps its nodes now */
};

/**
 * What a resize costs.
 * @param[in] job     index of the job
 * @param[in] ns, nt  processes before and after
 * @return seconds that the job stands still, 0 or more
 */
typedef double nereus_broker_price(void *user, int64_t job, int64_t ns, int64_t nt);

struct nereus_broker_state {
    int64_t idle_nodes;
    /** Nodes that each waiting job wants, in the order of the queue. */
    const int64_t *waiting_nodes;
    int64_t waiting_count;
    const struct nereus_broker_job *jobs;
    int64_t job_count;
    /** Seconds, above 0: what is taken for an unknown left_s. A job that would stand still for
     * longer than this does not shrink for others. */
    double horizon_s;
    nereus_broker_price *price; /**< NULL: a resize costs nothing */
    void *user;                 /**< handed to it */
};

struct nereus_broker_action {
    int64_t job; /**< index */
    int64_t from_nodes, to_nodes;
    int64_t to_processes;
    double price_s; /**< that the job stands still */
    double gain_s;  /**< that the job ends earlier by; of a shrink 0 */
};

/**
 * Shrinks first: the nodes that the first waiting job lacks that idle nodes do not suffice for,
 * if all jobs together can give as many, from those with the least price (processes x seconds) a
 * node. Nobody grows while a job waits for nodes. Else idle nodes that no waiting job is to get go
 * where they save most time a node, as far as that is more than the resize and the way back cost.
 * Deterministic; of equal jobs the first.
 * @param[out] actions  room for job_count; at most one a job
 * @return NEREUS_ERR_ARGUMENT: a number out of range; NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_broker_decide(const struct nereus_broker_state *state,
                                        struct nereus_broker_action *actions, int64_t *count,
                                        struct nereus_error *err);

NEREUS_END_C
#endif
