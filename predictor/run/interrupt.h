/**
 * @file interrupt.h
 * SIGINT, SIGTERM and SIGHUP as something to ask about, for commands that have processes to stop and files to
 * tidy up.
 *
 * Between watch and end the signals do not end the command: nereus_interrupted() tells, and the command winds
 * up and returns 128 + the signal. A signal that was ignored when the command started (nohup) stays ignored.
 * Process-wide; single-threaded.
 */
#ifndef NEREUS_INTERRUPT_H
#define NEREUS_INTERRUPT_H

#include <signal.h>

/** Start watching; nested calls count. @return 0, or -1 with errno */
int nereus_interrupt_watch(void);
void nereus_interrupt_end(void);

/** The first signal that came since the first watch, or 0. */
int nereus_interrupted(void);

/** Readable when a signal has come; -1 when not watching. */
int nereus_interrupt_fd(void);

/** The signal mask from before the watch: what a child is to start with. */
const sigset_t *nereus_interrupt_old_mask(void);

#endif
