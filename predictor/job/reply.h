/** @file reply.h  Connects to a running job, and prints its replies, for all commands that send
 * requests (docs/jobs.md). */
#pragma once

#include "model/util/base.h"
#include "nereus/job_client.h"

enum nereus_reply_format { NEREUS_REPLY_TEXT, NEREUS_REPLY_JSON };
/** Choices of --format, in the order of the enum. */
extern const char *const nereus_reply_formats[];

/**
 * Print a reply as text, or as JSON of the protocol; failures to stderr.
 * @return the exit status
 */
int nereus_job_reply_print(const struct nereus_job_reply *reply, int format);

/** Connect, or print why not: a job in Slurm's queue does not answer yet.
 * @return the exit status: success with *client */
int nereus_job_open(const char *job, double limit_s, struct nereus_job_client **client);
