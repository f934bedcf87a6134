/**
 * @file clock.h
 * The clock of this host, and the job's time, to which the stamps of all hosts are converted.
 */
#ifndef NEREUS_SRC_UTIL_CLOCK_H
#define NEREUS_SRC_UTIL_CLOCK_H

#include <mpi.h>

#include "model/util/clock.h"
#include "nereus/status.h"

/** nereus_monotonic_s, shifted by NEREUS_CLOCK_SKEW in tests. */
double nereus_skewed_monotonic_s(void);

/** Correction: local time + correction = the job's time. */
double nereus_clock_correction_s(void);
/** Set the correction. Main thread only. */
void nereus_clock_set_correction(double correction_s);

/** Ask another process for the job's time (Cristian's method, nereus/timeline.h). */
enum nereus_status nereus_clock_request(MPI_Comm comm, int peer, struct nereus_error *err);
/** Answer nereus_clock_request of another process. */
enum nereus_status nereus_clock_answer(MPI_Comm comm, int peer, struct nereus_error *err);

#endif
