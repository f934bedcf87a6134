/**
 * @file company.h
 * Background threads: what auxiliary threads do while an application iterates.
 */
#ifndef NEREUS_CALIBRATION_COMPANY_H
#define NEREUS_CALIBRATION_COMPANY_H

#include <mpi.h>

#include "task.h"

struct company;

/** Size of the messages that communicating threads exchange. */
enum { COMPANY_MESSAGE_BYTES = 65536 };

/**
 * Start run->threads threads of the kind run->company, distributed over the processes from rank 0
 * on; for starting run->threads processes, one thread per process. Collective; MPI_THREAD_MULTIPLE.
 * @return ends with company_end; NULL without memory
 */
struct company *company_start(const struct nereus_task_run *run);

/** In a process spawned as partner of the only thread: exchange messages until that thread ends. */
void company_partner(const struct nereus_task_run *run);

/** Time when the start of processes ended in this process, by nereus_clock_s; INFINITY: not yet */
double company_over_s(const struct company *company);

/** End them. Collective. @return 0, or 1 if the new processes did not start */
int company_end(struct company *company);

#endif
