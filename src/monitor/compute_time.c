/**
 * @file compute_time.c
 * Compute time is the time outside MPI: elapsed time minus the time of the interposed calls.
 */
#include "compute_time.h"

#include "sample.h"
#include "src/util/clock.h"

void nereus_compute_time_begin(struct compute_time *time, int64_t point)
{
    time->begin_s = nereus_skewed_monotonic_s();
    time->begin_mpi_s = nereus_sample_mpi_s();
    time->begin_point = point;
}

double nereus_compute_time_read(const struct compute_time *time, int64_t point)
{
    const double outside_s =
        nereus_skewed_monotonic_s() - time->begin_s - (nereus_sample_mpi_s() - time->begin_mpi_s);
    return point > time->begin_point && outside_s > 0 ? outside_s : 0; /* false for NAN */
}
