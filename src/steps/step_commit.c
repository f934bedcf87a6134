/* The step "commit": exchanges communicators and pointers, and frees old data. Only a lack of a few
 * bytes can make it fail: everything else was done and agreed on before. */
#include <stdlib.h>
#include <string.h>

#include "model/plan/placement.h"
#include "mover.h"
#include "src/checkpoint/folder_lock.h"
#include "src/job/state.h"
#include "src/start/bind.h"
#include "src/util/callback.h"
#include "src/util/error.h"
#include "steps.h"

static void update_state(struct reconfiguration *rc)
{
    nereus_job *job = rc->job;
    struct nereus_error err;
    if (nereus_jobstate_apply(&job->machine, &rc->record, &job->state, &err) != NEREUS_OK)
        nereus_abort_job(&err); /* must not fail in one process only: placements would differ */
    nereus_machine_commit(job, &rc->record, &rc->machine);
}

/* The root stores the addresses of new zombies, and removes those that woke. */
static void update_zombies(struct reconfiguration *rc)
{
    nereus_job *job = rc->job;
    if (job->rank == 0)
        job->zombies.count -= rc->plan.woken;
    for (int64_t i = 0; rc->shrink.addresses != NULL && i < rc->plan.ns; i++)
        if (rc->shrink.addresses[i].pool_rank >= 0)
            zombies_append(&job->zombies,
                           &rc->shrink.addresses[i]); /* cannot fail: reserved in the step gather */
}

/* The pool becomes `next` if no process sleeps, else it stays. No effect if only data has moved. */
static void exchange_communicators(struct reconfiguration *rc)
{
    nereus_job *job = rc->job;
    const struct nereus_plan *plan = &rc->plan;
    const bool sleepers = plan->leaving > 0 || rc->record.zombies > plan->woken;
    MPI_Comm old_control = job->control, old_pool = job->pool;
    if (rc->comms.next == MPI_COMM_NULL)
        return;
    nereus_rc_free_comm(&job->app);
    job->control = rc->comms.next;
    job->app = rc->comms.next_app;
    job->pool = sleepers ? old_pool : rc->comms.next;
    if (plan->leaving > 0)
        rc->comms.old_control = old_control; /* still used for messages to leaving processes */
    else
        nereus_rc_free_unless(&old_control, old_pool, MPI_COMM_NULL);
    if (!sleepers)
        nereus_rc_free_comm(&old_pool);
    if (rc->comms.parents != rc->comms.next && plan->woken > 0)
        nereus_rc_free_comm(&rc->comms.parents);
    if (rc->comms.inter != MPI_COMM_NULL)
        MPI_Comm_free(&rc->comms.inter); /* old and new processes stay connected through `next` */
    nereus_rc_free_unless(&rc->comms.own, MPI_COMM_WORLD,
                          MPI_COMM_NULL); /* `next` has replaced it */
    rc->comms.next = rc->comms.next_app = rc->comms.merged = MPI_COMM_NULL;
}

static enum nereus_status take_place(struct reconfiguration *rc)
{
    nereus_job *job = rc->job;
    if (rc->plan.inter || rc->plan.intra) { /* baseline: no communicator is kept */
        nereus_rc_free_unless(&rc->comms.own, MPI_COMM_WORLD, MPI_COMM_NULL);
        job->pool = job->control = rc->comms.next;
        job->app = rc->comms.next_app;
        rc->comms.next = rc->comms.next_app = MPI_COMM_NULL;
    } else {
        exchange_communicators(rc);
    }
    nereus_registry_commit(&job->registry, rc->target_rank, job->points);
    update_state(rc);
    NEREUS_MPI(MPI_Comm_rank(job->control, &job->rank), &rc->error);
    NEREUS_MPI(MPI_Comm_size(job->control, &job->size), &rc->error);
    job->reconfigurations++;
    update_zombies(rc);
    if (nereus_custom_deliver_all(&job->registry, &rc->error) != NEREUS_OK)
        nereus_abort_job(&rc->error); /* the old parts were freed: no roll-back */
    nereus_consensus_begin(job);
    if (job->rank == 0)
        nereus_job_write_state(job);
    nereus_bind(job);
    return NEREUS_OK;
}

enum nereus_status nereus_run_commit(struct reconfiguration *rc)
{
    nereus_job *job = rc->job;
    if (job->callbacks.before != NULL &&
        (rc->role == NEREUS_STAYING || rc->role == NEREUS_LEAVING)) {
        nereus_callback_begins("options.before");
        job->callbacks.before(job, job->callbacks.user);
        nereus_callback_ends();
    }
    nereus_mover_end(rc, true);
    if (rc->target_rank >= 0)
        return take_place(rc);
    /* A leaving process keeps only what it needs for the disconnect. */
    nereus_folder_unlock(job);
    nereus_registry_release(&job->registry);
    nereus_rc_free_comm(&job->app);
    if (rc->plan.method.process == NEREUS_MERGE) {
        rc->comms.old_control = job->control;
        job->control = MPI_COMM_NULL;
        nereus_rc_free_comm(&rc->comms.next);
    }
    return NEREUS_OK;
}
