/**
 * @file trace.h
 * Reads the trace of the runtime: JSON Lines, with an event for each step of a reconfiguration and
 * one for the whole; and makes samples of the events.
 */
#pragma once

#include "event_line.h"
#include "nereus/layout.h"
#include "nereus/method.h"
#include "nereus/plan.h"
#include "nereus/request.h"
#include "nereus/samples.h"

enum nereus_trace_kind {
    NEREUS_TRACE_STEP,
    NEREUS_TRACE_GROUP,
    NEREUS_TRACE_RECONFIGURATION,
    /** iteration times before, during and after an asynchronous reconfiguration */
    NEREUS_TRACE_ITERATIONS,
    NEREUS_TRACE_CHOICE, /**< method that was chosen for a request without one */
    NEREUS_TRACE_START,
    NEREUS_TRACE_SIZE, /**< iterations on a size that ends here: ns, t_iter_s */
    /** The job goes on from a checkpoint, whose path is sentence, after a loss or by --restart. */
    NEREUS_TRACE_RESTART
};

struct nereus_trace_event {
    enum nereus_trace_kind kind;
    int64_t line;            /**< 0: from no file */
    int64_t reconfiguration; /**< from 1; of a restart 0 */
    int64_t ns, nt;
    struct nereus_method method;
    double bytes; /**< NAN: none */
    bool oversubscribed;
    /* Members of a step. */
    int64_t step; /**< number in the plan */
    enum nereus_step_kind step_kind;
    int64_t old_processes, new_processes;
    int64_t level, repeat, times; /**< as in plan.h; default 0, 1, 1 */
    double start_s, arrived_s;    /**< first and last arrival; NAN: unknown */
    double time_s, critical_s, wait_s;
    /* Members of a group, which also has a level. */
    int64_t group, node, processes;
    int64_t parent_group, parent_rank; /**< -1: started by an old process */
    /* Members of a reconfiguration. */
    char outcome[24];                       /**< "resized", "unchanged", "failed", ... */
    char sentence[256];                     /**< reason, if not carried out */
    double rt_s, waits_s, not_attributed_s; /**< NAN: not carried out */
    double began_s;                         /**< on the job's clock; NAN: unknown */
    int64_t request;                        /**< index in requests; -1: unknown */
    double iterations;                      /**< overlapped iterations; NAN: unknown */
    /* Members of iterations. */
    double t_iter_s, overlapped_s; /**< before, and mean of the overlapped ones; NAN: unknown */
    double t_iter_after_s;         /**< NAN: unknown */
    /* Members of a choice. `sentence` is its reason, t_iter_s that before it (0: not measured, NAN:
     * by a rule). */
    bool by_model;
    double predicted_rt_s, predicted_rt_low_s, predicted_rt_high_s; /**< NAN: by a rule */
    double predicted_energy_j;                                      /**< NAN: another goal */
    char goal[16];                                                  /**< "": unknown */
    int64_t points; /**< of a restart: malleability points before the checkpoint */
    /* In a start `sentence` is the command, `outcome` its origin. */
};

struct nereus_trace {
    struct nereus_trace_event *events; /**< in the order of the file; owned */
    int64_t count;
    struct nereus_request *requests; /**< owned */
    int64_t request_count;
    struct nereus_left_out left_out;
};

/** Add an event to the trace `user`. Unknown events and keys are ignored. */
enum nereus_status nereus_trace_add_event(void *user, const struct nereus_event_line *place);

enum nereus_status nereus_trace_read(const char *path, struct nereus_trace *trace,
                                     struct nereus_error *err);
void nereus_trace_fini(struct nereus_trace *trace);

enum nereus_status nereus_trace_append(struct nereus_trace *trace,
                                       const struct nereus_trace_event *event,
                                       struct nereus_error *err);

/** @return the event with this number; NULL: none */
const struct nereus_trace_event *nereus_trace_reconfiguration(const struct nereus_trace *trace,
                                                              int64_t number);

bool nereus_trace_has_step(const struct nereus_trace *trace, int64_t number,
                           enum nereus_step_kind kind);

/** @return the event with this number; NULL: none */
const struct nereus_trace_event *nereus_trace_iterations(const struct nereus_trace *trace,
                                                         int64_t number);

/** Is the time of a step typical? Not if the step was overlapped, or if several groups started at
 * once, which share a launcher. */
bool nereus_trace_is_typical(const struct nereus_trace_event *event);

/** Make a sample of a step or a reconfiguration: repeated steps give one, a round of connections
 * one pair.
 * @param machine  machine of the job */
void nereus_trace_sample(const struct nereus_trace_event *event, const char *cluster,
                         const struct nereus_machine *machine, struct nereus_sample *sample);
