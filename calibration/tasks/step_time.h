/**
 * @file step_time.h
 * The time of a step: from its last participant's arrival to its last departure. Errors: MPI's
 * error handler aborts the job.
 */
#pragma once

#include <mpi.h>

/** Arrival of this process at a step and departure, by nereus_monotonic_s. */
struct nereus_step_interval {
    double arrival_s;
    double departure_s;
};

/** Hash the host's name.
 * @return below 2^52, which is exact in a double */
double nereus_hash_host(void);

/**
 * Compute the step's time from the intervals of all its participants; collective over comm, the
 * same in every process. On one host: last departure - last arrival. On several hosts clocks
 * differ, and it is the longest time between arrival and departure of a process: start the step
 * after a barrier.
 */
double nereus_step_compute_time_s(struct nereus_step_interval own, MPI_Comm comm);
