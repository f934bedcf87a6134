/**
 * @file await.h
 * Waits for the end of a request or of a job, also while Slurm has queued the job again.
 */
#pragma once

#include "nereus/job_client.h"
#include "reply.h"

struct nereus_awaited {
    const char *job;                  /**< name of the job */
    struct nereus_job_client *client; /**< freed here; NULL: not connected */
    bool is_end;                      /**< wait for the end of the job; false: of a request */
    int64_t request;                  /**< number of the request; 0: the latest */
    double limit_s;                   /**< longest time to wait; 0: no limit */
    enum nereus_reply_format format;
};

/**
 * Wait, and print the reply.
 * @return the exit status: success if the request was carried out; after the end of a job whose
 * status Slurm reports, the exit status of the job
 */
int nereus_await_outcome(struct nereus_awaited *awaited);
