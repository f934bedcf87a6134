/**
 * @file trace_check.h
 * Compares a trace with the plans that its reconfigurations were to carry out: steps that are
 * missing, doubled, out of order, or not as planned, and times that do not add up to RT.
 */
#ifndef NEREUS_TRACE_CHECK_H
#define NEREUS_TRACE_CHECK_H

#include "trace.h"

/** The lines of one request: its steps and groups, and the line of the reconfiguration itself. */
struct nereus_trace_change {
    int64_t job;        /**< from 1: a trace file may hold several jobs, one after the other */
    int64_t number;     /**< of the request in its job */
    int64_t first, end; /**< events [first, end) */
    const struct nereus_trace_event *whole; /**< NULL: the trace ends before its line */
};

/**
 * The next request. Begin with a zeroed change.
 * @return false: there is none
 */
bool nereus_trace_next(const struct nereus_trace *trace, struct nereus_trace_change *change);

/** One thing that is wrong. @param[in] line  of the file */
typedef void nereus_trace_finding(void *user, int64_t line, const char *sentence);

/** Where findings go, and how many there were. */
struct nereus_trace_findings {
    nereus_trace_finding *report;
    void *user;
    int64_t count;
};

/** Compare a change that was carried out with a plan: steps, groups, sums of times. */
void nereus_trace_check_change(const struct nereus_trace *trace,
                               const struct nereus_trace_change *change,
                               const struct nereus_plan *plan,
                               struct nereus_trace_findings *findings);

/** What was checked. */
struct nereus_trace_checked {
    int64_t changes;   /**< requests in the trace */
    int64_t compared;  /**< compared with their plan, made again */
    int64_t unplanned; /**< carried out, but the trace lacks what the plan was made from */
};

/** Check a whole trace. */
void nereus_trace_check(const struct nereus_trace *trace, struct nereus_trace_findings *findings,
                        struct nereus_trace_checked *checked);

#endif
