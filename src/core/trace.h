/* The trace: the times of each reconfiguration, as lines of JSON. Private to src/. */
#ifndef NEREUS_SRC_TRACE_H
#define NEREUS_SRC_TRACE_H

#include "src/steps/reconfiguration.h"

/* Begin the gather of the targets' stamps. Takes the plan, the groups and the leavers' stamps over.
 * Collective over control, does not block. */
enum nereus_status nereus_trace_report(struct reconfiguration *rc, struct nereus_error *err);
/* Finish a report that is under way. wait: block until it is there. */
enum nereus_status nereus_trace_finish(nereus_job *job, bool wait, struct nereus_error *err);
/* The word for an outcome in files. */
const char *nereus_outcome_name(enum nereus_outcome outcome);
/* At each point, where there is a trace: when it was reached. Local. */
void nereus_trace_point(nereus_job *job);
/* A line about the iterations of this size, which ends (rank 0). */
void nereus_trace_size(nereus_job *job);
/* A line about the choice of a method (rank 0), if one was left open. */
void nereus_trace_choice(const struct reconfiguration *rc);
/* A line about what new processes start (rank 0), if any are started. */
void nereus_trace_start(const struct reconfiguration *rc);
/* A line about a request that was not carried out, or did nothing (rank 0). */
void nereus_trace_outcome(nereus_job *job, const struct resize_request *wanted,
                          enum nereus_outcome outcome, const char *sentence);

#endif
