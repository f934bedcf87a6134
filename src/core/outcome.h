/* What became of a request, in this process. Private to src/. */
#ifndef NEREUS_SRC_OUTCOME_H
#define NEREUS_SRC_OUTCOME_H

#include "src/steps/reconfiguration.h"

/* For the application. */
void nereus_set_outcome(nereus_job *job, enum nereus_outcome outcome, const char *sentence);
/* A target, after the plan: it is carried out, the application may rebuild what it derived, and the
 * report begins. Collective over control. */
enum nereus_status nereus_carried_out(struct reconfiguration *rc, struct nereus_error *err);
/* Everything was put back, or nothing was begun: the job goes on as it was, for the reason in
 * rc->verdict. */
void nereus_called_off(struct reconfiguration *rc);
/* The job has that size already, or nothing is gained where its data would move (rc->idle). */
void nereus_left_unchanged(struct reconfiguration *rc);
/* Once in a job: sizes above the cores run, and are marked. */
void nereus_warn_oversubscribed(nereus_job *job, int64_t nt);

#endif
