/** @file outcome.h  The outcome of a request in this process. */
#ifndef NEREUS_SRC_CORE_OUTCOME_H
#define NEREUS_SRC_CORE_OUTCOME_H

#include "src/steps/reconfiguration.h"

/** Call options.after, if there is one. */
void nereus_call_after_callback(nereus_job *job);
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

#endif
