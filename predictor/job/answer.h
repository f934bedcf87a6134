/** @file answer.h  Prints the answers of a running job, for all commands that ask one
 * (docs/jobs.md). */
#ifndef NEREUS_PREDICTOR_JOB_ANSWER_H
#define NEREUS_PREDICTOR_JOB_ANSWER_H

#include "nereus/job_client.h"

enum nereus_ask_format { NEREUS_ASK_TEXT, NEREUS_ASK_JSON };
/** Choices of --format, in the order of the enum. */
extern const char *const nereus_ask_formats[];

/**
 * Print an answer as text, or as JSON of the protocol; failures to stderr.
 * @return the exit status
 */
int nereus_job_reply_print(const struct nereus_job_reply *reply, int format);

#endif
