/** @file overlap.h  Redistributes constant data while the application computes, tested at
 * malleability points. */
#pragma once

#include "reconfiguration.h"

/** State of a redistribution that is tested at points. */
struct at_points {
    bool complete; /**< this process has sent and received its part */
    /** rank 0 of the sources: all reports that count have arrived; another process: complete, and
     * reported to rank 0 if its report counts */
    bool met;
    /** time of a failed test while new processes are watched, after which no test follows; 0:
     * none */
    double failed_s;
    int64_t reports;    /**< rank 0 of the sources: number of reports that have arrived */
    MPI_Request report; /**< rank 0 of the sources: receives the next report */
};

/** Start it; the application continues. */
enum nereus_status nereus_overlap_begin(struct reconfiguration *reconfig,
                                        const struct nereus_step *step, struct at_points *points);
/** Make progress without waiting, and report this process' part once it is complete; rank 0 of the
 * sources receives the reports. Sets points->complete and points->met. */
enum nereus_status nereus_overlap_test(struct reconfiguration *reconfig,
                                       const struct nereus_step *step, struct at_points *points);
/** Wait until points->met, sleeping in a process that is only a target, and end it. */
enum nereus_status nereus_overlap_end(struct reconfiguration *reconfig,
                                      const struct nereus_step *step, struct at_points *points);
/** The whole redistribution, in a process without an application to run. */
enum nereus_status nereus_overlap_run(struct reconfiguration *reconfig,
                                      const struct nereus_step *step);
