/** @file own_launcher.h  Answers whether this process was started by a launcher of MPI that can be
 * reached. */
#pragma once

#include "model/util/base.h"

/** Does the environment show that a launcher of MPI started this process? */
bool nereus_has_launcher(void);
/** Was this process started by a launcher whose variables a wrapper has removed (`env -i`)? MPI
 * would treat the process as a job of one process. */
bool nereus_has_lost_launcher(void);
/** Has a wrapper closed the descriptor by which MPI communicates with the launcher? */
bool nereus_has_closed_launcher(void);
