/* The lifeline of a launched process, held by its guard: see supervisor.h. */
#ifndef NEREUS_LIFELINE_H
#define NEREUS_LIFELINE_H

#include <stdbool.h>

#include "stages.h"

/* Was this guard launched (not spawned by MPI)? */
bool lifeline_wanted(void);
/* @return the line, to be polled for its end; -1: nereus-supervise refuses this process, or has
 * ended */
int lifeline_open(void);
/* Launched: the process has left the job, or finished it, and lives and ends on its own. */
void lifeline_left(int line);
/* How it ended: counts if it was part of the job. 'K': killed, status 128 + signal; 'S': ended with
 * a status. */
void lifeline_report(int line, char kind, int status);
/* The process never reached MPI. */
void lifeline_fail(int line, const char *sentence);
/* This guard was only to check, and the program can be started here. */
void lifeline_found(int line);

/* Of a guard that MPI_Comm_spawn has started: it runs, as part of the spawn with this name.
 * @return -1: nereus-supervise cannot be reached */
int lifeline_open_spawned(const char *id);

/* Of the guard over an initial process, until it has ended (-1: none). */
int lifeline_open_initial(const char *rank);
/* Of an initial or spawned process. */
void lifeline_stage(int line, enum stage stage);
/* How an initial or spawned process ended (supervisor.h: E, F, P; K, S, Z). Returns when
 * nereus-supervise has taken it: only then may the launcher learn of it. */
void lifeline_ended(int line, char kind, int status, const char *sentence);

#endif
