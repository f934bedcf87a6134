/**
 * @file timeline.h
 * Computes the times of every step from the time stamps of every process: critical path + waits +
 * unattributed time = RT.
 *
 * A step waits from its first to its last arrival and runs from its last arrival to its last
 * departure. Each moment belongs to the running step that ends first; else to the waiting step that
 * ends first; else to no step. No moment is counted twice, so the sum is exact.
 */
#ifndef NEREUS_TIMELINE_H
#define NEREUS_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

NEREUS_BEGIN_C

/** Arrival and departure of a process at a step, on a common clock. */
struct nereus_stamp {
    double arrival_s;
    double departure_s;
    bool taken; /**< the process took part */
};

struct nereus_step_time {
    bool taken;             /**< a process took part */
    double first_arrival_s; /**< on the clock of the stamps, as the next two */
    double last_arrival_s;
    double last_departure_s;
    double time_s;     /**< last arrival to last departure */
    double critical_s; /**< its part of the critical path */
    double wait_s;     /**< waiting for the last arrival while no step runs */
};

struct nereus_timeline {
    double rt_s;
    double critical_s;
    double waits_s;
    double not_attributed_s;
};

/** All stamps of a reconfiguration. */
struct nereus_stamps {
    const struct nereus_stamp *stamps; /**< stamps[process * steps + step] */
    int64_t processes;
    int steps;
    double start_s, end_s; /**< begin and end of the reconfiguration, on the same clock */
};

/**
 * Attribute the time of a reconfiguration to its steps.
 * @param[out] times     one for each step
 * @param[out] timeline  their sums
 * @return NEREUS_ERR_ARGUMENT if end_s < start_s
 */
enum nereus_status nereus_timeline_make(const struct nereus_stamps *stamps,
                                        struct nereus_step_time *times,
                                        struct nereus_timeline *timeline, struct nereus_error *err);

/** Offset of another clock in seconds, to be subtracted from its stamps (Cristian 1989): remote -
 * (sent + received) / 2 of the ping-pong with the shortest round trip. */
double nereus_clock_offset(const double *sent_s, const double *remote_s, const double *received_s,
                           int n);

NEREUS_END_C
#endif
