/**
 * @file execute.h
 * Executes plans (execute.c), and rolls a failed one back: the job continues with its old processes
 * (roll_back.c).
 */
#pragma once

#include "reconfiguration.h"

/** Execute the steps first .. end - 1 of reconfig->plan.
 * @return NEREUS_OK; the failure that all agreed on, after the roll-back; or NEREUS_ERR_MPI */
enum nereus_status nereus_execute(struct reconfiguration *reconfig, int first, int end);

/** Stamp the begin of a step that nereus_execute does not execute. */
void nereus_step_arrive(struct reconfiguration *reconfig, int index);
/** Stamp the end of such a step. */
void nereus_step_depart(struct reconfiguration *reconfig, int index);

/** Undo everything that was prepared: called by all processes of the plan after they agreed on a
 * failure. If launched processes were lost, only by the sources. */
void nereus_roll_back(struct reconfiguration *reconfig);
