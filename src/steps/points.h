/* A redistribution of constant data at malleability points. Private to src/. */
#ifndef NEREUS_SRC_POINTS_H
#define NEREUS_SRC_POINTS_H

#include "reconfiguration.h"

struct at_points {
    /* This process' part; rank 0 of the sources: that of all that count */
    bool complete, met;
    /* When a look failed while new processes are watched: no more are taken; 0: none did */
    double failed_s;
    int64_t reports; /* rank 0: of processes that are done */
    MPI_Request report;
};

/* The application goes on with a redistribution begun. */
enum nereus_status nereus_points_begin(struct reconfiguration *rc, const struct nereus_step *step,
                                       struct at_points *points);
/* Move on what can be; never waits. points->met says whether it is over. */
enum nereus_status nereus_points_look(struct reconfiguration *rc, const struct nereus_step *step,
                                      struct at_points *points);
/* Wait, asleep, until it is over, and end it. */
enum nereus_status nereus_points_end(struct reconfiguration *rc, const struct nereus_step *step,
                                     struct at_points *points);
/* All of it, of a process that has no application to go on with. */
enum nereus_status nereus_points_run(struct reconfiguration *rc, const struct nereus_step *step);

#endif
