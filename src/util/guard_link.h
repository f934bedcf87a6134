/** @file guard_link.h  Connects a process to its guard. */
#pragma once

#include "guard_events.h"

/** Send an event to the guard, if there is one. */
void nereus_notify_guard(enum guard_event event);
/** Was this process started by a reconfiguration? (Initial processes have guards, too.) */
bool nereus_has_guard(void);

/** Pid of the parent; for an initial process the pid of the launcher, which is the parent of its
 * guard. */
int64_t nereus_launcher(void);
