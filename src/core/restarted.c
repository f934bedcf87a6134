/**
 * @file restarted.c
 * Goes on after a restart, which carries out a reconfiguration if the sources have ended for it.
 * Then the targets make the plan from the record, as spawned ones do, and add their times to those
 * that the sources have kept in the checkpoint.
 */

#include "external.h"
#include "reconfigure.h"
#include "recover.h"
#include "src/checkpoint/stamps_file.h"
#include "src/job/stamps.h"
#include "src/monitor/monitor.h"
#include "src/util/callback.h"
#include "src/util/clock.h"
#include "src/util/wait.h"
#include "trace.h"

static void log_restart(const nereus_job *job, const struct restart_result *restart)
{
    if (job->rank == 0)
        nereus_log("the job goes on from '%s', which %lld process%s had written after point %lld, "
                   "with %d process%s",
                   restart->path, (long long)restart->writers, nereus_plural_es(restart->writers),
                   (long long)job->points, job->size, nereus_plural_es(job->size));
}

/* Continue the job's time: the clocks of the present hosts may differ from those of the hosts
 * before.
 * @param[out] ended_s  when the sources ended, by the clock of this process; 0: unknown */
static enum nereus_status continue_time(struct reconfiguration *reconfig, const char *path,
                                        double *ended_s, struct nereus_error *err)
{
    struct nereus_error ignored;
    struct kept_stamps stamps;
    double times[2] = {0, 0}; /* correction, end of the sources */
    if (reconfig->job->rank == 0 &&
        nereus_stamps_file_extract(path, &stamps, &ignored) == NEREUS_OK) {
        if (stamps.rows == 0 || stamps.doubles != nereus_stamps_count_doubles(&reconfig->plan)) {
            free(stamps.packed_times);
        } else {
            reconfig->leavers.stamps = stamps.packed_times;
            reconfig->leavers.count = stamps.rows;
        }
        times[0] = stamps.job_time_s + (nereus_wall_clock_s() - stamps.wall_s) -
                   nereus_skewed_monotonic_s();
        times[1] = stamps.ended_s;
    }
    NEREUS_TRY(
        nereus_broadcast(times, sizeof times, 0, reconfig->job->control, NEREUS_WAIT_AWAKE, err));
    if (times[1] > 0)
        nereus_clock_set_correction(times[0]);
    *ended_s = times[1] - times[0];
    return NEREUS_OK;
}

/* Set the stamps of the steps that are over. The step start began when the sources ended. */
static void set_stamps(struct reconfiguration *reconfig, const struct restart_result *restart,
                       double ended_s)
{
    const double begins_s = ended_s > 0 && ended_s < restart->began_s ? ended_s : restart->began_s;
    bool has_started = false;
    for (int i = 0; i < reconfig->plan.step_count; i++) {
        const struct nereus_step *step = &reconfig->plan.steps[i];
        struct nereus_stamp *stamp = &reconfig->job->times.stamps[i];
        if ((step->roles & NEREUS_SPAWNED) == 0)
            continue;
        if (step->kind == NEREUS_STEP_START)
            *stamp = (struct nereus_stamp){begins_s, restart->began_s, true};
        else if (step->kind == NEREUS_STEP_READ)
            *stamp = (struct nereus_stamp){restart->began_s, restart->read_s, true};
        else if (step->kind == NEREUS_STEP_AGREE && has_started)
            *stamp = (struct nereus_stamp){restart->read_s, restart->agreed_s, true};
        else if (step->kind == NEREUS_STEP_COMMIT)
            *stamp = (struct nereus_stamp){restart->agreed_s, nereus_skewed_monotonic_s(), true};
        has_started = has_started || step->kind == NEREUS_STEP_START;
    }
}

static enum nereus_status complete_restart(nereus_job *job, struct restart_result *restart,
                                           struct nereus_error *err)
{
    struct reconfiguration reconfig;
    double ended_s = 0;
    nereus_reconfig_init(&reconfig, job);
    reconfig.record = restart->reconfiguration.record;
    reconfig.request = restart->reconfiguration.request;
    memset(&restart->reconfiguration, 0, sizeof restart->reconfiguration);
    enum nereus_status status =
        nereus_reconfig_make_plan(&reconfig, NEREUS_SPAWNED, -1, job->rank, err);
    reconfig.target_rank = job->rank;
    if (status == NEREUS_OK)
        status = continue_time(&reconfig, restart->path, &ended_s, err);
    if (status == NEREUS_OK) {
        set_stamps(&reconfig, restart, ended_s);
        job->reconfigurations++;
        status = nereus_report_carried_out(&reconfig, err);
    }
    nereus_reconfig_fini(&reconfig);
    return status;
}

enum nereus_status nereus_restarted_complete(nereus_job *job, struct restart_result *restart,
                                             struct nereus_error *err)
{
    if (job->rank == 0) {
        job->restart_path = strdup(restart->path);
        NEREUS_TRY_MEMORY(job->restart_path, err, "for the path of a checkpoint");
    }
    log_restart(job, restart);
    nereus_trace_write_restart(job, restart);
    if (restart->reconfiguration.planned)
        return complete_restart(job, restart, err);
    nereus_restart_result_fini(restart);
    nereus_external_end_lost(job);
    nereus_external_open(job);
    nereus_callback_call("options.after", job->callbacks.after, job, job->callbacks.user);
    return nereus_monitor_begin(job, err);
}
