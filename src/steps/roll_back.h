/**
 * @file roll_back.h
 * Roll-back of a failed reconfiguration: the job continues with its old processes.
 */
#ifndef NEREUS_SRC_STEPS_ROLL_BACK_H
#define NEREUS_SRC_STEPS_ROLL_BACK_H

#include "reconfiguration.h"

/** Undo everything that was prepared: called by all processes of the plan after they agreed on a
 * failure. If launched processes were lost, only by the sources. */
void nereus_roll_back(struct reconfiguration *reconfig);

#endif
