/**
 * @file trace_check.h
 * Compares a trace with the plans of its reconfigurations: steps that are missing, doubled, out of
 * order, or not as planned, and times that do not add up to RT.
 */
#pragma once

#include "trace.h"

/** The events of one request. */
struct nereus_trace_change {
    int64_t job;        /**< number of the job, from 1, as a file may contain several */
    int64_t number;     /**< number in the job */
    int64_t first, end; /**< events [first, end) */
    /** its reconfiguration; NULL: the trace ends before it */
    const struct nereus_trace_event *whole;
};

/** Find the next change, in a struct that is zeroed at first.
 * @return false: no more */
bool nereus_trace_next_change(const struct nereus_trace *trace, struct nereus_trace_change *change);

typedef void nereus_trace_finding(void *user, int64_t line, const char *sentence);

struct nereus_trace_findings {
    nereus_trace_finding *report;
    void *user;
    int64_t count;
};

/** Check steps, groups and sums of times of a change that was carried out. */
void nereus_trace_check_change(const struct nereus_trace *trace,
                               const struct nereus_trace_change *change,
                               const struct nereus_plan *plan,
                               struct nereus_trace_findings *findings);

struct nereus_trace_checked {
    int64_t changes;        /**< requests */
    int64_t compared_count; /**< reconfigurations that were compared with their plans */
    int64_t unplanned;      /**< carried out, but without the record of the plan */
};

void nereus_trace_check(const struct nereus_trace *trace, struct nereus_trace_findings *findings,
                        struct nereus_trace_checked *checked);
