/** @file stream.h  Lines of the monitoring file, at rank 0 (docs/formats.md). */
#ifndef NEREUS_SRC_MONITOR_STREAM_H
#define NEREUS_SRC_MONITOR_STREAM_H

#include "src/job/job.h"

/** Host of a process, and whether it counts MPI calls. */
struct process_host {
    char host[64];
    int64_t pid;
    int counts_mpi;
};

/** Write the header of the file.
 * @param work      what counts as work
 * @param event     the counted event of PAPI; "": none
 * @param degraded  why counting is incomplete; "": it is complete */
void nereus_stream_write_header(const nereus_job *job, enum nereus_work work, const char *event,
                                const char *degraded);
/** Write the lines of one interval of all processes. */
void nereus_stream_write_interval(const nereus_job *job, const struct process_host *process_hosts,
                                  const struct nereus_metrics *metrics);
/** Write the line of a reconfiguration. */
void nereus_stream_write_reconfiguration(const nereus_job *job, int64_t ns, int64_t nt,
                                         const struct nereus_method *method, const char *outcome);
/** Write the last line, and close the stream. */
void nereus_stream_write_end(const nereus_job *job);

#endif
