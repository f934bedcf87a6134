/** @file execute.h  Execution of plans. */
#ifndef NEREUS_SRC_STEPS_EXECUTE_H
#define NEREUS_SRC_STEPS_EXECUTE_H

#include "reconfiguration.h"

/** Execute the steps first .. end - 1 of reconfig->plan.
 * @return NEREUS_OK; the failure that all agreed on, after the roll-back; or NEREUS_ERR_MPI */
enum nereus_status nereus_execute(struct reconfiguration *reconfig, int first, int end);

/** Stamp the begin of a step that nereus_execute does not execute. */
void nereus_step_arrive(struct reconfiguration *reconfig, int index);
/** Stamp the end of such a step. */
void nereus_step_depart(struct reconfiguration *reconfig, int index);

#endif
