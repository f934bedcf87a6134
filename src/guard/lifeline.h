/* A guard's line to nereus-supervise; the protocol is in supervisor.h. */
#ifndef NEREUS_LIFELINE_H
#define NEREUS_LIFELINE_H

#include <stdbool.h>

#include "stages.h"

/* ---- launched process: the line is its lifeline ---------------------------------------------- */

/* Is the process launched (and not spawned by MPI)? */
bool lifeline_wanted(void);
/* @return the socket, to be polled for its end; -1: nereus-supervise refuses it, or has ended */
int lifeline_open(void);
/* The process has left or finished the job, and no longer depends on the lifeline. */
void lifeline_left(int line);
/* End of the process. kind 'K': killed, status 128 + signal; 'S': ended with a status. */
void lifeline_report(int line, char kind, int status);
/* The process never reached MPI. */
void lifeline_fail(int line, const char *sentence);
/* Result of a check: the program can be started. */
void lifeline_found(int line);

/* ---- spawned or initial process -------------------------------------------------------------- */

/* Spawned: report a running guard of the MPI_Comm_spawn with this name.
 * @return -1: nereus-supervise cannot be reached */
int lifeline_open_spawned(const char *id);
/* Initial. @return -1: nereus-supervise cannot be reached */
int lifeline_open_initial(const char *rank);
void lifeline_stage(int line, enum stage stage);
/* End of the process (kinds E, F, P of an initial one; K, S, Z of a spawned one). Returns when
 * nereus-supervise has taken the report: only then may the launcher detect the end. */
void lifeline_ended(int line, char kind, int status, const char *sentence);

#endif
