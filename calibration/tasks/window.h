/**
 * @file window.h
 * The time of a step: from its last participant's arrival to its last departure.
 */
#ifndef NEREUS_CALIBRATION_WINDOW_H
#define NEREUS_CALIBRATION_WINDOW_H

#include <mpi.h>

/** When this process arrived at a step and when it left it, in seconds of this host's clock. */
struct nereus_window {
    double arrival_s;
    double departure_s;
};

/** A number that is the same in all processes of a host and most likely in no other (below 2^52: exact in a
 * double). */
double nereus_window_host(void);

/**
 * The step's time from the windows of all its participants; collective over comm, the same in every process.
 * Where all share a host: last departure - last arrival. Else the clocks differ, and it is the longest stay
 * of any process: call it after a barrier, so that they arrive together.
 */
double nereus_window_time_s(struct nereus_window own, MPI_Comm comm);

#endif
