/**
 * @file restart_requests.h
 * Requests of rank 0 that concern the job's next attempt (supervisor_lines.h).
 */
#ifndef NEREUS_SRC_SUPERVISE_RESTART_REQUESTS_H
#define NEREUS_SRC_SUPERVISE_RESTART_REQUESTS_H

#include "supervisor.h"

/** REQUEST_CHECKPOINTED: store the path of the newest checkpoint, and open rank 0's progress
 * record.
 * @param message  the request's words; modified */
void restart_note_checkpoint(struct supervisor *supervisor, char *message);
/** REQUEST_AWAIT_WARNING: keep rank 0's connection, and tell it when a checkpoint is needed; at
 * once if one is needed already. */
void restart_await_warning(const struct supervisor *supervisor, struct peer *peer);
/** REQUEST_RESTART: store the planned restart, or refuse it; the peer gets the reply.
 * @param message  the request's words; modified */
void restart_handle_request(struct supervisor *supervisor, const struct peer *peer, char *message);

#endif
