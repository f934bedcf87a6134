/* With NEREUS_CHECK=1: constant data must not be written while it moves during iterations.
 * Private to src/. */
#ifndef NEREUS_SRC_CONSTANTS_H
#define NEREUS_SRC_CONSTANTS_H

#include "reconfiguration.h"

/* Before constant data moves: a checksum of each. */
void nereus_constants_remember(struct reconfiguration *rc);
/* Before the last agreement: a change is this process' failure. */
void nereus_constants_compare(struct reconfiguration *rc);

#endif
