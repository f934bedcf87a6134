/**
 * @file external.h
 * Serves external requests (docs/jobs.md): rank 0 of a job that has a name (NEREUS_JOB) serves a
 * socket (link/job_server.h). The server's thread checks a request and queues it; the next
 * malleability point takes it as if the program had made it. Records and name follow rank 0.
 *
 * All functions are for the main thread, and do nothing in a process without a server.
 */
#pragma once

#include "src/steps/reconfiguration.h"

/** Start the server of rank 0 of a new job, after its options are known, if the job has a name.
 * Requests are deferred until nereus_external_open. */
enum nereus_status nereus_external_begin(nereus_job *job, struct nereus_error *err);
/** Rank 0 after a loss: start the server, unless this process has one. If it cannot, the job
 * continues without it, which is logged. */
void nereus_external_resume(nereus_job *job);
/** Accept requests from now on. */
void nereus_external_open(nereus_job *job);
/** Defer requests until nereus_external_open, while members of the job that the server's thread
 * reads may change. */
void nereus_external_defer(nereus_job *job);
/** The job continues from a checkpoint: end as lost all requests that had not ended when it was
 * written and are not pending, also a request that waits for a point. */
void nereus_external_end_lost(nereus_job *job);
/** Called at a point at which job->has_external_request is set: make the queued request the pending
 * one, unless one is pending. */
void nereus_external_make_pending(nereus_job *job);

/** Rank 0 begins to decide on a request: further ones are deferred.
 * @return false: its deadline has passed; do not carry it out */
bool nereus_external_start(nereus_job *job, const struct resize_request *request);
/** A target, after the commit: the new rank 0 serves from now on. */
void nereus_external_report_resized(const struct reconfiguration *reconfig);
/** The request was not carried out. */
void nereus_external_report_not_resized(const struct reconfiguration *reconfig,
                                        enum nereus_outcome outcome, const char *sentence);
/** RT has been measured; below 0: unknown. */
void nereus_external_set_rt(nereus_job *job, double rt_s);

/** The program has declared its sizes. */
void nereus_external_set_sizes(nereus_job *job, const struct nereus_sizes *sizes);

/** Stop the server of a source that leaves: another process serves. */
void nereus_external_hand_over(struct reconfiguration *reconfig);
/** Stop the server, at the end of the job. */
void nereus_external_end(nereus_job *job);
