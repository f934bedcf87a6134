/** @file await.h  Waits for the end of a request or of a job, also while Slurm has queued it again. */
#ifndef NEREUS_PREDICTOR_JOB_AWAIT_H
#define NEREUS_PREDICTOR_JOB_AWAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "nereus/job_client.h"

struct nereus_awaited {
    const char *job;                  /**< its name */
    struct nereus_job_client *client; /**< taken over; NULL: not connected */
    bool is_end;                      /**< of the job; else of a request: */
    int64_t request;                  /**< 0: the latest */
    double limit_s;                   /**< 0: none */
    int format;                       /**< enum ask_format */
};

/**
 * Wait, and print what has come.
 * @return the exit status: success if the request was carried out; after the end of a job that
 * Slurm knows under its name, that of the job
 */
int nereus_await(struct nereus_awaited *awaited);

#endif
