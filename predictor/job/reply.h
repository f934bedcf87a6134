/** @file reply.h  Prints the replies of a running job, for all commands that send requests
 * (docs/jobs.md). */
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
