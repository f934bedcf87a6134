/* Carrying out a plan. Private to src/. */
#ifndef NEREUS_SRC_EXECUTE_H
#define NEREUS_SRC_EXECUTE_H

#include "reconfiguration.h"

/* Carry out the steps first .. end - 1 of rc->plan.
 * @return NEREUS_OK, or what all agreed on (everything is put back then), or NEREUS_ERR_MPI. */
enum nereus_status nereus_execute(struct reconfiguration *rc, int first, int end);

/* What nereus_execute does before and after a step that is carried out otherwise. */
void nereus_step_arrive(struct reconfiguration *rc, int index);
void nereus_step_depart(struct reconfiguration *rc, int index);

#endif
