/**
 * @file background.h
 * Background threads: what auxiliary threads do while an application iterates.
 *
 * Errors: a failure to start a thread or its partner aborts the job, since the other processes wait
 * for it.
 */
#pragma once

#include <mpi.h>

#include "task.h"

struct nereus_background_threads;

/** Size of the messages that communicating threads exchange. */
enum { NEREUS_BACKGROUND_MESSAGE_BYTES = 65536 };

/**
 * Start run->threads threads of the kind run->background, distributed over the processes from rank
 * 0 on; to start run->threads processes instead, one thread in each process. Collective; needs
 * MPI_THREAD_MULTIPLE.
 * @return to be ended with nereus_background_end
 */
struct nereus_background_threads *nereus_background_start(const struct nereus_task_run *run);

/** In a process spawned as partner of the only thread: exchange messages until that thread ends. */
void nereus_background_partner(const struct nereus_task_run *run);

/** Time when the start of processes ended in this process, by nereus_monotonic_s;
 * INFINITY: not yet */
double nereus_background_end_s(const struct nereus_background_threads *background);

/** End the threads. Collective.
 * @return false: the new processes did not start */
bool nereus_background_end(struct nereus_background_threads *background);
