/**
 * @file trace.h
 * Reads the trace that the runtime writes: JSON Lines, an event for every step of every reconfiguration and
 * one for each reconfiguration as a whole.
 *
 *     struct nereus_trace trace;
 *     if (nereus_trace_read("trace.jsonl", &trace, &err) == NEREUS_OK) {
 *         for (int64_t i = 0; i < trace.count; i++) ... trace.events[i] ...
 *         nereus_trace_fini(&trace);
 *     }
 */
#ifndef NEREUS_PREDICTOR_TRACE_H
#define NEREUS_PREDICTOR_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "nereus/method.h"
#include "nereus/plan.h"
#include "nereus/samples.h"
#include "nereus/status.h"

enum nereus_trace_kind {
    NEREUS_TRACE_STEP,
    NEREUS_TRACE_RECONFIGURATION,
    NEREUS_TRACE_ITERATIONS /**< of nereus-calibrate-job: an iteration before and beside an asynchronous one; of live_job.c, of
                               all */
};

struct nereus_trace_event {
    enum nereus_trace_kind kind;
    int64_t reconfiguration; /**< its number in the job, from 1 */
    int64_t ns, nt;
    struct nereus_method method;
    double bytes; /**< NAN where the event has none */
    bool oversubscribed;
    /* Of a step. */
    int64_t step; /**< its number in the plan */
    enum nereus_step_kind step_kind;
    int64_t old_processes, new_processes;
    int64_t level, repeat, times; /**< as in plan.h; 0, 1, 1 in traces that do not say */
    double time_s, critical_s, wait_s;
    /* Of a reconfiguration. */
    char outcome[24];   /**< "resized", "unchanged", "refused", "failed", ... */
    char sentence[256]; /**< why, where it was not carried out */
    double rt_s, waits_s,
        not_attributed_s; /**< NAN where it was not carried out; critical_s is shared with a step's */
    double iterations;    /**< points that were passed meanwhile; NAN unknown */
    /* Of iterations. */
    double t_iter_s, overlapped_s; /**< one before, one meanwhile (mean); NAN unknown */
    double t_iter_after_s;         /**< one after; NAN unknown */
};

struct nereus_trace {
    struct nereus_trace_event *events; /**< owned; in the file's order */
    int64_t count;
};

/** Unknown events and keys are passed over. Errors name file, line and key. */
enum nereus_status nereus_trace_read(const char *path, struct nereus_trace *trace, struct nereus_error *err);
void nereus_trace_fini(struct nereus_trace *trace);

/** Append an event to a trace, which may be {NULL, 0}. @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_trace_append(struct nereus_trace *trace, const struct nereus_trace_event *event,
                                       struct nereus_error *err);

/** The event of a whole reconfiguration; NULL where it is not in the trace. */
const struct nereus_trace_event *nereus_trace_reconfiguration(const struct nereus_trace *trace,
                                                              int64_t number);

/** Did a reconfiguration have a step of this kind? */
bool nereus_trace_has_step(const struct nereus_trace *trace, int64_t number, enum nereus_step_kind kind);

/** The iterations beside a reconfiguration; NULL where they are not in the trace. */
const struct nereus_trace_event *nereus_trace_iterations(const struct nereus_trace *trace, int64_t number);

/**
 * Does a step's time tell what such a step takes? Not beside a working application; not of groups that start at the same time, which
 * share a launcher.
 */
bool nereus_trace_is_typical(const struct nereus_trace_event *event);

/**
 * The sample that an event is: a step row, or the row of a whole reconfiguration. Of steps one after the other it is
 * one of them; of a round of connections among new groups, one pair.
 */
void nereus_trace_sample(const struct nereus_trace_event *event, const char *cluster, int64_t cores_per_node,
                         struct nereus_sample *sample);

#endif
