/**
 * @file recover.c
 * Continues after a loss: revoke, shrink, read the newest checkpoint, and spawn processes in place
 * of the lost ones by an ordinary reconfiguration.
 */

#include "recover.h"

#include "external.h"
#include "model_choice.h"
#include "prepare_request.h"
#include "reconfigure.h"
#include "src/checkpoint/restart.h"
#include "src/checkpoint/write.h"
#include "src/grid/links.h"
#include "src/job/calls.h"
#include "src/job/machine.h"
#include "src/link/supervise_requests.h"
#include "src/link/watchdog.h"
#include "src/mpi/mpi_library.h"
#include "src/start/bind.h"
#include "src/start/hosts.h"
#include "src/steps/reconfiguration.h"
#include "src/util/clock.h"
#include "src/util/loss.h"

static const double poll_every_s = 10e-3;

void nereus_recover_poll(nereus_job *job)
{
    static double next_s; /* static: a process has one job at a time */
    const double now_s = nereus_skewed_monotonic_s();
    if (now_s < next_s || nereus_loss_is_noted())
        return;
    next_s = now_s + poll_every_s;
    if (nereus_mpi()->recovery->has_lost(job->control))
        nereus_loss_set(true);
}

/* ---- what cannot be recovered ---------------------------------------------------------------- */

static const char *explain_unrecoverable(const nereus_job *job)
{
    const struct {
        bool applies;
        const char *reason;
    } reasons[] = {
        {job->settings.checkpoint_folder == NULL, "it writes no checkpoints"},
        {job->under_way != NULL || job->completion != NULL, "a reconfiguration was under way"},
        {job->pool != job->control, "processes of it sleep"},
        {nereus_machine_has_several_hosts(&job->machine), "it is on several hosts"},
        {job->monitored, "it is monitored"},
        {nereus_registry_has_mover(&job->registry), "its program moves data itself"},
        {nereus_request_check_grids(job, job->size - 1, NULL) != NEREUS_OK,
         "a grid of it cannot have one process fewer"},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(reasons); i++)
        if (reasons[i].applies)
            return reasons[i].reason;
    return NULL;
}

static enum nereus_status check_recoverable(const nereus_job *job, struct nereus_error *err)
{
    const char *reason = explain_unrecoverable(job);
    return reason == NULL
               ? NEREUS_OK
               : nereus_fail(err, NEREUS_ERR_UNSUPPORTED,
                             "the job cannot go on without the lost process, as %s", reason);
}

/* ---- the processes that are left ------------------------------------------------------------- */

/* Pending communication over the old communicators never completes. They are not freed, because
 * MPI_Comm_free is collective and a lost process takes no part. */
static void discard_pending(nereus_job *job)
{
    nereus_mpi()->recovery->revoke(job->control);
    nereus_mpi()->recovery->revoke(job->app);
    nereus_grid_links_abandon(job, nereus_mpi()->recovery->revoke);
    nereus_write_checkpoint_abandon(job);
    job->overlap.report_request = job->trace.gathering = MPI_REQUEST_NULL;
    job->trace.reporting = false;
    job->control = job->app = job->pool = MPI_COMM_NULL;
}

/* Set the job's processes to those that are left, as one world on one host. */
static enum nereus_status set_remaining_world(nereus_job *job, MPI_Comm rest,
                                              struct nereus_error *err)
{
    struct reconfiguration reconfig;
    nereus_reconfig_init(&reconfig, job);
    NEREUS_TRY(nereus_reconfig_set_next(&reconfig, rest, err));
    NEREUS_TRY(nereus_reconfig_complete_next(&reconfig, err));
    job->control = job->pool = rest;
    job->app = reconfig.comms.next_app;
    NEREUS_MPI(MPI_Comm_rank(rest, &job->rank), err);
    NEREUS_MPI(MPI_Comm_size(rest, &job->size), err);
    job->world = 0;
    nereus_jobstate_fini(&job->state);
    NEREUS_TRY(nereus_jobstate_initial(&job->machine, job->size, &job->state, err));
    nereus_job_update_watchdog(job);
    return NEREUS_OK;
}

static enum nereus_status exclude_lost_processes(nereus_job *job, struct nereus_error *err)
{
    MPI_Comm rest, lost = job->control;
    discard_pending(job);
    NEREUS_MPI(nereus_mpi()->recovery->shrink(lost, &rest), err);
    nereus_loss_set(false);
    return set_remaining_world(job, rest, err);
}

