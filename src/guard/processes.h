/* The processes under one, as /proc shows them. Private to src/guard. */
#ifndef NEREUS_PROCESSES_H
#define NEREUS_PROCESSES_H

#include <stdbool.h>
#include <sys/types.h>

/* A signal to the direct children of a process. @return how many there are */
int processes_end_children(pid_t parent, int signal_number);
/* The same to all that these have started, too. */
void processes_end_below(pid_t parent, int signal_number);
/* Direct children that have not ended. */
int processes_running_below(pid_t parent);
/* Has the process taken notice of the end of a child? */
bool processes_has_seen_one_end(pid_t pid);
/* A signal once more to those under a process that would not live if they had got it: they neither
 * handle nor ignore it. A launcher loses a signal that comes while it starts processes. */
void processes_repeat(pid_t parent, int signal_number);

#endif
