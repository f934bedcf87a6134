/* Times of one reconfiguration: stamps of this process, and what is on its way to the trace file.
 * Private to src/. */
#ifndef NEREUS_SRC_REPORT_H
#define NEREUS_SRC_REPORT_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "nereus/plan.h"
#include "nereus/timeline.h"

/* Of this process. */
struct step_times {
    struct nereus_stamp *stamps; /* one for each step of the plan */
    double end_s;
    double thread_s, thread_cpu_s; /* of this process' auxiliary thread; 0: none */
};

/* A report on a reconfiguration, after its commit (core/trace.c). */
struct trace {
    char *path;          /* NULL: no trace */
    double last_point_s; /* when this process came to its last point */
    MPI_Request gathering;
    double *packed;  /* times of this process; at the root followed by those of all targets */
    double *earlier; /* root: times of the sources that left, earlier_count rows */
    int64_t earlier_count;
    struct nereus_plan plan;
    struct nereus_group *groups; /* its new groups, by node */
    int64_t group_count;
    int64_t number, targets;
    int64_t zombies, bridge, batch, data_count; /* of the record, like the groups */
    int64_t points;                             /* passed between decision and commit */
    struct nereus_method method;                /* as it was asked for */
    struct nereus_request_bytes bytes;
    bool oversubscribed;
    bool reporting; /* times of a reconfiguration are on their way to it */
};

/* After a shrink, in a staying process, until all stamps have arrived. Heap: MPI writes to it. */
struct nereus_completion {
    MPI_Request *requests; /* of `count` */
    int count;
    char here, least; /* MPI_MIN over the staying processes: all have left the last agreement */
    /* Root: packed stamps of the leaving processes, `rows` of them */
    double *stamps;
    int64_t rows;
    int64_t sleepers; /* those of them that become zombies */
};

#endif
