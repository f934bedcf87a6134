/**
 * @file report.h
 * Stores the times of one reconfiguration: stamps of this process, and the data of its report for
 * the trace file.
 */
#pragma once

#include <mpi.h>

#include "model/util/base.h"
#include "nereus/plan.h"
#include "nereus/timeline.h"

/** Times of this process. */
struct step_times {
    struct nereus_stamp *stamps; /**< one for each step of the plan */
    double end_s;
    double thread_s, thread_cpu_s; /**< auxiliary thread of this process; 0: none */
};

/** Report of a committed reconfiguration (core/trace.c). */
struct trace {
    char *path;          /**< NULL: no trace */
    double last_point_s; /**< time at which this process reached its latest point */
    MPI_Request gathering;
    double *packed_times; /**< times of this process; root: then those of all targets */
    double *leaver_times; /**< root: packed times of the sources that left, leaver_count rows */
    int64_t leaver_count;
    struct nereus_plan plan;
    struct nereus_group *groups; /**< new groups of the plan, by node */
    int64_t group_count;
    int64_t number, targets;
    int64_t zombies, bridge, batch, data_count; /**< copied from the record */
    int64_t points;                             /**< points between decision and commit */
    struct nereus_method method;                /**< method that was requested */
    struct nereus_request_bytes bytes;
    bool oversubscribed;
    bool reporting; /**< a gather of times is pending */
};

/** Pending communication of a staying process after a shrink. On the heap, as MPI writes to it. */
struct nereus_completion {
    MPI_Request *requests; /**< `count` requests */
    int count;
    /** Input and result of MPI_MIN over the staying processes: have all left the last agreement? */
    char own_arrival, common_arrival;
    double *stamps; /**< Root: packed stamps of the leaving processes, one row each */
    int64_t rows;
    int64_t sleepers; /**< number of leaving processes that become zombies */
};
