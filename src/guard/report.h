/*
 * Reports on how processes end, from the guards to nereus-supervise, which listens while mpiexec
 * runs: Hydra's mpiexec tells only how the initial world ended. Private to src/.
 *
 * NEREUS_LAUNCHER holds "host:port:token"; a report is one line, "TOKEN KIND STATUS"
 * (supervisor.h).
 */
#ifndef NEREUS_REPORT_H
#define NEREUS_REPORT_H

/* 'K': killed, status 128 + signal. 'S': ended with a status. */
void nereus_report_send(char kind, int status);
/* The process was needed, and has ended: the job is ended, with this sentence. */
void nereus_report_loss(int status, const char *sentence);

#endif
