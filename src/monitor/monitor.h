/* Monitoring of a job: what each process does in each sampling interval (docs/jobs.md).
 * Private to src/. */
#ifndef NEREUS_SRC_MONITOR_H
#define NEREUS_SRC_MONITOR_H

#include "src/job/job.h"

/* Of a job that begins, or has changed its size: the first interval begins. Nothing where the job is
 * not monitored. Collective over control. */
enum nereus_status nereus_monitor_begin(nereus_job *job, struct nereus_error *err);
/* At a malleability point with the number `point`: ends the interval if it is time. Collective over
 * control if one ends; non-blocking, except for a process that is a whole interval ahead. */
enum nereus_status nereus_monitor_point(nereus_job *job, int64_t point, struct nereus_error *err);
/* End the interval now, and wait until it has been written. Collective over control. */
enum nereus_status nereus_monitor_flush(nereus_job *job, struct nereus_error *err);
/* What has happened since is no part of the next interval. Local; in all processes alike. */
void nereus_monitor_restart(nereus_job *job);
/* Real time that this process has spent outside MPI and malleability points since the job last
 * changed or began to count anew. Local. @param[out] points  malleability points in that time
 * @return 0: not known: the job is not monitored, or its MPI calls are not counted */
double nereus_monitor_compute_s(const nereus_job *job, int64_t *points);
/* What was measured has been used, and begins anew. Local; in all processes alike. */
void nereus_monitor_looked(nereus_job *job);
/* What has become of a request: a line, written by rank 0. */
void nereus_monitor_answered(const nereus_job *job, int64_t ns, int64_t nt,
                             const struct nereus_method *method, const char *outcome);
/* The job ends: the last line, written by rank 0. */
void nereus_monitor_ended(const nereus_job *job);
/* See nereus_metrics. */
enum nereus_status nereus_monitor_metrics(const nereus_job *job, int rank,
                                          struct nereus_metrics *metrics);
void nereus_monitor_fini(nereus_job *job);

#endif
