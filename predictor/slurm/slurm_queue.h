/**
 * @file slurm_queue.h
 * Reads nodes and jobs of a Slurm cluster, as squeue and sinfo list them.
 *
 * Texts of other users are never read: of their waiting jobs only numbers and Slurm's own words are
 * read. Names and comments are read of this user's jobs only.
 */
#pragma once

#include "nereus/job_client.h"
#include "slurm_command.h"

/** Slurm's words, in all versions, for a job that has no processes any more, for a shell's `case`
 * and for C. */
#define NEREUS_SLURM_END_STATES                                                                    \
    "BOOT_FAIL|CANCELLED|COMPLETED|COMPLETING|DEADLINE|FAILED|LAUNCH_FAILED|NODE_FAIL|"            \
    "OUT_OF_MEMORY|PREEMPTED|RECONFIG_FAIL|REVOKED|TIMEOUT|UPDATE_DB"

/** Slurm's words for a job that has no processes yet, or starts again. */
#define NEREUS_SLURM_WAITING_STATES                                                                \
    "PENDING|CONFIGURING|POWER_UP_NODE|REQUEUED|REQUEUE_FED|REQUEUE_HOLD|RESV_DEL_HOLD|"           \
    "SPECIAL_EXIT"

enum nereus_slurm_state {
    NEREUS_SLURM_RUNNING,
    NEREUS_SLURM_WAITING, /**< for resources, or for its turn */
    NEREUS_SLURM_LATER,   /**< held, waits for another job or a time, or its nodes are booting */
    NEREUS_SLURM_OTHER,   /**< suspended, ... */
    NEREUS_SLURM_ENDED
};

/** A job of this user. */
struct nereus_slurm_job {
    char id[NEREUS_SLURM_ID_MAX]; /**< digits; for an array task its own number */
    /** no array task and no part of a heterogeneous job: its number cancels nothing else */
    bool is_plain;
    bool is_part; /**< the first part of a heterogeneous job */
    enum nereus_slurm_state state;
    int64_t nodes, cpus;
    char host[NEREUS_JOB_NODE_MAX]; /**< first host; "": none yet */
    /** name of a malleable job for external requests; "": not malleable */
    char name[NEREUS_JOB_NAME_MAX];
    /** job to which this allocation was added; "": none */
    char added_to[NEREUS_SLURM_ID_MAX];
};

/** Jobs of any user that wait for resources, or for their turn: one, or tasks of an array. */
struct nereus_slurm_waiting {
    char id[NEREUS_SLURM_ID_MAX]; /**< digits */
    int64_t nodes, cpus;          /**< nodes and CPUs of each */
    int64_t count;                /**< number of tasks that may run at once */
    bool is_left_out;             /**< idle nodes do not help it (broker_view.h) */
};

struct nereus_slurm_queue {
    int64_t idle_nodes, nodes;
    int64_t out_nodes;                    /**< out of service: down, drained, ... */
    int64_t cores_per_node;               /**< least number of cores of the nodes in service */
    struct nereus_slurm_job *jobs;        /**< jobs of this user; owned */
    struct nereus_slurm_waiting *waiting; /**< in the order in which Slurm considers them; owned */
    int64_t count, waiting_count;
    struct nereus_slurm_left_out left_out;
};

/** Lists of squeue and sinfo, and the columns requested. */
enum nereus_slurm_list {
    NEREUS_SLURM_OWN,   /**< squeue --me */
    NEREUS_SLURM_QUEUE, /**< squeue --states=PENDING, of all users */
    NEREUS_SLURM_NODES  /**< sinfo -N */
};
#define NEREUS_SQUEUE_OWN   "%A|%i|%T|%D|%C|%B|%r|%k"
#define NEREUS_SQUEUE_QUEUE "%A|%K|%D|%C|%r"
#define NEREUS_SINFO_NODES  "%N|%t|%c"

/** @return state of a job, from its state and the reason why it waits, as squeue prints them */
enum nereus_slurm_state nereus_slurm_state_parse(const char *state, const char *reason);

/** Add the rows of one of the lists, without side effects. A line that cannot be read is left out,
 * and counted.
 * @param[in,out] queue zero at first; to be ended with nereus_slurm_queue_fini, also on an error
 * @param[in]     rows   of these columns, which are read to their end
 * @return NEREUS_ERR_PARSE: there is no node; NEREUS_ERR_MEMORY */
enum nereus_status nereus_slurm_queue_add_rows(struct nereus_slurm_queue *queue,
                                               enum nereus_slurm_list list,
                                               struct nereus_slurm_rows *rows,
                                               struct nereus_error *err);
void nereus_slurm_queue_fini(struct nereus_slurm_queue *queue);

/**
 * Query Slurm for jobs and nodes. The first line that cannot be read is noted.
 * @param partition  NULL: all
 */
enum nereus_status nereus_slurm_queue_read(const char *partition, struct nereus_slurm_queue *queue,
                                           struct nereus_error *err);

/**
 * Query Slurm for jobs of this user, which may be none.
 * @param[in]  ids    only these, with commas; NULL: all
 * @param[in]  nodes  only jobs with one of these nodes, with commas; NULL: any
 * @param[out] queue  with `jobs` only
 */
enum nereus_status nereus_slurm_queue_read_own(const char *ids, const char *nodes,
                                               struct nereus_slurm_queue *queue,
                                               struct nereus_error *err);

/** @return nodes that a waiting job needs: Slurm lists the least number, which may be too few for
 * its CPUs */
int64_t nereus_slurm_count_needed_nodes(const struct nereus_slurm_waiting *waiting,
                                        const struct nereus_slurm_queue *queue);

/** Set SLURM_CLUSTER_NAME, by which profiles are found, to Slurm's own name where it is not set, as
 * outside of jobs; unchanged if scontrol does not say it. */
void nereus_slurm_set_cluster_name(void);

/** Find the user's job of that number; NULL: there is none. */
const struct nereus_slurm_job *nereus_slurm_find_job_by_id(const struct nereus_slurm_queue *queue,
                                                           const char *id);

/** The running malleable job of this user that answers under a name; NULL: there is none. */
const struct nereus_slurm_job *nereus_slurm_find_job_by_name(const struct nereus_slurm_queue *queue,
                                                             const char *name);
