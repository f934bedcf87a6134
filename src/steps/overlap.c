/**
 * @file overlap.c
 * Redistributes constant data while the application computes (Martín-Álvarez et al. (2023),
 * section 3.2, algorithm 3): started by the main thread, which returns to the application and tests
 * the messages at its malleability points. Nothing moves in between unless the network progresses
 * by itself.
 *
 *   waitsources   complete when the part of each source is complete
 *   waittargets   complete when the parts of each source and each target are complete
 *
 * A source that is also a target is complete only after it has received its new part. A process
 * that is only a target has no application to run: it sleeps between tests. Complete processes tell
 * rank 0 by an empty message, which takes one point; a barrier would take one for each of its
 * rounds.
 */
#include "overlap.h"

#include "src/util/fault.h"
#include "src/util/tags.h"
#include "transfer.h"

static bool waits_for_targets(const struct reconfiguration *reconfig)
{
    return reconfig->plan.method.overlap == NEREUS_WAITTARGETS;
}

/* Number of processes that are only targets. */
static int64_t count_new(const struct reconfiguration *reconfig)
{
    return reconfig->plan.woken + reconfig->plan.spawned;
}

static MPI_Comm get_comm_with_new(const struct reconfiguration *reconfig)
{
    return reconfig->plan.inter ? reconfig->comms.inter : reconfig->comms.merged;
}

/* ---- a finished process reports to the root, which decides when all stop --------------------- */

/* Post the receive of the next report: first those of the other sources, then those of new
 * processes. */
static enum nereus_status post_report_receive(const struct reconfiguration *reconfig,
                                              struct at_points *points, struct nereus_error *err)
{
    const int64_t sources = reconfig->plan.ns - 1, index = points->reports;
    const bool is_source = index < sources;
    const int rank =
        (int)(is_source ? index + 1
                        : index - sources + (reconfig->plan.inter ? 0 : reconfig->plan.ns));
    NEREUS_MPI(MPI_Irecv(NULL, 0, MPI_BYTE, rank, OVERLAP_REPORT_TAG,
                         is_source ? reconfig->comms.overlapped : get_comm_with_new(reconfig),
                         &points->report),
               err);
    return NEREUS_OK;
}

/* One receive at a time, as an arrived message completes at once. */
static enum nereus_status receive_reports(const struct reconfiguration *reconfig,
                                          struct at_points *points, struct nereus_error *err)
{
    const int64_t all =
        reconfig->plan.ns - 1 + (waits_for_targets(reconfig) ? count_new(reconfig) : 0);
    int arrived = 1;
    while (arrived && points->reports < all) {
        if (points->report == MPI_REQUEST_NULL)
            NEREUS_TRY(post_report_receive(reconfig, points, err));
        NEREUS_MPI(MPI_Test(&points->report, &arrived, MPI_STATUS_IGNORE), err);
        points->reports += arrived;
    }
    points->met = points->reports == all;
    return NEREUS_OK;
}

static enum nereus_status report_done(const struct reconfiguration *reconfig,
                                      struct at_points *points, struct nereus_error *err)
{
    const bool is_source = reconfig->source_rank >= 0;
    points->met = reconfig->source_rank != 0;
    if (points->met && (is_source || waits_for_targets(reconfig)))
        NEREUS_MPI(MPI_Send(NULL, 0, MPI_BYTE, 0, OVERLAP_REPORT_TAG,
                            is_source ? reconfig->comms.overlapped : get_comm_with_new(reconfig)),
                   err);
    return NEREUS_OK;
}

/* ---- the redistribution ---------------------------------------------------------------------- */

enum nereus_status nereus_overlap_begin(struct reconfiguration *reconfig,
                                        const struct nereus_step *step, struct at_points *points)
{
    *points = (struct at_points){.report = MPI_REQUEST_NULL};
    return nereus_transfer_begin(reconfig, step);
}

enum nereus_status nereus_overlap_test(struct reconfiguration *reconfig,
                                       const struct nereus_step *step, struct at_points *points)
{
    struct nereus_error *err = &reconfig->error;
    if (nereus_fault_applies(NEREUS_FAULT_LOOK, reconfig->source_rank))
        return nereus_fail(err, NEREUS_ERR_MPI, "injected failure of a test of the redistribution");
    if (!points->complete) {
        NEREUS_TRY(
            nereus_exchange_test(nereus_transfer_of_step(reconfig, step), &points->complete, err));
        if (points->complete)
            NEREUS_TRY(report_done(reconfig, points, err));
    }
    return reconfig->source_rank == 0 && points->complete && !points->met
               ? receive_reports(reconfig, points, err)
               : NEREUS_OK;
}

enum nereus_status nereus_overlap_end(struct reconfiguration *reconfig,
                                      const struct nereus_step *step, struct at_points *points)
{
    double pause_s = 0;
    /* new processes sleep, as the application still computes; the sources are stopped here */
    const bool sleeps = reconfig->source_rank < 0;
    NEREUS_TRY(nereus_overlap_test(reconfig, step, points));
    while (!points->met) {
        NEREUS_TRY(nereus_wait_between(nereus_reconfig_waiting(reconfig, sleeps), &pause_s,
                                       &reconfig->error));
        NEREUS_TRY(nereus_overlap_test(reconfig, step, points));
    }
    /* waits in all processes or in none, as the exchange may be collective */
    return nereus_exchange_finish(nereus_transfer_of_step(reconfig, step),
                                  nereus_reconfig_waiting(reconfig, true), &reconfig->error);
}

enum nereus_status nereus_overlap_run(struct reconfiguration *reconfig,
                                      const struct nereus_step *step)
{
    struct at_points points;
    NEREUS_TRY(nereus_overlap_begin(reconfig, step, &points));
    return nereus_overlap_end(reconfig, step, &points);
}
