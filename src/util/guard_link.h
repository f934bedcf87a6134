/* The pipe from a process to the guard that started it. Private to src/. */
#ifndef NEREUS_SRC_GUARD_LINK_H
#define NEREUS_SRC_GUARD_LINK_H

#include <stdbool.h>

#include "guard_events.h"

/* Tell the guard over this process, if there is one. */
void nereus_tell_guard(enum guard_event event);
/* Was this process started by a guard, that is, by a reconfiguration? */
bool nereus_has_guard(void);

#endif