/* ---- data ------------------------------------------------------------------------------------ */

static enum nereus_status read_checkpoint(nereus_job *job, struct restart_result *restart,
                                          struct nereus_error *err)
{
    struct registry old_registry = job->registry;
    struct nereus_error own_error = {0};
    const int64_t point = job->points;
    memset(&job->registry, 0, sizeof job->registry);
    NEREUS_TRY(nereus_restart_in_place(job, restart, &own_error, err));
    if (own_error.status != NEREUS_OK)
        return nereus_fail(err, own_error.status, "%s", own_error.text);
    NEREUS_TRY(nereus_registry_renew(&job->registry, &old_registry, job->rank, point, err));
    nereus_registry_fini(&old_registry);
    return NEREUS_OK;
}

/* The new rank 0 may be another process. */
static void begin_as_root(nereus_job *job)
{
    if (job->chooser == NULL)
        nereus_model_choice_begin(job);
    nereus_external_resume(job);
    nereus_job_write_state(job);
}

static enum nereus_status continue_from_checkpoint(nereus_job *job, struct restart_result *restart,
                                                   struct nereus_error *err)
{
    job->has_recovered = job->at_start = true;
    nereus_consensus_begin(job);
    nereus_bind(job);
    if (job->rank == 0) {
        begin_as_root(job);
        /* the lost rank 0 may not have told nereus-supervise */
        nereus_supervise_report_checkpoint(restart->path, false);
    }
    return nereus_restarted_complete(job, restart, err);
}

/* ---- size ------------------------------------------------------------------------------------ */

/* Spawn processes in place of the lost ones. Without them the job continues at its present size, if
 * the program can have that size. */
static enum nereus_status replace_lost_processes(nereus_job *job, int size,
                                                 enum nereus_action *action,
                                                 struct nereus_error *err)
{
    struct resize_request request = {.point = job->points, .nt = size};
    NEREUS_TRY(nereus_set_requested_method(job, "merge/coll", &request, err));
    NEREUS_TRY(nereus_reconfigure(job, &request, action, err));
    *action = NEREUS_RESIZED;
    if (nereus_sizes_allow(&job->settings.sizes, job->size))
        return NEREUS_OK;
    return nereus_fail(err, NEREUS_ERR_SPAWN,
                       "no process could take the place of the lost one, and the program cannot "
                       "have %d process%s",
                       job->size, nereus_plural_es(job->size));
}

static void report_recovery(const nereus_job *job, int lost, const char *path, int64_t reached)
{
    char text[PATH_MAX + 160];
    const int64_t repeated = reached - job->points;
    snprintf(text, sizeof text,
             "the job goes on as %d process%s from %s (points %lld), without a new start; %lld "
             "point%s %s repeated",
             job->size, nereus_plural_es(job->size), path, (long long)job->points,
             (long long)repeated, nereus_plural_s(repeated),
             nereus_choose_plural(repeated, "is", "are"));
    nereus_supervise_report_recovery(lost, text);
}

static enum nereus_status recover_job(nereus_job *job, enum nereus_action *action,
                                      struct nereus_error *err)
{
    struct restart_result restart;
    const int size = job->size;
    const int64_t reached = job->points;
    NEREUS_TRY(check_recoverable(job, err));
    nereus_external_defer(job);
    nereus_watchdog_step(job->watchdog, "shrink");
    NEREUS_TRY(exclude_lost_processes(job, err));
    const int lost = size - job->size;
    nereus_watchdog_step(job->watchdog, "read");
    NEREUS_TRY(read_checkpoint(job, &restart, err));
    NEREUS_TRY(continue_from_checkpoint(job, &restart, err));
    NEREUS_TRY(replace_lost_processes(job, size, action, err));
    if (job->rank == 0)
        report_recovery(job, lost, restart.path, reached);
    return NEREUS_OK;
}

enum nereus_status nereus_recover(nereus_job *job, enum nereus_action *action,
                                  struct nereus_error *err)
{
    nereus_call_enter(job, "nereus_point");
    memset(err, 0, sizeof *err);
    const enum nereus_status status = recover_job(job, action, err);
    if (status != NEREUS_OK)
        nereus_abort_job(err); /* nereus-supervise restarts the job */
    nereus_call_leave(job);
    return status;
}
