/** @file guard_link.h  Connection of a process to its guard. */
#ifndef NEREUS_SRC_UTIL_GUARD_LINK_H
#define NEREUS_SRC_UTIL_GUARD_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "guard_events.h"

/** Send an event to the guard, if there is one. */
void nereus_notify_guard(enum guard_event event);
/** Was this process started by a launcher of MPI, by its environment? */
bool nereus_has_launcher(void);
/** Was this process started by a launcher whose variables a wrapper has removed (`env -i`)? MPI
 * would take the process for a job of one process. */
bool nereus_has_lost_launcher(void);
/** Has a wrapper closed the descriptor over which MPI speaks to the launcher? */
bool nereus_has_closed_launcher(void);
/** Was this process started by a reconfiguration? (Initial processes have guards, too.) */
bool nereus_has_guard(void);

/** Pid of the parent; of an initial process the launcher's, which is the parent of its guard. */
int64_t nereus_launcher(void);

#endif
