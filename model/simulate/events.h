/**
 * @file events.h
 * The event queue of the simulation: a binary heap with at most one event per job, the end of a run
 * or of a resize. Equal times are ordered by job, so that a simulation can be repeated.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/workload.h"

struct nereus_events {
    struct nereus_event {
        double time_s;
        int32_t job;
    } * items; /**< heap; owned */
    int32_t count;
    /** owned by the caller; `event` is a job's position in the heap */
    struct nereus_sim_job *jobs;
};

/** @param capacity  largest number of events at a time */
enum nereus_status nereus_events_init(int32_t capacity, struct nereus_sim_job *jobs,
                                      struct nereus_events *events, struct nereus_error *err);
void nereus_events_fini(struct nereus_events *events);

/** Add an event for a job that has none. O(log n) */
void nereus_events_add(struct nereus_events *events, int32_t job, double time_s);
/** Change the time of a job's event. O(log n) */
void nereus_events_move(struct nereus_events *events, int32_t job, double time_s);
/** Remove a job's event. O(log n) */
void nereus_events_remove(struct nereus_events *events, int32_t job);
/** Remove the first event. O(log n)
 * @return its job */
int32_t nereus_events_pop(struct nereus_events *events);
