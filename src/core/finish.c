/* A source goes on as a member of the new job, falls asleep, or leaves; a failed plan leaves the
 * job as it was. */
#include "finish.h"

#include <stdlib.h>

#include "external.h"
#include "outcome.h"
#include "src/steps/shrink_completion.h"
#include "src/util/error.h"
#include "trace.h"
#include "zombie_loop.h"

void nereus_rc_free(struct reconfiguration *rc)
{
    if (rc == NULL)
        return;
    nereus_rc_fini(rc);
    free(rc->async);
    free(rc);
}

/* Continue after a successful plan. */
static enum nereus_status continue_after_plan(struct reconfiguration *rc,
                                              enum nereus_action *action, struct nereus_error *err)
{
    if (rc->role == NEREUS_STAYING) {
        *action = NEREUS_RESIZED;
        return nereus_carried_out(rc, err);
    }
    nereus_external_hand_over(rc); /* rank 0 may be a process that falls asleep */
    if (rc->job->leaving) {        /* its world ends */
        *action = NEREUS_LEAVE;
        return NEREUS_OK;
    }
    nereus_rc_fini(rc); /* keep only the endpoint during a long sleep */
    return nereus_zombie_loop(rc->job, &rc->shrink.endpoint, action, err);
}

enum nereus_status nereus_rc_finish(struct reconfiguration *rc, enum nereus_status status,
                                    enum nereus_action *action, struct nereus_error *err)
{
    if (status == NEREUS_OK) {
        status = continue_after_plan(rc, action, err);
    } else if (rc->verdict.status != NEREUS_OK) {
        nereus_report_cancelled(rc);
        status = NEREUS_OK;
    }
    nereus_rc_free(rc);
    return status;
}

enum nereus_status nereus_finish_rest(nereus_job *job, bool wait, struct nereus_error *err)
{
    if (!job->unfinished)
        return NEREUS_OK;
    NEREUS_TRY(nereus_completion_finish(job, wait, err));
    if (job->completion == NULL) /* the trace needs the stamps of those that have left */
        NEREUS_TRY(nereus_trace_finish(job, wait, err));
    job->unfinished = job->completion != NULL || job->trace.reporting || job->trace.path != NULL;
    return NEREUS_OK;
}
