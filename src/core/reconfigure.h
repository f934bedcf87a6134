/**
 * @file reconfigure.h
 * Carries out a request: its entry point (reconfigure.c), rank 0's decision (decide.c), the end in
 * the sources (finish.c), the outcome in all processes (outcome.c).
 */
#pragma once

#include "src/steps/reconfiguration.h"

/** Carry out a request at this point. Collective over the active processes. */
enum nereus_status nereus_reconfigure(nereus_job *job, const struct resize_request *request,
                                      enum nereus_action *action, struct nereus_error *err);
/** Warn, once in a job, that the size exceeds the cores. */
void nereus_warn_oversubscribed(nereus_job *job, int64_t nt);

/** Make reconfig->record from rank 0's reconfig->request, and prepare what rank 0 needs. Collective
 * over control. The root also makes reconfig->plan, unless the record is complete only after
 * partitions are computed. reconfig->verdict: why the request cannot be carried out, the same in
 * all processes. reconfig->failure: this process' failure, to be agreed on. */
enum nereus_status nereus_decide(struct reconfiguration *reconfig, struct nereus_error *err);

/** Is the job of that size already, and does no data have to move? */
bool nereus_request_changes_nothing(const nereus_job *job, const struct resize_request *request);

/** End of a reconfiguration in a source, after its last step or after a step that failed with this
 * status. Frees reconfig. */
enum nereus_status nereus_reconfig_finish(struct reconfiguration *reconfig,
                                          enum nereus_status status, enum nereus_action *action,
                                          struct nereus_error *err);
/** Complete the latest reconfiguration, of which two parts take place at later points: send
 * processes to sleep, then write its times. wait: until all is complete, as before the next change
 * or the end. Collective over control if it waits. */
enum nereus_status nereus_finish_pending(nereus_job *job, bool wait, struct nereus_error *err);
/** Free a reconfiguration and its parts. */
void nereus_reconfig_free(struct reconfiguration *reconfig);

/** Report in a target that the request was carried out: set the outcome, call options.after, begin
 * the trace's and the monitor's reports. Collective over control. */
enum nereus_status nereus_report_carried_out(struct reconfiguration *reconfig,
                                             struct nereus_error *err);
/** Report that the request was cancelled, for the reason in reconfig->verdict, and restore the
 * machine: the job is as before. */
void nereus_report_cancelled(struct reconfiguration *reconfig);
/** Report that the job is unchanged, for reconfig->unchanged_reason: it has the size already, or
 * moving data would not pay. */
void nereus_report_unchanged(struct reconfiguration *reconfig);
