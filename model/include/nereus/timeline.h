/**
 * @file timeline.h
 * From the time stamps of every process to the times of every step: critical path + waits +
 * unattributed time = RT.
 *
 * A step waits from its first to its last arrival and runs from its last arrival to its last
 * departure. Each moment from start to end belongs to one of these:
 *   - a running step: critical path; of several, the one that ends first;
 *   - else a waiting step: its wait; of several, the one that ends first;
 *   - else to no step: unattributed.
 * No moment is counted twice, so the sum is exact.
 */
#ifndef NEREUS_TIMELINE_H
#define NEREUS_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

NEREUS_BEGIN_C

/** One process in one step, in seconds of a common clock. taken false: it took no part. */
struct nereus_stamp {
    double arrival_s;
    double departure_s;
    bool taken;
};

struct nereus_step_time {
    bool taken;             /**< a process took part */
    double first_arrival_s; /**< absolute, as in the stamps */
    double last_arrival_s;
    double last_departure_s;
    double time_s;     /**< last arrival to last departure */
    double critical_s; /**< time on the critical path that belongs to this step */
    double wait_s;     /**< time waiting for the last arrival that no running step covers */
};

struct nereus_timeline {
    double rt_s;
    double critical_s; /**< sum over the steps */
    double waits_s;
    double not_attributed_s;
};

/** All stamps of a reconfiguration. */
struct nereus_stamps {
    const struct nereus_stamp *stamps; /**< processes x steps, row by process */
    int64_t processes;
    int steps;
    double start_s, end_s; /**< of the reconfiguration, on the same clock */
};

/**
 * Attribute the time of a reconfiguration to its steps.
 * @param[out] times     `steps` entries
 * @param[out] timeline  rt_s = end_s - start_s = critical_s + waits_s + not_attributed_s
 * @return NEREUS_ERR_ARGUMENT if end_s < start_s; NEREUS_ERR_MEMORY. Thread-safe.
 */
enum nereus_status nereus_timeline_make(const struct nereus_stamps *stamps,
                                        struct nereus_step_time *times,
                                        struct nereus_timeline *timeline, struct nereus_error *err);

/**
 * Offset of another clock from n ping-pongs (Cristian 1989): the triple (sent, remote, received)
 * with the shortest round trip gives offset = remote - (sent + received) / 2.
 * @return the offset in seconds, to be subtracted from remote stamps
 */
double nereus_clock_offset(const double *sent_s, const double *remote_s, const double *received_s,
                           int n);

NEREUS_END_C
#endif
