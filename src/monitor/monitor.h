/** @file monitor.h  Monitors work, MPI time and memory of each process in each sampling interval
 * (docs/jobs.md). */
#pragma once

#include "src/job/job.h"

/** Start the first interval of a job, or of a new size. No effect if the job is not monitored.
 * Collective over control. */
enum nereus_status nereus_monitor_begin(nereus_job *job, struct nereus_error *err);
/** End the interval if it is complete at the malleability point `point`. Collective over control if
 * an interval ends; non-blocking, except for a process that is a whole interval ahead. */
enum nereus_status nereus_monitor_point(nereus_job *job, int64_t point, struct nereus_error *err);
/** End the interval now, and wait until it has been written. Collective over control. */
enum nereus_status nereus_monitor_flush(nereus_job *job, struct nereus_error *err);
/** Restart the interval now. Local; in all processes at the same point. */
void nereus_monitor_restart(nereus_job *job);
/** Wall-clock time of this process outside MPI and malleability points, since the job changed or
 * counting restarted. Local.
 * @param[out] points  malleability points in that time
 * @return 0: unknown: not monitored, or MPI calls are not counted */
double nereus_monitor_compute_s(const nereus_job *job, int64_t *points);
/** Restart the measurement of compute time, after its value was used. Local; in all processes at
 * the same point. */
void nereus_monitor_restart_compute_time(nereus_job *job);
/** Rank 0: line about the outcome of a request. */
void nereus_monitor_write_outcome(const nereus_job *job, int64_t ns, int64_t nt,
                                  const struct nereus_method *method, const char *outcome);
/** Rank 0: last line of the file. */
void nereus_monitor_write_end(const nereus_job *job);
/** See nereus_metrics. */
enum nereus_status nereus_monitor_metrics(const nereus_job *job, int rank,
                                          struct nereus_metrics *metrics);
/** End monitoring, and free its memory. */
void nereus_monitor_fini(nereus_job *job);
