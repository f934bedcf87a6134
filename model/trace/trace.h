/**
 * @file trace.h
 * Reads the trace that the runtime writes: JSON Lines, an event for every step of every
 * reconfiguration and one for each reconfiguration as a whole.
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

#include "event_line.h"
#include "nereus/layout.h"
#include "nereus/method.h"
#include "nereus/plan.h"
#include "nereus/request.h"
#include "nereus/samples.h"
#include "nereus/status.h"

enum nereus_trace_kind {
    NEREUS_TRACE_STEP,
    NEREUS_TRACE_GROUP, /**< a group of the spawn tree */
    NEREUS_TRACE_RECONFIGURATION,
    NEREUS_TRACE_ITERATIONS, /**< iteration times before and during an asynchronous reconfiguration
                                (nereus-calibrate-job); also after it (live_job.c) */
    NEREUS_TRACE_CHOICE,     /**< what a request that left its method open was given */
    NEREUS_TRACE_START,      /**< what new processes start */
    NEREUS_TRACE_SIZE        /**< iterations of a size, which ends here: ns, t_iter_s */
};

struct nereus_trace_event {
    enum nereus_trace_kind kind;
    int64_t line;            /**< of the file, from 1; 0: of no file */
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
    double start_s, arrived_s;    /**< first and last arrival; NAN in traces that do not say */
    double time_s, critical_s, wait_s;
    /* Of a group; level as of a step. */
    int64_t group, node, processes;
    int64_t parent_group, parent_rank; /**< -1: started by an old process */
    /* Of a reconfiguration. */
    char outcome[24];   /**< "resized", "unchanged", "failed", ... */
    char sentence[256]; /**< the reason if it was not carried out */
    double rt_s, waits_s,
        not_attributed_s; /**< NAN if it was not carried out; critical_s: as of a step */
    double began_s;       /**< on the job's clock; NAN in traces that do not say */
    int64_t request;      /**< what the plan was made from: index in requests; -1: not said */
    double iterations;    /**< malleability points passed during it; NAN: unknown */
    /* Of iterations. */
    double t_iter_s, overlapped_s; /**< before, and during (mean); NAN: unknown */
    double t_iter_after_s;         /**< after; NAN: unknown */
    /* Of a choice; sentence: its reason; t_iter_s: before it; 0: not measured, NAN: by a rule. */
    bool by_model;
    double predicted_rt_s, predicted_rt_low_s, predicted_rt_high_s; /**< NAN: by a rule */
    /* Of a start: sentence is the command, outcome where it comes from. */
};

struct nereus_trace {
    struct nereus_trace_event *events; /**< owned; in the file's order */
    int64_t count;
    struct nereus_request *requests; /**< owned */
    int64_t request_count;
    struct nereus_left_out left_out;
};

/** Append the event of one line to a trace, @p user. Unknown events and keys are ignored. */
enum nereus_status nereus_trace_take(void *user, const struct nereus_event_line *place);

/** Take all lines of a file. Errors name file, line and key. */
enum nereus_status nereus_trace_read(const char *path, struct nereus_trace *trace,
                                     struct nereus_error *err);
void nereus_trace_fini(struct nereus_trace *trace);

/** Append an event to a trace, which may be zeroed. @return NEREUS_ERR_MEMORY */
enum nereus_status nereus_trace_append(struct nereus_trace *trace,
                                       const struct nereus_trace_event *event,
                                       struct nereus_error *err);

/** The event of a whole reconfiguration; NULL if it is not in the trace. */
const struct nereus_trace_event *nereus_trace_reconfiguration(const struct nereus_trace *trace,
                                                              int64_t number);

/** Did a reconfiguration have a step of this kind? */
bool nereus_trace_has_step(const struct nereus_trace *trace, int64_t number,
                           enum nereus_step_kind kind);

/** The iteration times of a reconfiguration; NULL if they are not in the trace. */
const struct nereus_trace_event *nereus_trace_iterations(const struct nereus_trace *trace,
                                                         int64_t number);

/**
 * Is a step's time representative of its kind? Not if it was overlapped with the application, and
 * not if several groups started at the same time, which share a launcher.
 */
bool nereus_trace_is_typical(const struct nereus_trace_event *event);

/**
 * Convert an event into a sample: a step, or a whole reconfiguration. An event of repeated steps
 * gives one of them; a round of connections among new groups gives one pair.
 * @param machine  of the job: its largest node, and cores_per_process
 */
void nereus_trace_sample(const struct nereus_trace_event *event, const char *cluster,
                         const struct nereus_machine *machine, struct nereus_sample *sample);

#endif
