/* From a process to the guard over it. Private to src/. */
#ifndef NEREUS_SRC_GUARD_LINK_H
#define NEREUS_SRC_GUARD_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "guard_events.h"

/* Tell the guard over this process, if there is one. */
void nereus_tell_guard(enum guard_event event);
/* Was this process started by a launcher of MPI, as its environment says? */
bool nereus_has_launcher(void);
/* Was it, though its environment does not say so: has a wrapper emptied that (`env -i`)? Then MPI
 * takes it for a job of one process. */
bool nereus_has_lost_launcher(void);
/* In place of MPI_Finalize, where that would abort: MPICH's launcher takes a process that ends
 * without it for lost, and kills the others of its world. */
void nereus_finalise_launcher(void);
/* Was this process started by a reconfiguration? (Over an initial process is a guard, too.) */
bool nereus_has_guard(void);

/* The process that has started this one: of an initial process the launcher's, which has started
 * the guard over it. */
int64_t nereus_launcher(void);

#endif
