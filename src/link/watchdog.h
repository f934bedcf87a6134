/**
 * @file watchdog.h
 * Runs the watchdog of a process: a thread that periodically checks how long the main thread has
 * waited in a call of the library, and reports the processes for which it waits (util/stall.h). The
 * thread reads the job's counter of points, so that a point without a request costs only one more
 * atomic store (nereus_watchdog_count).
 *
 * All functions but begin accept NULL, for a process without a watchdog. All are for the main
 * thread.
 */
#pragma once

#include "model/util/base.h"

struct nereus_watchdog;

/** Start it inside the named call. NULL: off (NEREUS_WATCHDOG), or no thread.
 * @param points  the job's counter, written by the main thread with relaxed atomic stores */
struct nereus_watchdog *nereus_watchdog_begin(const int64_t *points, const char *call);
/** Stop and free the watchdog. */
void nereus_watchdog_end(struct nereus_watchdog *watchdog);

/** Set the process' place in the job, the number of changes so far, and whether it has left. */
void nereus_watchdog_set_identity(struct nereus_watchdog *watchdog, uint64_t job, int64_t rank,
                                  int64_t size, int64_t changes, bool left);
/** Note that this process has joined, and has passed no point yet. */
void nereus_watchdog_set_joined(struct nereus_watchdog *watchdog);
/** Store the number of points, at each point: nereus-supervise reads it after the end of this
 * process (progress.h). */
void nereus_watchdog_count(struct nereus_watchdog *watchdog, int64_t points);
/** Begin of a call in which the process may wait for others. */
void nereus_watchdog_enter(struct nereus_watchdog *watchdog, const char *call);
/** Begin of a step of a change of size within a call; ignored outside a call. */
void nereus_watchdog_step(struct nereus_watchdog *watchdog, const char *step);
/** End of the call. */
void nereus_watchdog_leave(struct nereus_watchdog *watchdog);
/** Note that the process sleeps as a zombie until its next step: it is not watched meanwhile. */
void nereus_watchdog_set_asleep(struct nereus_watchdog *watchdog);

/** Append to the message of a failed call where the other processes are, which may explain the
 * failure. */
void nereus_watchdog_explain(struct nereus_watchdog *watchdog, struct nereus_error *err);
