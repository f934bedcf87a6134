/**
 * @file compute_time.h
 * Compute time of this process, the measurement behind load balance and policies.
 */
#ifndef NEREUS_SRC_MONITOR_COMPUTE_TIME_H
#define NEREUS_SRC_MONITOR_COMPUTE_TIME_H

#include <stdint.h>

/** Start of the measurement, at a malleability point. */
struct compute_time {
    double begin_s, begin_mpi_s;
    int64_t begin_point;
};

/** Start the measurement at this point. */
void nereus_compute_time_begin(struct compute_time *time, int64_t point);
/** Wall-clock time since begin, minus the time in MPI calls and malleability points. CPU time is
 * not used: it does not show that a shared core slows the work, and it counts busy waiting as work.
 * @return 0: MPI calls are not counted, or no point was passed */
double nereus_compute_time_read(const struct compute_time *time, int64_t point);

#endif
