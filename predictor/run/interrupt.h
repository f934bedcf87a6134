/**
 * @file interrupt.h
 * Polls for SIGINT, SIGTERM and SIGHUP, for commands that must stop processes and remove files.
 *
 * Between watch and end these signals do not end the command: it polls nereus_interrupted(), cleans
 * up and returns 128 + the signal. A signal that was ignored when the command started (nohup) stays
 * ignored. Process-wide; single-threaded.
 */
#pragma once

#include <signal.h>

#include "model/util/base.h"

/** Start watching; nested calls count.
 * @return 0, or -1 with errno */
int nereus_interrupt_watch(void);
void nereus_interrupt_end(void);

/** @return the first signal since the first watch, or 0 */
int nereus_interrupted(void);

/**
 * Clear the signal, so that cleaning up can run further commands; nereus_interrupt_restore restores
 * it.
 * @return the signal, or 0
 */
int nereus_interrupt_clear(void);
void nereus_interrupt_restore(int signal_number);

/** @return a descriptor that is readable when a signal was received; -1: not watching */
int nereus_interrupt_fd(void);

/** @return the signal mask before the watch, with which a child has to start */
const sigset_t *nereus_interrupt_old_mask(void);
