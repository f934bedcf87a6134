/**
 * @file trace.h
 * Writes the times of a job: the trace (trace.c), and samples for `nereus profile fit` (learn.c,
 * NEREUS_LEARN=FILE); aligns the clocks of its hosts (clock_align.c).
 */
#pragma once

#include "src/steps/reconfiguration.h"

struct restart_result;
struct written_checkpoint;

/** Begin the gather of the targets' stamps, and move the plan, the groups and the leaving
 * processes' stamps from the reconfiguration to the trace. No effect if no trace is written:
 * nereus_reconfig_fini frees them then. Collective over control; non-blocking. */
enum nereus_status nereus_trace_report(struct reconfiguration *reconfig, struct nereus_error *err);
/** Complete a pending report. wait: block until it is complete. */
enum nereus_status nereus_trace_finish(nereus_job *job, bool wait, struct nereus_error *err);
/** Name of an outcome in files. */
const char *nereus_outcome_name(enum nereus_outcome outcome);
/** Note the time of a point, if there is a trace. Local. */
void nereus_trace_record_point(nereus_job *job);
/** Rank 0: line about the iterations of a size that ends. */
void nereus_trace_write_size(nereus_job *job);
/** Rank 0: line about the choice of a method, if none was named. */
void nereus_trace_write_choice(const struct reconfiguration *reconfig);
/** Rank 0: line about the program of new processes, if any start. */
void nereus_trace_write_start(const struct reconfiguration *reconfig);
/** Rank 0: line about a checkpoint that was written. */
void nereus_trace_write_checkpoint(const nereus_job *job,
                                   const struct written_checkpoint *checkpoint);
/** Write the line of a checkpoint from which the job continues; rank 0. */
void nereus_trace_write_restart(const nereus_job *job, const struct restart_result *restart);
/** Rank 0: line about a request that was not carried out or changed nothing. */
void nereus_trace_write_outcome(nereus_job *job, const struct resize_request *request,
                                enum nereus_outcome outcome, const char *sentence);

/** Rank 0 of the targets, after the commit: append a row, if a file was named. A write error is
 * logged once, and the job continues. */
void nereus_learn_append_row(const struct reconfiguration *reconfig);

/** Set the job's time in all active processes; nothing to do if they are on one host. Collective
 * over control. */
enum nereus_status nereus_clock_align(nereus_job *job, struct nereus_error *err);
