/**
 * @file slurm_resize.h
 * Changes the size of a running job, with nodes that Slurm gives or takes back.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/job_client.h"
#include "nereus/status.h"

/** Method by which a job grows onto nodes of another allocation, as only launch starts processes
 * there. */
#define NEREUS_SLURM_GROWTH "merge-launch/coll"

/** Receives answers of the job, and what Slurm did ("Slurm job 13 gives host2"). */
struct nereus_slurm_listener {
    void (*on_answer)(void *user, const struct nereus_job_reply *reply);
    void (*on_news)(void *user, const char *sentence);
    void *user;
};

/**
 * Request another size of a job, and wait for the outcome.
 *
 * A job that is to have more processes than its nodes have cores gets an allocation of Slurm's for
 * each further node; when all have started, they are offered to the job, which grows onto them. A
 * job that shrinks gives back whole nodes that were added, the last ones first, and their
 * allocations end or become smaller. If the resize fails, added allocations are ended and the job
 * is unchanged. Only one such command per job runs at a time, on the host where the job answers.
 * @param[in]  request  a resize; its deadline (0: a minute) is for allocations and job together
 * @param[out] reply    the outcome, or a refusal; after the deadline for the allocations
 *    NEREUS_JOB_OUTCOME, given up
 * @return NEREUS_ERR_BUSY: another is under way; NEREUS_ERR_STATE: no job, no Slurm job of it;
 *         NEREUS_ERR_IO: Slurm; NEREUS_ERR_CANCELLED: interrupted; NEREUS_ERR_ARGUMENT: too many
 *         nodes at once
 */
enum nereus_status nereus_slurm_resize(struct nereus_job_client *client,
                                       const struct nereus_job_request *request,
                                       const struct nereus_slurm_listener *listener,
                                       struct nereus_job_reply *reply, struct nereus_error *err);
