/* Calls of the library in which this process may wait for others, as the watchdog has to know them.
 * Private to src/. */
#ifndef NEREUS_SRC_CALLS_H
#define NEREUS_SRC_CALLS_H

#include "job.h"

/* The process' rank and size are known, or have changed: to the watchdog, too. */
void nereus_job_is_known(nereus_job *job);
void nereus_call_begins(nereus_job *job, const char *call);
/* The program goes on. Ranks may have changed meanwhile. */
void nereus_call_ends(nereus_job *job);

#endif
