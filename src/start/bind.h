/* Binding this process to cores. Main thread only. Private to src/. */
#ifndef NEREUS_SRC_BIND_H
#define NEREUS_SRC_BIND_H

#include <pthread.h>

#include "src/job/job.h"

/* Note what this process may use, before anything changes it. before_mpi: MPI has not been started
 * yet. */
void nereus_bind_look(bool before_mpi);
/* Bind this process to the cores that the layout gives it. Local, of active processes; a failure
 * only warns. */
void nereus_bind(nereus_job *job);
/* Bind an auxiliary thread to the last core of this process' own, where it has several. */
void nereus_bind_auxiliary(pthread_t thread);
/* Back to what the process was started with. */
void nereus_bind_end(void);
/* Is this process on the host that the layout says? */
bool nereus_is_on_node(const nereus_job *job);

#endif
