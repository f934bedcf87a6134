/**
 * @file company.h
 * Threads beside the main ones of a world: what auxiliary threads do while an application iterates.
 */
#ifndef NEREUS_CALIBRATION_COMPANY_H
#define NEREUS_CALIBRATION_COMPANY_H

#include <mpi.h>

#include "task.h"

struct company;

/** Of the messages that threads exchange which communicate. */
enum { COMPANY_MESSAGE_BYTES = 65536 };

/**
 * Start run->threads threads that do what run->company says, dealt out over the processes from rank 0 on; of those that start
 * run->threads new processes one on each process. Collective; MPI_THREAD_MULTIPLE.
 * @return ends with company_end; NULL without memory
 */
struct company *company_start(const struct nereus_task_run *run);

/** What a spawned process does whose parent's only thread exchanges messages with it, until that thread ends. */
void company_partner(const struct nereus_task_run *run);

/** When this process' part has ended by itself, as that of those who start processes does, by loop_now_s; INFINITY: not yet */
double company_over_s(const struct company *company);

/** End them. Collective. @return 0, or 1 where the new processes did not start */
int company_end(struct company *company);

#endif
