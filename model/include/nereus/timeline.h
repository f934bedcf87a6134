/**
 * @file timeline.h
 * From the time stamps of all processes to the times of all steps: critical path + named waits +
 * unattributed time = RT.
 *
 * A step is waited for from its first to its last arrival, and carried out from its last arrival to
 * its last departure. Each moment from start to end belongs to one of these:
 *   - a step that is being carried out: on the critical path; of several, to the one that ends first;
 *   - else a step that is being waited for: that step's wait; of several, the one that ends first;
 *   - else no step is active: not attributed.
 * No moment is counted twice, so the sum is exact.
 */
#ifndef NEREUS_TIMELINE_H
#define NEREUS_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One process at one step, in seconds of a common clock. taken false: the process took no part. */
struct nereus_stamp {
    double arrival_s;
    double departure_s;
    bool taken;
};

struct nereus_step_time {
    bool taken;             /**< at least one process took part */
    double first_arrival_s; /**< absolute, as in the stamps */
    double last_arrival_s;
    double last_departure_s;
    double time_s;     /**< last arrival to last departure */
    double critical_s; /**< part of it on the critical path, not counted for another step */
    double wait_s;     /**< waiting for the last arrival, not covered by another step */
};

struct nereus_timeline {
    double rt_s;
    double critical_s; /**< sum over the steps */
    double waits_s;
    double not_attributed_s;
};

/**
 * @param[in]  stamps     processes x steps, row by process
 * @param[in]  start_s, end_s  of the reconfiguration
 * @param[out] times      steps entries
 * @param[out] timeline   rt_s = end_s - start_s = critical_s + waits_s + not_attributed_s
 * @return NEREUS_ERR_ARGUMENT if end < start, NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_timeline_make(const struct nereus_stamp *stamps, int64_t processes, int steps,
                                        double start_s, double end_s, struct nereus_step_time *times,
                                        struct nereus_timeline *timeline, struct nereus_error *err);

/**
 * Offset of another clock from one ping-pong set (Cristian): of n triples (sent, remote, received)
 * the one with the least round trip gives offset = remote - (sent + received) / 2. @return the
 * offset in seconds, to be subtracted from remote stamps
 */
double nereus_clock_offset(const double *sent_s, const double *remote_s, const double *received_s, int n);

#ifdef __cplusplus
}
#endif
#endif
