/** @file execute.h  Execution of plans. */
#ifndef NEREUS_SRC_EXECUTE_H
#define NEREUS_SRC_EXECUTE_H

#include "reconfiguration.h"

/** Execute the steps first .. end - 1 of reconfig->plan.
 * @return NEREUS_OK; what all agreed on (after the roll-back); or NEREUS_ERR_MPI */
enum nereus_status nereus_execute(struct reconfiguration *reconfig, int first, int end);

/** What nereus_execute does before and after a step, for steps that are executed elsewhere. */
void nereus_step_arrive(struct reconfiguration *reconfig, int index);
void nereus_step_depart(struct reconfiguration *reconfig, int index);

#endif
