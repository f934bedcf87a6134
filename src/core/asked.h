/*
 * Requests from outside (docs/jobs.md): rank 0 of a job that has a name (NEREUS_JOB)
 * answers at a socket (link/ask_server.h). Its thread checks a request and lays it down; the next
 * malleability point takes it up, as if the program had made it. Records and name move along with
 * rank 0.
 *
 * All functions are the main thread's, and do nothing in a process that does not answer. Private to
 * src/.
 */
#ifndef NEREUS_SRC_ASKED_H
#define NEREUS_SRC_ASKED_H

#include "src/steps/reconfiguration.h"

/* Rank 0 of a new job, once its options are known: begin to answer, if it has a name. Requests are
 * deferred until nereus_asked_open. */
enum nereus_status nereus_asked_begin(nereus_job *job, struct nereus_error *err);
void nereus_asked_open(nereus_job *job);
/* At a point, if job->is_asked: the request becomes the pending one, unless there is one. */
void nereus_asked_take(nereus_job *job);

/* Rank 0 begins to decide on a request: further ones are deferred.
 * @return false: its deadline is over, and it must not be carried out */
bool nereus_asked_decides(nereus_job *job, const struct resize_request *wanted);
/* A target, after the commit: rank 0 answers from now on, also where it is another process. */
void nereus_asked_resized(const struct reconfiguration *rc);
/* The request was not carried out. */
void nereus_asked_not_resized(const struct reconfiguration *rc, enum nereus_outcome outcome,
                              const char *sentence);
/* The trace has its RT; below 0: it was lost. */
void nereus_asked_measured(nereus_job *job, double rt_s);

/* What the program can take has been declared. */
void nereus_asked_declare(nereus_job *job, const struct nereus_sizes *sizes);

/* A source that leaves: another process answers. */
void nereus_asked_moves(struct reconfiguration *rc);
void nereus_asked_end(nereus_job *job);

#endif
