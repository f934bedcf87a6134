/* Watches launched processes between the connection and the commit. Private to src/. */
#ifndef NEREUS_SRC_FAILURE_DETECTOR_H
#define NEREUS_SRC_FAILURE_DETECTOR_H

#include <mpi.h>
#include <stdbool.h>

#include "nereus/plan.h"
#include "src/util/wait.h"

struct reconfiguration;

struct failure_detector {
    bool on;
    bool lost; /* launched processes, after the connection */
    /* The parents, for what a loss may leave half done; MPI_COMM_NULL: not on yet */
    MPI_Comm sources;
    MPI_Request notice;           /* not the root: its notice, which comes in any case */
    struct nereus_error reported; /* OK: nothing was lost */
    double next_look_s;
    struct nereus_detector token; /* what functions that wait get */
};

/* Are new processes of this reconfiguration watched? The same in all its processes. */
bool nereus_is_watched(const struct reconfiguration *rc);
/* Sources, before they connect: all are ready to receive the root's notice. */
enum nereus_status nereus_detector_begin(struct reconfiguration *rc);
/* The connection has failed here, and what becomes of it the root decides for all.
 * @param failure the root's, unless there is news of a death */
enum nereus_status nereus_detector_lose(struct reconfiguration *rc, struct nereus_error *failure);
/* Stop and resume detection in this thread, as another thread detects or the application goes on.
 * The root also sends nereus-supervise the time limit for releasing lost processes. */
void nereus_detector_pause(struct reconfiguration *rc, bool application_goes_on);
void nereus_detector_resume(struct reconfiguration *rc, bool application_stands);
/* Root: are they lost? The others are not informed yet. Others: false. */
bool nereus_detector_sees_loss(struct reconfiguration *rc);
/* After each step, with its status: the last agreement, or what ends the plan, ends the detection
 * by a notice of the root. */
enum nereus_status nereus_detector_after_step(struct reconfiguration *rc,
                                              const struct nereus_step *step,
                                              enum nereus_status status);
/* All new processes have reached this call, and the sources have sent them nothing for it. Does
 * nothing without a detector. Collective over old and new processes. */
enum nereus_status nereus_await_new(struct reconfiguration *rc);

#endif
