/**
 * @file restart_lines.h
 * Requests of rank 0 that concern the job's next attempt (supervisor_lines.h).
 */
#ifndef NEREUS_SRC_SUPERVISE_RESTART_LINES_H
#define NEREUS_SRC_SUPERVISE_RESTART_LINES_H

#include "supervisor.h"

void restart_note_checkpoint(struct supervisor *supervisor, char *line);
void restart_await_warning(const struct supervisor *supervisor, struct peer *peer);
/* REQUEST_RESTART */
void restart_take(struct supervisor *supervisor, const struct peer *peer, char *line);

#endif
