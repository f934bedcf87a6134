/**
 * @file fault.h
 * Injects faults, for tests: NEREUS_FAULT=STEP:RANK makes that step fail once in the process of
 * that rank. A list STEP:RANK@NUMBER,... limits each fault to the reconfiguration of that number
 * (1: the first).
 */
#pragma once

#include "model/util/base.h"
#include "nereus/plan.h"

/** NEREUS_FAULT=thread:RANK: that source gets no auxiliary thread. */
#define NEREUS_FAULT_THREAD NEREUS_STEP_KIND_COUNT
/** NEREUS_FAULT=reserve:RANK: that process has no memory for the redistribution. */
#define NEREUS_FAULT_RESERVE (NEREUS_STEP_KIND_COUNT + 1)
/** NEREUS_FAULT=cuts:RANK: that process has no memory for the partitions of the data. */
#define NEREUS_FAULT_PARTITIONS (NEREUS_STEP_KIND_COUNT + 2)
/** NEREUS_FAULT=die-accept:RANK: killed, in a group that others connect to, after it has told the
 * peer to connect and before MPI_Comm_accept. */
#define NEREUS_FAULT_ACCEPT (NEREUS_STEP_KIND_COUNT + 3)
/** NEREUS_FAULT=die-window:RANK: killed after it received its data by rma and before it notifies
 * the sources: all windows are open. */
#define NEREUS_FAULT_WINDOW (NEREUS_STEP_KIND_COUNT + 4)
/** NEREUS_FAULT=die-statement:RANK: killed inside an agreement, after all have met and before it
 * sends its own statement. */
#define NEREUS_FAULT_STATEMENT (NEREUS_STEP_KIND_COUNT + 5)
/** NEREUS_FAULT=look:RANK: one test of a redistribution at points fails in that source, as if MPI
 * had noticed a death. */
#define NEREUS_FAULT_LOOK (NEREUS_STEP_KIND_COUNT + 6)
/** NEREUS_FAULT=die-merging:RANK: killed when all processes enter MPI_Intercomm_merge. */
#define NEREUS_FAULT_MERGING (NEREUS_STEP_KIND_COUNT + 7)
/** NEREUS_FAULT=die-opening:RANK, die-closing:RANK: killed when all processes enter MPI_Win_create,
 * MPI_Win_free. */
#define NEREUS_FAULT_OPENING (NEREUS_STEP_KIND_COUNT + 8)
#define NEREUS_FAULT_CLOSING (NEREUS_STEP_KIND_COUNT + 9)
/** NEREUS_FAULT=die-moving:RANK: killed while the data that it receives is being sent. */
#define NEREUS_FAULT_MOVING (NEREUS_STEP_KIND_COUNT + 10)

/** Is NEREUS_FAULT valid? */
enum nereus_status nereus_fault_check(struct nereus_error *err);
/** Set the number of the reconfiguration that begins. */
void nereus_fault_set_number(int64_t number);
/** Does this step fail in this process? Reads the environment at the first call only. */
bool nereus_fault_applies(enum nereus_step_kind step, int rank);
/** NEREUS_FAULT=die-STEP:RANK: kill this process (SIGKILL) at the beginning of that step. */
void nereus_fault_die(enum nereus_step_kind step, int rank);
/** Set the failure of an injected fault, unless there is a real one. */
void nereus_fault_report(enum nereus_step_kind step, struct nereus_error *failure);
