/**
 * @file added_allocation.h
 * Slurm allocations that are added to a running job: one per node, so that each node can be given
 * back by itself. A batch job that sleeps holds the node, and ends when the job that it was added
 * to has ended.
 */
#pragma once

#include "nereus/job_client.h"
#include "slurm_queue.h"

enum { NEREUS_ADDED_MAX = 16 /**< nodes of one offer */ };

/** Prefix of an allocation's name in a job's state: "slurm:1234". */
#define NEREUS_SLURM_ALLOCATION "slurm:"

struct nereus_added {
    char id[NEREUS_SLURM_ID_MAX];
    char node[NEREUS_JOB_NODE_MAX]; /**< "" until it has started */
    int64_t cores;
};

/**
 * Submit allocations of a whole node each, in the partition and for the time of the job that they
 * are added to.
 * @param[in]  name     that the job answers under
 * @param[in]  main_id  its Slurm job
 * @param[out] added    `count` of them; on an error none is left
 */
enum nereus_status nereus_added_submit(const char *name, const char *main_id, int64_t count,
                                       struct nereus_added *added, struct nereus_error *err);

/**
 * Wait until all have started, also while Slurm's controller is restarted.
 * @param[in] main_id  the Slurm job that they were added to
 * @param[in] limit_s  seconds, above 0
 * @return NEREUS_ERR_STATE: not within limit_s, or one of them, or the job, has ended;
 *    NEREUS_ERR_IO: Slurm does not answer at the end; NEREUS_ERR_CANCELLED: interrupted
 */
enum nereus_status nereus_added_wait(struct nereus_added *added, int64_t count, const char *main_id,
                                     double limit_s, struct nereus_error *err);

/**
 * Wait until no process of the job runs on nodes of an allocation. Processes that have left the
 * job run to the end of their program, and would be killed with the allocation.
 * @param[in] nodes  separated by commas
 * @return NEREUS_ERR_STATE: not within limit_s
 */
enum nereus_status nereus_allocation_wait_empty(const char *id, const char *nodes, double limit_s,
                                                struct nereus_error *err);

/**
 * Cancel the allocations, in any state; errors are notes on stderr.
 * @param main_id  the Slurm job that they were added to
 * @return are all ended?
 */
bool nereus_added_cancel(const struct nereus_added *added, int64_t count, const char *main_id);

/**
 * Give nodes of one allocation back to Slurm: end it, or where some of its nodes stay make it
 * smaller. Slurm is queried before whether it is this user's and was added to the job.
 * @param[in] id       of the Slurm job
 * @param[in] main_id  the Slurm job that it was added to
 * @param[in] given    the nodes that are given back, with commas: the user may have offered it
 *    himself; NULL: it has been added
 * @param[in] rest     the nodes that stay, with commas; "": none
 * @return NEREUS_ERR_STATE: it is another job; NEREUS_OK also for an added one that has ended
 */
enum nereus_status nereus_allocation_shrink(const char *id, const char *main_id, const char *given,
                                            const char *rest, struct nereus_error *err);

/** The number in "slurm:1234"; NULL for any other text. */
const char *nereus_allocation_id(const char *allocation);

/** Does the job hold the allocation, or may a change that is under way take it? */
bool nereus_added_may_be_used(const struct nereus_job_state *state, const char *id);

/**
 * Was it added to job `main_id`, which does not hold it: was the command killed that was to offer
 * or to end it? Not while the job changes, nor if processes run in it, for which Slurm is queried.
 * Also one that another `nereus job resize --slurm` is about to offer.
 */
bool nereus_added_is_unused(const struct nereus_slurm_job *job,
                            const struct nereus_job_state *state, const char *main_id);

/**
 * End allocations that were added to a job and are unused. The caller must be the only one that
 * adds allocations to the job.
 * @param[in] queue    read just before, as `state`
 * @param[in] main_id  the Slurm job that they were added to
 * @return how many
 */
int nereus_added_end_unused(const struct nereus_slurm_queue *queue,
                            const struct nereus_job_state *state, const char *main_id);
