/* Faults on request, for tests: NEREUS_FAULT=STEP:RANK makes that step fail once in the process of that rank. It may be a list,
 * STEP:RANK@NUMBER,...: each only in the reconfiguration of that number (1: the first), so that one job meets many.
 * Private to src/. */
#ifndef NEREUS_FAULT_H
#define NEREUS_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "nereus/plan.h"

/* NEREUS_FAULT=thread:RANK: that source gets no auxiliary thread. */
#define NEREUS_FAULT_THREAD NEREUS_STEP_KIND_COUNT
/* NEREUS_FAULT=reserve:RANK: what moves the data finds no memory there. */
#define NEREUS_FAULT_RESERVE (NEREUS_STEP_KIND_COUNT + 1)
/* NEREUS_FAULT=cuts:RANK: no memory there for where the data are cut. */
#define NEREUS_FAULT_PARTITIONS (NEREUS_STEP_KIND_COUNT + 2)
/* NEREUS_FAULT=die-accept:RANK: that one of a group that others connect to is killed when it has let them in, before MPI_Comm_accept. */
#define NEREUS_FAULT_ACCEPT (NEREUS_STEP_KIND_COUNT + 3)
/* NEREUS_FAULT=die-window:RANK: killed when it has got its data by rma, before it says so: all windows are open. */
#define NEREUS_FAULT_WINDOW (NEREUS_STEP_KIND_COUNT + 4)
/* NEREUS_FAULT=die-statement:RANK: killed inside an agreement, when all have come to it where they meet before, and its own word is due. */
#define NEREUS_FAULT_STATEMENT (NEREUS_STEP_KIND_COUNT + 5)
/* NEREUS_FAULT=look:RANK: that source's look at what moves at points fails, once, as where MPI notices a death. */
#define NEREUS_FAULT_LOOK (NEREUS_STEP_KIND_COUNT + 6)
/* NEREUS_FAULT=die-merging:RANK: killed where all have come and enter MPI_Intercomm_merge. */
#define NEREUS_FAULT_MERGING (NEREUS_STEP_KIND_COUNT + 7)
/* NEREUS_FAULT=die-opening:RANK, die-closing:RANK: the same of MPI_Win_create and MPI_Win_free. */
#define NEREUS_FAULT_OPENING (NEREUS_STEP_KIND_COUNT + 8)
#define NEREUS_FAULT_CLOSING (NEREUS_STEP_KIND_COUNT + 9)
/* NEREUS_FAULT=die-moving:RANK: killed when the data that it gets is on its way. */
#define NEREUS_FAULT_MOVING (NEREUS_STEP_KIND_COUNT + 10)

/* The number of the reconfiguration that begins. */
void nereus_fault_number(int64_t number);
/* Is this step to fail here? Costs a getenv at the first call only. */
bool nereus_fault(enum nereus_step_kind step, int rank);
/* NEREUS_FAULT=die-STEP:RANK: this process is killed (SIGKILL) where it comes to that step. */
void nereus_fault_die(enum nereus_step_kind step, int rank);
/* Write the sentence of an injected fault, unless a real failure is there already. */
void nereus_fault_report(enum nereus_step_kind step, struct nereus_error *failure);

#endif
