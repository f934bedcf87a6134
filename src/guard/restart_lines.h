/* What a job says of its next attempt: lines K, R and S. */
#ifndef NEREUS_GUARD_RESTART_LINES_H
#define NEREUS_GUARD_RESTART_LINES_H

#include "supervisor.h"

void restart_note_checkpoint(struct supervisor *supervisor, char *line);
void restart_await_warning(const struct supervisor *supervisor, struct peer *peer);
/* Line R. */
void restart_take(struct supervisor *supervisor, const struct peer *peer, char *line);

#endif
