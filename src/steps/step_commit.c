/* Communicators and pointers are exchanged, and old data is freed. Nothing in here can fail but for
 * lack of a few bytes: all that could was done and agreed on before. */
#include <stdlib.h>
#include <string.h>

#include "model/plan/placement.h"
#include "moved_data.h"
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
        nereus_give_up(&err); /* the others would place the next processes elsewhere */
    nereus_machine_commit(job, &rc->record, &rc->machine);
}

/* The root of a shrink stores the addresses of the new zombies; the root of an expansion removes
 * those that woke. */
static void update_zombies(struct reconfiguration *rc)
{
    nereus_job *job = rc->job;
    if (job->rank == 0)
        job->zombies.count -= rc->plan.woken;
    for (int64_t i = 0; rc->shrink.addresses != NULL && i < rc->plan.ns; i++)
        if (rc->shrink.addresses[i].pool_rank >= 0)
            zombies_append(&job->zombies,
                           &rc->shrink.addresses[i]); /* reserved when they were gathered */
}

/* The pool: `next` where no process sleeps, else the pool that there was. Nothing where only data
 * has moved. */
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
        rc->comms.old_control = old_control; /* messages to the leaving processes follow */
    else
        nereus_rc_free_unless(&old_control, old_pool, MPI_COMM_NULL);
    if (!sleepers)
        nereus_rc_free_comm(&old_pool);
    if (rc->comms.parents != rc->comms.next && plan->woken > 0)
        nereus_rc_free_comm(&rc->comms.parents);
    if (rc->comms.inter != MPI_COMM_NULL)
        MPI_Comm_free(&rc->comms.inter); /* old and new stay connected through `next` */
    nereus_rc_free_unless(&rc->comms.own, MPI_COMM_WORLD,
                          MPI_COMM_NULL); /* `next` has replaced it */
    rc->comms.next = rc->comms.next_app = rc->comms.merged = MPI_COMM_NULL;
}

static enum nereus_status take_place(struct reconfiguration *rc)
{
    nereus_job *job = rc->job;
    if (rc->plan.inter || rc->plan.intra) { /* spawned: everything is new */
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
        nereus_give_up(&rc->error); /* the old parts are gone */
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
    nereus_moved_data_end(rc, true);
    if (rc->target_rank >= 0)
        return take_place(rc);
    /* A leaving process keeps only what it needs to part from the others. */
    nereus_registry_release(&job->registry);
    nereus_rc_free_comm(&job->app);
    if (rc->plan.method.process == NEREUS_MERGE) {
        rc->comms.old_control = job->control;
        job->control = MPI_COMM_NULL;
        nereus_rc_free_comm(&rc->comms.next);
    }
    return NEREUS_OK;
}
