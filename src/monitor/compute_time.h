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
/** Wall-clock time outside MPI and malleability points since the start, as a process may wait for
 * others in both. Not CPU time: a process that shares its core needs longer for the same work,
 * which CPU time does not show; and ranks that wait in MPI spin, so that CPU time in MPI is no
 * work.
 * @return 0: unknown, as MPI calls are not counted or no point was passed */
double nereus_compute_time_read(const struct compute_time *time, int64_t point);

#endif
