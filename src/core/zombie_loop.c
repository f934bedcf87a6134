/**
 * @file zombie_loop.c
 * Runs the loop of a zombie: sleep, then wake and join, or end. The application's code does not run
 * in between.
 */

#include "join.h"
#include "reconfigure.h"
#include "src/link/watchdog.h"
#include "src/steps/execute.h"
#include "src/steps/steps.h"

enum { FIRST_STEP_AWAKE = 2 }; /* index of the first step after decide and wake */

/* Handle one wake-up. *asleep stays true if the reconfiguration was cancelled: the zombie sleeps
 * at the same endpoint again. */
static enum nereus_status wake_up(nereus_job *job, const int64_t *pool_ranks, int64_t count,
                                  bool *asleep, struct nereus_error *err)
{
    struct reconfiguration reconfig;
    nereus_reconfig_init(&reconfig, job);
    enum nereus_status status = nereus_wake_join(&reconfig, pool_ranks, count, err);
    if (status == NEREUS_OK)
        status = nereus_execute(&reconfig, FIRST_STEP_AWAKE, reconfig.plan.step_count);
    if (status == NEREUS_OK) {
        *asleep = false;
        status = nereus_report_carried_out(&reconfig, err);
    } else if (reconfig.verdict.status != NEREUS_OK) {
        status = NEREUS_OK;
    }
    nereus_reconfig_fini(&reconfig);
    return status;
}

enum nereus_status nereus_zombie_loop(nereus_job *job, struct zombie_endpoint *endpoint,
                                      enum nereus_action *action, struct nereus_error *err)
{
    for (bool asleep = true; asleep;) {
        enum zombie_call call;
        int64_t *pool_ranks = NULL, count = 0;
        nereus_watchdog_set_asleep(job->watchdog);
        NEREUS_TRY(nereus_zombie_sleep(endpoint, &call, &pool_ranks, &count, err));
        nereus_watchdog_step(job->watchdog, "wake");
        enum nereus_status status = NEREUS_OK;
        if (call == ZOMBIE_WAKE)
            status = wake_up(job, pool_ranks, count, &asleep, err);
        if (call == ZOMBIE_DISCONNECT)
            status = nereus_zombie_disconnect(job, pool_ranks, count, err);
        free(pool_ranks);
        if (call == ZOMBIE_END || job->leaving) {
            job->ended_asleep = call == ZOMBIE_END;
            job->leaving = true;
            *action = NEREUS_LEAVE;
            break;
        }
        if (status != NEREUS_OK)
            return status;
        *action = NEREUS_RESIZED;
    }
    nereus_zombie_endpoint_close(endpoint);
    return NEREUS_OK;
}
