/* Putting everything back. Private to src/. */
#ifndef NEREUS_SRC_ROLL_BACK_H
#define NEREUS_SRC_ROLL_BACK_H

#include "reconfiguration.h"

/* Put everything back that was prepared: all processes of the plan call it, after they agreed on a
 * failure. Where launched processes were lost the sources alone do, without them. */
void nereus_roll_back(struct reconfiguration *rc);

#endif
