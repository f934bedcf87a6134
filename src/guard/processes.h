/** @file processes.h  Finds descendants of a process in /proc. */
#pragma once

#include <sys/types.h>

#include "model/util/base.h"

/** Send a signal to the direct children of a process.
 * @return their number */
int processes_end_children(pid_t parent, int signal_number);
/** Send a signal to all descendants. */
void processes_end_below(pid_t parent, int signal_number);
/** Kill all children of this process, for at most limit_s. Their own children then become children
 * of this process, and are killed, too. */
void processes_kill_children(double limit_s);
/** Number of direct children that have not ended. */
int processes_running_below(pid_t parent);
/** Has the process waited for a child that ended? */
bool processes_has_seen_one_end(pid_t pid);
/** Send a signal again to descendants that are still alive although they neither handle nor ignore
 * it: a launcher may lose a signal that arrives while it starts processes. */
void processes_signal_again(pid_t parent, int signal_number);
