/** @file sample.h  One sampling interval of this process. */
#ifndef NEREUS_SRC_MONITOR_SAMPLE_H
#define NEREUS_SRC_MONITOR_SAMPLE_H

#include "src/job/job.h"
#include "work.h"

/** Counts since the process began; an interval is the difference of two. */
struct counts {
    double now_s, cpu_s, work;
    double library_s; /**< time in malleability points; NAN: not counted */
    struct nereus_mpi_use mpi[NEREUS_MPI_KIND_COUNT];
};

/** Are MPI calls counted (src/interpose is loaded)? */
bool nereus_sample_has_mpi(void);
/** Seconds of the calling thread in MPI calls and malleability points since it began; NAN: not
 * counted. */
double nereus_sample_mpi_s(void);
/** Counts of this process since it began. */
void nereus_sample_read_counts(const struct work_counter *work, struct counts *counts);
/** Metrics of the interval from `begin` until now.
 * @param set_power  power set by nereus_set_power; 0: none
 * @param[out] end  the counts now
 * @param[out] metrics  all but point and iterations */
void nereus_sample_measure(const struct work_counter *work, const struct counts *begin,
                           double set_power, struct counts *end, struct nereus_metrics *metrics);

/** Report registered bytes to src/interpose, if it is loaded, so that a synthetic twin of this
 * program moves the same bytes. */
void nereus_sample_report_data(const nereus_job *job);

#endif
