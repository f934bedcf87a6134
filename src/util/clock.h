/**
 * @file clock.h
 * The clock of this host, and the job's time, to which the stamps of all hosts are converted.
 */
#ifndef NEREUS_SRC_CLOCK_H
#define NEREUS_SRC_CLOCK_H

#include <mpi.h>

#include "model/util/clock.h"
#include "nereus/status.h"

/** nereus_clock_s, shifted where a test says so (NEREUS_CLOCK_SKEW). */
double nereus_now_s(void);

/** Local time + correction = the job's time. Set by the main thread. */
double nereus_clock_correction_s(void);
void nereus_clock_set_correction(double correction_s);

/** Ask another process for the job's time (Cristian's method, nereus/timeline.h), or answer. */
enum nereus_status nereus_clock_ask(MPI_Comm comm, int peer, struct nereus_error *err);
enum nereus_status nereus_clock_answer(MPI_Comm comm, int peer, struct nereus_error *err);

#endif
