/**
 * @file followed_job.h
 * Follows a job by its number in Slurm, also while it waits to be started again and does not
 * answer: Slurm tells its state, and for some minutes (MinJobAge) how it ended.
 */
#pragma once

#include "nereus/job_client.h"
#include "slurm_command.h"

enum nereus_followed_state {
    NEREUS_FOLLOWED_UNKNOWN, /**< Slurm does not answer, or does not list the job any more */
    NEREUS_FOLLOWED_QUEUED,
    NEREUS_FOLLOWED_RUNNING, /**< also: its processes are being ended, and it may be queued again */
    NEREUS_FOLLOWED_ENDED
};

struct nereus_followed_job {
    char id[NEREUS_SLURM_ID_MAX]; /**< "": Slurm has no such job */
    char name[NEREUS_JOB_NAME_MAX];
    enum nereus_followed_state state;
    bool is_requeued; /**< it has been started before */
    int status;       /**< exit status after its end, as in a shell; not 0 if it was cancelled */
    char word[32];    /**< Slurm's word for its state */
};

/**
 * Find this user's job in Slurm that answers, or will answer, under a name: one that was submitted
 * with the comment "nereus NAME". The job in which this process runs is left out.
 * @return false: there is none, or no Slurm; job->id is "" then
 */
bool nereus_followed_find(const char *name, struct nereus_followed_job *job);

/** List the jobs that wait in Slurm's queue, and so do not answer.
 * @param[out] jobs  to be freed
 * @return their number; 0 also if Slurm does not answer */
int64_t nereus_followed_list_queued(struct nereus_followed_job **jobs);

/** Query Slurm for the state of the job.
 * @return false: interrupted by a signal */
bool nereus_followed_query(struct nereus_followed_job *job);

/** Read the state from the output of `scontrol show job -o` about job->id; no side effects. */
void nereus_followed_parse(struct nereus_followed_job *job, const char *text);

/** Print the state: "queued again by Slurm (job 41)". */
const char *nereus_followed_format(const struct nereus_followed_job *job, char text[96]);
