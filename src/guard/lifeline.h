/* A guard's line to nereus-supervise; the protocol is in supervisor.h. */
#ifndef NEREUS_LIFELINE_H
#define NEREUS_LIFELINE_H

#include <stdbool.h>

/* Kinds of reports; their arguments: supervisor.h. */
enum report_kind {
    REPORT_PHASE = 'L',         /* an initial or spawned process has entered a phase */
    REPORT_LEFT = 'B',          /* a launched process has left or finished the job */
    REPORT_STARTABLE = 'Y',     /* the program can be started */
    REPORT_NOT_STARTED = 'F',   /* the program cannot be started, or never reached MPI */
    REPORT_SIGNALLED = 'K',     /* end of a launched or spawned process by a signal */
    REPORT_EXITED = 'S',        /* its end with a status */
    REPORT_LOST = 'Z',          /* end of a spawned process that the job needed */
    REPORT_INITIAL_ENDED = 'E', /* end of an initial process */
    REPORT_PROXY_ENDED = 'P',   /* end of the launcher's proxy over an initial process */
    REPORT_SIGUSR1 = 'U'        /* an initial process has got this signal */
};

/* Is the process launched (and not spawned by MPI)? */
bool lifeline_wanted(void);
/* Of a launched process, whose lifeline it is.
 * @return the socket, to be polled for its end; -1: nereus-supervise refuses it, or has ended */
int lifeline_open(void);
/* Of a spawned process: report a running guard of the MPI_Comm_spawn with this name.
 * @return -1: nereus-supervise cannot be reached */
int lifeline_open_spawned(const char *id);
/* Of an initial process. @return -1: nereus-supervise cannot be reached */
int lifeline_open_initial(const char *rank);

/* Send a report (KIND NUMBER SENTENCE). line -1: nothing. */
void lifeline_report(int line, enum report_kind kind, int number, const char *sentence);
/* The end of an initial or spawned process. Returns when nereus-supervise has taken the report:
 * only then may the launcher detect the end. */
void lifeline_ended(int line, enum report_kind kind, int status, const char *sentence);

#endif
