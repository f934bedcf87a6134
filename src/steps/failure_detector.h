/**
 * @file failure_detector.h
 * Detects failures of launched processes between the connection and the commit.
 */
#pragma once

#include <mpi.h>

#include "nereus/plan.h"
#include "src/util/wait.h"

struct reconfiguration;

/** State of the detector in one source. */
struct failure_detector {
    bool on;
    bool lost; /**< launched processes were lost after the connection */
    /** duplicate of the parents' communicator, as a loss may leave collectives incomplete;
     * MPI_COMM_NULL: detection has not begun */
    MPI_Comm sources;
    MPI_Request notice; /**< not the root: receive of the root's notice, which is always sent */
    struct nereus_error reported_error; /**< OK: nothing was lost */
    double next_look_s;
    struct nereus_detector token; /**< passed to functions that wait */
};

/** Are this reconfiguration's new processes watched? The same in all its processes. */
bool nereus_is_watched(const struct reconfiguration *reconfig);
/** Sources, before they connect: post the receives of the root's notice. */
enum nereus_status nereus_detector_begin(struct reconfiguration *reconfig);
/** The connection has failed in this process; the root decides for all.
 * @param failure  failure of the root, unless a death explains it */
enum nereus_status nereus_detector_report_failure(struct reconfiguration *reconfig,
                                                  struct nereus_error *failure);
/** Stop detection in this thread, when another thread detects or the application runs. The root
 * also sends nereus-supervise the time limit for releasing lost processes. */
void nereus_detector_pause(struct reconfiguration *reconfig, bool application_goes_on);
/** Resume detection in this thread. */
void nereus_detector_resume(struct reconfiguration *reconfig, bool application_stands);
/** Root: have processes been lost? Does not inform the others. Elsewhere: false. */
bool nereus_detector_has_loss(struct reconfiguration *reconfig);
/** Call after each step, with its status. The last agreement, or a status that ends the plan, ends
 * the detection by a notice of the root. */
enum nereus_status nereus_detector_after_step(struct reconfiguration *reconfig,
                                              const struct nereus_step *step,
                                              enum nereus_status status);
/** Wait until all new processes have reached this call; the sources send them nothing for it. Does
 * nothing without a detector. Collective over old and new processes. */
enum nereus_status nereus_wait_for_new_processes(struct reconfiguration *reconfig);
