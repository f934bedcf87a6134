/**
 * @file message.h
 * Reads and writes messages between a job and its clients, one JSON object a line (README.md).
 * The runtime answers with the same functions.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/job_client.h"

/** Longest message with its newline: enough for a state, or a release, of all nodes. */
enum { NEREUS_JOB_REQUEST_BYTES = 8192, NEREUS_JOB_REPLY_BYTES = 32768 };

/** Read a request. Unknown keys and other versions of the protocol are refused.
 * @param text  without the newline; need not be zero-terminated
 */
enum nereus_status nereus_job_request_read(const char *text, size_t length,
                                           struct nereus_job_request *request,
                                           struct nereus_error *err);
/** Write a request.
 * @return bytes written, with the newline; 0: no memory, or too long */
size_t nereus_job_request_write(const struct nereus_job_request *request, char *text, size_t size);

/** Read a reply. Unknown keys are ignored, because later versions may have more. */
enum nereus_status nereus_job_reply_read(const char *text, size_t length,
                                         struct nereus_job_reply *reply, struct nereus_error *err);
size_t nereus_job_reply_write(const struct nereus_job_reply *reply, char *text, size_t size);
