/**
 * @file clock.h
 * Reads the clock of this host, and the job's time, to which the stamps of all hosts are converted.
 */
#pragma once

#include <mpi.h>

#include "model/util/clock.h"
#include "nereus/status.h"

/** Wall-clock time as it would be if the clock had not been stepped since the job began: for
 * intervals that are compared between hosts. First called by the main thread, in nereus_init. */
double nereus_steady_clock_s(void);
/** Steady minus wall-clock time: 0 without a step. A process that joins takes that of the job. */
double nereus_steady_shift_s(void);
/** Set the shift, in a process that joins. Main thread only. */
void nereus_steady_set_shift(double shift_s);

/** nereus_monotonic_s, shifted by NEREUS_CLOCK_SKEW in tests. */
double nereus_skewed_monotonic_s(void);

/** Correction: local time + correction = the job's time. */
double nereus_clock_correction_s(void);
/** Set the correction. Main thread only. */
void nereus_clock_set_correction(double correction_s);

/** Query another process for the job's time (Cristian's method, nereus/timeline.h). */
enum nereus_status nereus_clock_request(MPI_Comm comm, int peer, struct nereus_error *err);
/** Answer nereus_clock_request of another process. */
enum nereus_status nereus_clock_answer(MPI_Comm comm, int peer, struct nereus_error *err);
