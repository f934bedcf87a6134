/**
 * @file finish.c
 * Ends a plan in a source: the source continues in the resized job, sleeps, or leaves. After a
 * failed plan the job is as before.
 */

#include "external.h"
#include "join.h"
#include "reconfigure.h"
#include "src/steps/shrink_completion.h"
#include "trace.h"

void nereus_reconfig_free(struct reconfiguration *reconfig)
{
    if (reconfig == NULL)
        return;
    nereus_reconfig_fini(reconfig);
    free(reconfig->async);
    free(reconfig);
}

/* Continue after a successful plan. */
static enum nereus_status continue_after_plan(struct reconfiguration *reconfig,
                                              enum nereus_action *action, struct nereus_error *err)
{
    if (reconfig->role == NEREUS_STAYING) {
        *action = NEREUS_RESIZED;
        return nereus_report_carried_out(reconfig, err);
    }
    nereus_external_hand_over(reconfig); /* rank 0 may be a process that falls asleep */
    if (reconfig->job->leaving) {        /* this process' world ends */
        *action = NEREUS_LEAVE;
        return NEREUS_OK;
    }
    nereus_reconfig_fini(reconfig); /* keep only the endpoint during a long sleep */
    return nereus_zombie_loop(reconfig->job, &reconfig->shrink.endpoint, action, err);
}

enum nereus_status nereus_reconfig_finish(struct reconfiguration *reconfig,
                                          enum nereus_status status, enum nereus_action *action,
                                          struct nereus_error *err)
{
    if (status == NEREUS_OK) {
        status = continue_after_plan(reconfig, action, err);
    } else if (reconfig->verdict.status != NEREUS_OK) {
        nereus_report_cancelled(reconfig);
        status = NEREUS_OK;
    }
    nereus_reconfig_free(reconfig);
    return status;
}

enum nereus_status nereus_finish_pending(nereus_job *job, bool wait, struct nereus_error *err)
{
    if (!job->unfinished)
        return NEREUS_OK;
    NEREUS_TRY(nereus_completion_finish(job, wait, err));
    if (job->completion == NULL) /* the trace needs the stamps of those that have left */
        NEREUS_TRY(nereus_trace_finish(job, wait, err));
    job->unfinished = job->completion != NULL || job->trace.reporting || job->trace.path != NULL;
    return NEREUS_OK;
}
