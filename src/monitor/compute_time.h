/* How long this process computes in an iteration: what load balance and policies take as measured.
 * Private to src/. */
#ifndef NEREUS_SRC_MONITOR_COMPUTE_TIME_H
#define NEREUS_SRC_MONITOR_COMPUTE_TIME_H

#include <stdint.h>

/* Counts from a malleability point on. */
struct compute_time {
    double begin_s, begin_mpi_s;
    int64_t begin_point;
};

void nereus_compute_time_begin(struct compute_time *time, int64_t point);
/*
 * Real time outside MPI and malleability points since then: in both a process waits for others. Real
 * time, not CPU time: where other programs take a part of the core, a process needs longer for the
 * same work, which CPU time does not show; and ranks that wait in MPI spin, so that CPU time there is
 * no work.
 * @return 0: not known, as MPI calls are not counted or no point has been passed
 */
double nereus_compute_time_read(const struct compute_time *time, int64_t point);

#endif
