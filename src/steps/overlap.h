/** @file overlap.h  Overlapped redistribution of constant data, tested at malleability points. */
#ifndef NEREUS_SRC_STEPS_OVERLAP_H
#define NEREUS_SRC_STEPS_OVERLAP_H

#include "reconfiguration.h"

/** State of a redistribution that is tested at points. */
struct at_points {
    bool complete, met; /**< complete: this process' part; rank 0: all parts that count */
    /** time of a failed test while new processes are watched, after which no test follows; 0:
     * none */
    double failed_s;
    int64_t reports; /**< rank 0: number of complete processes */
    MPI_Request report;
};

/** Start it; the application continues. */
enum nereus_status nereus_overlap_begin(struct reconfiguration *reconfig,
                                        const struct nereus_step *step, struct at_points *points);
/** Make progress without waiting. points->met: all are complete. */
enum nereus_status nereus_overlap_test(struct reconfiguration *reconfig,
                                       const struct nereus_step *step, struct at_points *points);
/** Wait, sleeping, until it is complete, and end it. */
enum nereus_status nereus_overlap_end(struct reconfiguration *reconfig,
                                      const struct nereus_step *step, struct at_points *points);
/** The whole redistribution, in a process without an application to run. */
enum nereus_status nereus_overlap_run(struct reconfiguration *reconfig,
                                      const struct nereus_step *step);

#endif
