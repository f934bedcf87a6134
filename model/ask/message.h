/**
 * @file message.h
 * Messages between a job and its clients: one JSON object a line (docs/jobs.md).
 */
#ifndef NEREUS_MODEL_MESSAGE_H
#define NEREUS_MODEL_MESSAGE_H

#include <stddef.h>

#include "nereus/job_client.h"

/** Maximum lengths, with the newline: enough for a state, or a release, of all nodes. */
enum { NEREUS_JOB_REQUEST_BYTES = 8192, NEREUS_JOB_REPLY_BYTES = 32768 };

/**
 * Read a request. Unknown keys and other versions of the protocol are refused by name.
 * @param[in] text  `length` bytes, without the newline; need not be zero-terminated
 * @return NEREUS_ERR_PARSE, NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_job_request_read(const char *text, size_t length,
                                           struct nereus_job_request *request,
                                           struct nereus_error *err);
/** @return bytes written into `text`, with the newline and without the terminator; 0: no memory, or
 * it does not fit */
size_t nereus_job_request_write(const struct nereus_job_request *request, char *text, size_t size);

/** The same of a reply; keys that are not known are ignored, as a later version may have more. */
enum nereus_status nereus_job_reply_read(const char *text, size_t length,
                                         struct nereus_job_reply *reply, struct nereus_error *err);
size_t nereus_job_reply_write(const struct nereus_job_reply *reply, char *text, size_t size);

#endif
