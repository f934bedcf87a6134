/*
 * The watchdog of a process: a thread that checks periodically how long the main thread has
 * waited in a call of the library, and says for whom (util/stall.h). A point without a request does
 * nothing for it: the thread reads the counter of points that the job has in any case.
 *
 * All functions but begin and end take NULL, for a process without a watchdog. They are the main
 * thread's. Private to src/.
 */
#ifndef NEREUS_SRC_WATCHDOG_H
#define NEREUS_SRC_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

#include "nereus/status.h"

struct nereus_watchdog;

/* Begin, inside the call named. NULL: off (NEREUS_WATCHDOG), or no thread can be had.
 * @param points  the job's counter, written by the main thread with relaxed atomic stores while the
 *                program computes */
struct nereus_watchdog *nereus_watchdog_begin(const int64_t *points, const char *call);
void nereus_watchdog_end(struct nereus_watchdog *watchdog);

/* Who this process is in its job. joined: it has come into the job and to no point yet. */
void nereus_watchdog_know(struct nereus_watchdog *watchdog, uint64_t job, int64_t rank,
                          int64_t size, int64_t changes, bool left);
void nereus_watchdog_has_joined(struct nereus_watchdog *watchdog);
/* A call begins in which the process may wait for others; a step of a change of size begins within
 * it (not in a call: nothing); it ends. */
void nereus_watchdog_enter(struct nereus_watchdog *watchdog, const char *call);
void nereus_watchdog_step(struct nereus_watchdog *watchdog, const char *step);
void nereus_watchdog_leave(struct nereus_watchdog *watchdog);
/* Within a call: the process falls asleep as a zombie, and is watched again from its next step. */
void nereus_watchdog_sleeps(struct nereus_watchdog *watchdog);

/* A call has failed in this process, which other processes may explain: where they are is added to
 * the sentence. */
void nereus_watchdog_explain(struct nereus_watchdog *watchdog, struct nereus_error *err);

#endif
