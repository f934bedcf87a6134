/**
 * @file slurm_queue.h
 * Nodes and jobs of a Slurm cluster, as squeue and sinfo list them.
 */
#ifndef NEREUS_SLURM_QUEUE_H
#define NEREUS_SLURM_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "nereus/job_client.h"
#include "nereus/status.h"
#include "slurm_command.h"

enum nereus_slurm_state {
    NEREUS_SLURM_RUNNING,
    NEREUS_SLURM_WAITING, /**< for resources, or for its turn */
    NEREUS_SLURM_OTHER    /**< completing, held, waiting for another job, ... */
};

struct nereus_slurm_job {
    char id[NEREUS_SLURM_ID_MAX];
    enum nereus_slurm_state state;
    bool is_own; /**< of this user */
    int64_t nodes, cpus;
    char host[NEREUS_JOB_NODE_MAX]; /**< the first one; "": none yet */
    char name[NEREUS_JOB_NAME_MAX]; /**< that a malleable job answers under; "": another job */
    char
        added_to[NEREUS_SLURM_ID_MAX]; /**< of an allocation that was added to that job; "": none */
};

struct nereus_slurm_queue {
    int64_t idle_nodes, nodes;
    int64_t cores_per_node;        /**< the least of all nodes */
    struct nereus_slurm_job *jobs; /**< in the order in which Slurm looks at them; owned */
    int64_t count;
};

/** Format of squeue (after -h) and sinfo (after -h -N) that the texts below are in. */
#define NEREUS_SQUEUE_FORMAT "%i|%T|%U|%D|%C|%B|%r|%k"
#define NEREUS_SINFO_FORMAT  "%N|%t|%c"

/**
 * From the texts of squeue and sinfo. Pure.
 * @param[in]  user   number of this user
 * @param[out] queue  to be ended with nereus_slurm_queue_fini
 * @return NEREUS_ERR_PARSE with the line; NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_slurm_queue_parse(const char *squeue, const char *sinfo, const char *user,
                                            struct nereus_slurm_queue *queue,
                                            struct nereus_error *err);
void nereus_slurm_queue_fini(struct nereus_slurm_queue *queue);

/** Ask Slurm. @param partition  NULL: all */
enum nereus_status nereus_slurm_queue_read(const char *partition, struct nereus_slurm_queue *queue,
                                           struct nereus_error *err);

/** The running malleable job of this user that answers under a name; NULL: there is none. */
const struct nereus_slurm_job *nereus_slurm_job_named(const struct nereus_slurm_queue *queue,
                                                      const char *name);

#endif
