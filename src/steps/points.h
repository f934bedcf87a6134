/* A redistribution of constant data at malleability points. Private to src/. */
#ifndef NEREUS_SRC_POINTS_H
#define NEREUS_SRC_POINTS_H

#include "reconfiguration.h"

struct at_points {
    bool complete, met; /* this process' part; that of all that count */
    /* When a look failed while new processes are watched: no more are taken; 0: none did */
    double failed_s;
    MPI_Request meeting;
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
