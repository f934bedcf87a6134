/**
 * @file step_commit.c
 * Runs the step "commit": exchanges communicators and pointers, and frees old data. Only a lack of
 * a few bytes can make it fail: everything else was done and agreed on before.
 */

#include "model/plan/placement.h"
#include "src/checkpoint/folder_lock.h"
#include "src/grid/links.h"
#include "src/interpose/objects.h"
#include "src/job/machine.h"
#include "src/start/bind.h"
#include "src/util/callback.h"
#include "src/util/process_settings.h"
#include "steps.h"
#include "transfer.h"

static void update_state(struct reconfiguration *reconfig)
{
    nereus_job *job = reconfig->job;
    struct nereus_error err;
    if (nereus_jobstate_apply(&job->machine, &reconfig->record, &job->state, &err) != NEREUS_OK)
        nereus_abort_job(&err); /* must not fail in one process only: placements would differ */
    nereus_machine_commit(job, &reconfig->record, &reconfig->machine);
}

/* The root stores the addresses of new zombies, and removes those that woke. This cannot fail: the
 * step gather has reserved the memory. */
static void update_zombies(struct reconfiguration *reconfig)
{
    nereus_job *job = reconfig->job;
    if (job->rank == 0)
        job->zombies.count -= reconfig->plan.woken;
    for (int64_t i = 0; reconfig->shrink.addresses != NULL && i < reconfig->plan.ns; i++)
        if (reconfig->shrink.addresses[i].pool_rank >= 0)
            nereus_zombies_append(&job->zombies, &reconfig->shrink.addresses[i]);
}

/* The pool becomes `next` if no process sleeps, else it stays. No effect if only data has moved. */
static void exchange_communicators(struct reconfiguration *reconfig)
{
    nereus_job *job = reconfig->job;
    const struct nereus_plan *plan = &reconfig->plan;
    const bool sleepers = plan->leaving > 0 || reconfig->record.zombies > plan->woken;
    MPI_Comm old_control = job->control, old_pool = job->pool;
    if (reconfig->comms.next == MPI_COMM_NULL)
        return;
    nereus_reconfig_free_comm(&job->app);
    job->control = reconfig->comms.next;
    job->app = reconfig->comms.next_app;
    job->pool = sleepers ? old_pool : reconfig->comms.next;
    if (plan->leaving > 0) /* messages to leaving processes still use it */
        reconfig->comms.old_control = old_control;
    else
        nereus_reconfig_free_unless(&old_control, old_pool, MPI_COMM_NULL);
    if (!sleepers)
        nereus_reconfig_free_comm(&old_pool);
    if (reconfig->comms.parents != reconfig->comms.next && plan->woken > 0)
        nereus_reconfig_free_comm(&reconfig->comms.parents);
    /* `next` connects old and new processes, and has replaced the communicator of the new ones */
    if (reconfig->comms.inter != MPI_COMM_NULL)
        MPI_Comm_free(&reconfig->comms.inter);
    nereus_reconfig_free_unless(&reconfig->comms.new_processes, MPI_COMM_WORLD, MPI_COMM_NULL);
    reconfig->comms.next = reconfig->comms.next_app = reconfig->comms.merged = MPI_COMM_NULL;
}

static enum nereus_status become_target(struct reconfiguration *reconfig)
{
    nereus_job *job = reconfig->job;
    /* Baseline: no communicator is kept. */
    if (reconfig->plan.inter || reconfig->plan.intra) {
        nereus_reconfig_free_unless(&reconfig->comms.new_processes, MPI_COMM_WORLD, MPI_COMM_NULL);
        job->pool = job->control = reconfig->comms.next;
        job->app = reconfig->comms.next_app;
        reconfig->comms.next = reconfig->comms.next_app = MPI_COMM_NULL;
    } else {
        exchange_communicators(reconfig);
    }
    nereus_registry_commit(&job->registry, reconfig->target_rank, job->points);
    update_state(reconfig);
    NEREUS_MPI(MPI_Comm_rank(job->control, &job->rank), &reconfig->error);
    NEREUS_MPI(MPI_Comm_size(job->control, &job->size), &reconfig->error);
    job->reconfigurations++;
    update_zombies(reconfig);
    if (nereus_custom_deliver_all(&job->registry, &reconfig->error) != NEREUS_OK)
        nereus_abort_job(&reconfig->error); /* the old parts were freed: no roll-back */
    nereus_consensus_begin(job);
    if (job->rank == 0)
        nereus_job_write_state(job);
    nereus_bind(job);
    return NEREUS_OK;
}

/* NEREUS_CHECK: the program has objects over the old communicator, which options.before should have
 * freed: a process that joins waits in the call that makes them again. */
static void report_objects(const nereus_job *job, MPI_Comm old, int rank)
{
    char calls[256];
    if (nereus_process_settings.checks && nereus_objects_list_open != NULL && job->app != old &&
        nereus_objects_list_open(old, calls, sizeof calls))
        nereus_log("rank %d: not freed at the change of size at point %lld, made over nereus_comm "
                   "by %s: free it in options.before, make it again in options.after",
                   rank, (long long)job->points, calls);
}

enum nereus_status nereus_run_commit(struct reconfiguration *reconfig)
{
    nereus_job *job = reconfig->job;
    const MPI_Comm old = job->app;
    const int old_rank = job->rank;
    if (reconfig->role == NEREUS_STAYING || reconfig->role == NEREUS_LEAVING)
        nereus_callback_call("options.before", job->callbacks.before, job, job->callbacks.user);
    nereus_mover_end(reconfig, true);
    nereus_grid_links_drop(job);
    if (reconfig->target_rank >= 0) {
        NEREUS_TRY(become_target(reconfig));
        report_objects(job, old, old_rank);
        return NEREUS_OK;
    }
    /* A leaving process keeps only what it needs for the disconnect. */
    nereus_folder_unlock(job);
    nereus_registry_release(&job->registry);
    nereus_reconfig_free_comm(&job->app);
    report_objects(job, old, old_rank);
    if (reconfig->plan.method.process == NEREUS_MERGE) {
        reconfig->comms.old_control = job->control;
        job->control = MPI_COMM_NULL;
        nereus_reconfig_free_comm(&reconfig->comms.next);
    }
    return NEREUS_OK;
}
