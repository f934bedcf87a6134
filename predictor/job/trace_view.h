/**
 * @file trace_view.h
 * Shows a trace: as a table, as time lines, and as events of Chrome's trace viewer.
 */
#pragma once

#include "model/trace/trace_check.h"
#include "predictor/cli/output.h"

enum { NEREUS_TRACE_LABEL = 96 };

/** Print the label of a step: "spawn of level 2 x 3".
 * @return text */
const char *nereus_trace_step_label(const struct nereus_trace_event *step,
                                    char text[NEREUS_TRACE_LABEL]);
/** @return time from the begin of the reconfiguration to a step's last arrival, or last departure
 */
double nereus_trace_arrived_s(const struct nereus_trace_event *step);
double nereus_trace_end_s(const struct nereus_trace_event *step);

/** Make a table of every step of every reconfiguration, its sums, and requests that changed
 * nothing; free it with nereus_table_fini. */
void nereus_trace_fill_table(const struct nereus_trace *trace, struct nereus_table *table);

/** Print for people: for each reconfiguration its steps, and then when each of them ran.
 * @return false when memory or the stream failed */
bool nereus_trace_print(const struct nereus_trace *trace, FILE *stream);

/** Make events for chrome://tracing and Perfetto.
 * @return a new reference; NULL: no memory */
json_t *nereus_trace_chrome(const struct nereus_trace *trace);
