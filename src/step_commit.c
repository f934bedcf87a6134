/*
 * The commit: communicators and pointers are exchanged, and old data is freed. Nothing in here can fail but
 * for lack of a few bytes, as all that could was done and agreed on before.
 */
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "model/plan/placement.h"

static void update_state(struct move *move)
{
    nereus_job *job = move->job;
    struct nereus_error err;
    if (nereus_jobstate_apply(&job->machine, move->request, &job->state, &err) != NEREUS_OK)
        nereus_give_up(&err); /* the others would place the next processes elsewhere */
}

/* The root of a shrink remembers who sleeps where; the root of an expansion forgets those who woke. */
static void update_zombies(struct move *move)
{
    nereus_job *job = move->job;
    if (job->rank == 0)
        job->zombies.count -= move->plan.woken;
    for (int64_t i = 0; move->addresses != NULL && i < move->plan.ns; i++)
        if (move->addresses[i].pool_rank >= 0)
            zombies_append(&job->zombies, &move->addresses[i]); /* room was made when they were gathered */
}

static void free_old(MPI_Comm *comm, MPI_Comm kept)
{
    if (*comm != MPI_COMM_NULL && *comm != kept)
        MPI_Comm_free(comm);
    *comm = MPI_COMM_NULL;
}

/* The new processes among themselves: `next` has taken its place. */
static void free_own(struct move *move)
{
    if (move->own != MPI_COMM_NULL && move->own != MPI_COMM_WORLD)
        MPI_Comm_free(&move->own);
    move->own = MPI_COMM_NULL;
}

/* Which communicator holds everybody now: the next one where nobody sleeps, else the one that there was. */
static void exchange_communicators(struct move *move)
{
    nereus_job *job = move->job;
    const struct nereus_plan *plan = &move->plan;
    const bool sleepers = plan->leaving > 0 || move->request->zombies > plan->woken;
    MPI_Comm old_control = job->control, old_pool = job->pool;
    if (job->app != MPI_COMM_NULL)
        MPI_Comm_free(&job->app);
    job->control = move->next;
    job->app = move->next_app;
    job->pool = sleepers ? old_pool : move->next;
    if (plan->leaving > 0)
        move->old_control = old_control; /* who leaves is spoken to once more */
    else
        free_old(&old_control, old_pool);
    if (!sleepers)
        free_old(&old_pool, MPI_COMM_NULL);
    if (move->parents != move->next && plan->woken > 0)
        free_old(&move->parents, MPI_COMM_NULL);
    if (move->inter != MPI_COMM_NULL)
        MPI_Comm_free(&move->inter); /* old and new stay connected through `next` */
    free_own(move);
    move->next = move->next_app = move->wide = MPI_COMM_NULL;
}

static enum nereus_status take_place(struct move *move)
{
    nereus_job *job = move->job;
    if (move->plan.inter || move->plan.intra) { /* spawned: everything is new */
        free_own(move);
        job->pool = job->control = move->next;
        job->app = move->next_app;
        move->next = move->next_app = MPI_COMM_NULL;
    } else {
        exchange_communicators(move);
    }
    nereus_registry_commit(&job->registry);
    update_state(move);
    NEREUS_MPI(MPI_Comm_rank(job->control, &job->rank), &move->error);
    NEREUS_MPI(MPI_Comm_size(job->control, &job->size), &move->error);
    job->reconfigurations++;
    update_zombies(move);
    if (nereus_custom_deliver_all(&job->registry, &move->error) != NEREUS_OK)
        nereus_give_up(&move->error); /* the old parts are gone */
    nereus_bell_init(job);
    if (job->rank == 0)
        nereus_job_write_state(job);
    nereus_bind(job);
    return NEREUS_OK;
}

enum nereus_status nereus_run_commit(struct move *move, const struct nereus_step *step, bool *taken)
{
    nereus_job *job = move->job;
    (void)step;
    (void)taken;
    if (job->before != NULL && (move->role == NEREUS_STAYING || move->role == NEREUS_LEAVING))
        job->before(job, job->user);
    if (move->target_rank >= 0)
        return take_place(move);
    /* Who leaves keeps only what it needs to part with the others. */
    nereus_registry_release(&job->registry);
    if (job->app != MPI_COMM_NULL)
        MPI_Comm_free(&job->app);
    if (move->plan.method.process == NEREUS_MERGE) {
        move->old_control = job->control;
        job->control = MPI_COMM_NULL;
        if (move->next != MPI_COMM_NULL)
            MPI_Comm_free(&move->next);
    }
    return NEREUS_OK;
}
