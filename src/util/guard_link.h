/** @file guard_link.h  Connection of a process to its guard. */
#ifndef NEREUS_SRC_UTIL_GUARD_LINK_H
#define NEREUS_SRC_UTIL_GUARD_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "guard_events.h"

/** Send an event to the guard, if there is one. */
void nereus_notify_guard(enum guard_event event);
/** Was this process started by a reconfiguration? (Initial processes have guards, too.) */
bool nereus_has_guard(void);

/** Pid of the parent; for an initial process the pid of the launcher, which is the parent of its
 * guard. */
int64_t nereus_launcher(void);

#endif
