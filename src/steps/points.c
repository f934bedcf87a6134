/*
 * A redistribution of constant data at malleability points (data-redistribution 3.2, algorithm 3):
 * begun by the main thread, which goes on with the application and tests the messages whenever it
 * comes to a point. Nothing moves in between unless the network progresses by itself.
 *
 *   waitsources   it is over when the part of each source is done, whatever the targets' state
 *   waittargets   ... and that of each target
 *
 * A source that is a target too is done when it has received as well. A process that is only a
 * target has no application to go on with: it sleeps between its tests.
 */
#include "points.h"

#include "src/util/error.h"
#include "src/util/fault.h"
#include "transfer.h"

static bool waits_for_targets(const struct reconfiguration *rc)
{
    return rc->plan.method.overlap == NEREUS_WAITTARGETS;
}

/* Is this process one of those that have to be done before the redistribution is over? */
static bool is_waited_for(const struct reconfiguration *rc)
{
    return rc->source_rank >= 0 || waits_for_targets(rc);
}

static MPI_Comm comm_of(const struct reconfiguration *rc)
{
    if (!waits_for_targets(rc))
        return rc->comms.threads;
    return rc->plan.inter ? rc->comms.inter : rc->comms.merged;
}

enum nereus_status nereus_points_begin(struct reconfiguration *rc, const struct nereus_step *step,
                                       struct at_points *points)
{
    *points = (struct at_points){.meeting = MPI_REQUEST_NULL};
    return nereus_transfer_begin(rc, step);
}

enum nereus_status nereus_points_look(struct reconfiguration *rc, const struct nereus_step *step,
                                      struct at_points *points)
{
    struct nereus_error *err = &rc->error;
    int met = 1;
    if (nereus_fault(NEREUS_FAULT_LOOK, rc->source_rank))
        return nereus_fail(err, NEREUS_ERR_MPI, "injected failure of a look at what moves");
    if (!points->complete) {
        NEREUS_TRY(nereus_exchange_test(nereus_transfer_of_step(rc, step), &points->complete, err));
        if (points->complete && is_waited_for(rc))
            NEREUS_MPI(MPI_Ibarrier(comm_of(rc), &points->meeting), err);
    }
    if (points->complete && !points->met) {
        NEREUS_MPI(MPI_Test(&points->meeting, &met, MPI_STATUS_IGNORE), err);
        points->met = met != 0;
    }
    return NEREUS_OK;
}

enum nereus_status nereus_points_end(struct reconfiguration *rc, const struct nereus_step *step,
                                     struct at_points *points)
{
    double pause_s = 0;
    NEREUS_TRY(nereus_points_look(rc, step, points));
    while (!points->met) {
        NEREUS_TRY(nereus_wait_between(nereus_rc_waiting(rc, true), &pause_s, &rc->error));
        NEREUS_TRY(nereus_points_look(rc, step, points));
    }
    return nereus_exchange_finish(nereus_transfer_of_step(rc, step), nereus_rc_waiting(rc, true),
                                  &rc->error);
}

enum nereus_status nereus_points_run(struct reconfiguration *rc, const struct nereus_step *step)
{
    struct at_points points;
    NEREUS_TRY(nereus_points_begin(rc, step, &points));
    return nereus_points_end(rc, step, &points);
}
