/** @file lifeline.h  Keeps a guard's connection to nereus-supervise; the protocol is in
 * supervisor_lines.h. */
#pragma once

#include "src/link/supervisor_lines.h"

/** Is the process launched (not spawned by MPI)? */
bool lifeline_is_of_launched(void);
/** Open the lifeline of a launched process.
 * @return the socket, polled for the end of the connection; -1: nereus-supervise refuses it, or has
 *   ended */
int lifeline_open(void);
/** Report a running guard of a process that the MPI_Comm_spawn with this name has started.
 * @return the socket; -1: nereus-supervise cannot be reached */
int lifeline_open_spawned(const char *id);
/** Open the lifeline of an initial process.
 * @return the socket; -1: nereus-supervise cannot be reached */
int lifeline_open_initial(const char *rank);

/** Send a report (KIND NUMBER SENTENCE). connection -1: nothing. */
void lifeline_report(int connection, enum report_kind kind, int number, const char *sentence);
/** Report the end of an initial or spawned process. Returns when nereus-supervise has noted the
 * report: only then may the launcher detect the end. */
void lifeline_report_end(int connection, enum report_kind kind, int status, const char *sentence);
