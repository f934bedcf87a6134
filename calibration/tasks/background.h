/**
 * @file background.h
 * Background threads: what auxiliary threads do while an application iterates.
 */
#ifndef NEREUS_CALIBRATION_BACKGROUND_H
#define NEREUS_CALIBRATION_BACKGROUND_H

#include <mpi.h>

#include "task.h"

struct background;

/** Size of the messages that communicating threads exchange. */
enum { BACKGROUND_MESSAGE_BYTES = 65536 };

/**
 * Start run->threads threads of the kind run->company, distributed over the processes from rank 0
 * on; for starting run->threads processes, one thread per process. Collective; MPI_THREAD_MULTIPLE.
 * @return ends with background_end; NULL without memory
 */
struct background *background_start(const struct nereus_task_run *run);

/** In a process spawned as partner of the only thread: exchange messages until that thread ends. */
void background_partner(const struct nereus_task_run *run);

/** Time when the start of processes ended in this process, by nereus_clock_s; INFINITY: not yet */
double background_over_s(const struct background *background);

/** End them. Collective. @return 0, or 1 if the new processes did not start */
int background_end(struct background *background);

#endif
