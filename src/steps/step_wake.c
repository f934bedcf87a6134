/* The step "wake": the root calls the zombies, and the active processes form a communicator with
 * those that wake (MPI_Comm_create_group, in which sleeping zombies take no part). They get the
 * payload like new processes. */
#include <stdlib.h>
#include <string.h>

#include "src/start/join_payload.h"
#include "src/util/agree.h"
#include "src/util/clock.h"
#include "src/util/error.h"
#include "src/util/fault.h"
#include "steps.h"

enum { WAKE_TAG = 31 };

/* Root: pool ranks of the next group: the active processes in rank order, then the last `woken`
 * zombies. */
static enum nereus_status list_group(const struct reconfiguration *rc, int64_t *ranks,
                                     struct nereus_error *err)
{
    const nereus_job *job = rc->job;
    MPI_Group active, pool;
    int *from = malloc(2 * (size_t)job->size * sizeof *from);
    NEREUS_TRY_MEMORY(from, err, "to list %d processes", job->size);
    for (int i = 0; i < job->size; i++)
        from[i] = i;
    MPI_Comm_group(job->control, &active);
    MPI_Comm_group(job->pool, &pool);
    MPI_Group_translate_ranks(active, job->size, from, pool, from + job->size);
    for (int i = 0; i < job->size; i++)
        ranks[i] = from[job->size + i];
    for (int64_t i = 0; i < rc->plan.woken; i++)
        ranks[job->size + i] =
            job->zombies.addresses[job->zombies.count - rc->plan.woken + i].pool_rank;
    MPI_Group_free(&active);
    MPI_Group_free(&pool);
    free(from);
    return NEREUS_OK;
}

/* Message to called zombies: the process that will answer, and the ending worlds (those whose first
 * process ends, as a world ends as a whole). The list has one entry per process. */
static void list_ended(const struct reconfiguration *rc, int64_t *list)
{
    const struct nereus_jobstate *state = &rc->job->state;
    int64_t count = 0, rank = 0;
    list[count++] = rc->shrink.root_in_pool;
    for (int64_t i = 0; i < state->segment_count; i++) {
        if (nereus_plan_source_ends(&rc->plan, rank))
            list[count++] = state->segments[i].world;
        rank += state->segments[i].count;
    }
    while (count < rank + 1)
        list[count++] = -1;
}

/* Called by active and woken processes. */
static enum nereus_status form_group(struct reconfiguration *rc, const int64_t *pool_ranks,
                                     int64_t count, struct nereus_error *err)
{
    MPI_Group pool, next;
    int *ranks = malloc((size_t)count * sizeof *ranks);
    NEREUS_TRY_MEMORY(ranks, err, "to list %lld processes", (long long)count);
    for (int64_t i = 0; i < count; i++)
        ranks[i] = (int)pool_ranks[i];
    MPI_Comm_group(rc->job->pool, &pool);
    MPI_Group_incl(pool, (int)count, ranks, &next);
    free(ranks);
    const int code = MPI_Comm_create_group(rc->job->pool, next, WAKE_TAG, &rc->comms.parents);
    MPI_Group_free(&next);
    MPI_Group_free(&pool);
    if (code != MPI_SUCCESS)
        return nereus_mpi_failed(code, "MPI_Comm_create_group", err);
    rc->comms.merged = rc->comms.parents;
    NEREUS_MPI(MPI_Comm_set_errhandler(rc->comms.parents, MPI_ERRORS_RETURN), err);
    return NEREUS_OK;
}

/* Agree on a failure that only some know; it becomes the verdict. */
static enum nereus_status agree_on_failure(struct reconfiguration *rc, struct nereus_error *err)
{
    NEREUS_TRY(nereus_sleeping_barrier(rc->comms.parents, rc->waiting, err));
    NEREUS_TRY(nereus_agree_intra(rc->comms.parents, &rc->failure, rc->plan.hash, rc->waiting,
                                  &rc->verdict, err));
    return rc->verdict.status;
}

/* The root calls the zombies only after the agreement, as a called zombie cannot be sent back.
 * `ranks` has one more entry: whether they came. */
static enum nereus_status call_zombies(struct reconfiguration *rc, int64_t *ranks, int64_t count,
                                       struct nereus_error *err)
{
    nereus_job *job = rc->job;
    const bool calls_zombies = rc->plan.woken == 0;
    if (nereus_fault(NEREUS_STEP_WAKE, job->rank))
        nereus_fault_report(NEREUS_STEP_WAKE, &rc->failure);
    else if (job->rank == 0 && calls_zombies)
        list_ended(rc, ranks);
    else if (job->rank == 0)
        list_group(rc, ranks, &rc->failure);
    NEREUS_TRY(agree_on_failure(rc, err));
    if (job->rank == 0)
        ranks[count] =
            (calls_zombies ? zombies_call_to_disconnect(&job->zombies, ranks, count, &rc->failure)
                           : zombies_wake(&job->zombies, rc->plan.woken, ranks, count,
                                          &rc->failure)) == NEREUS_OK;
    /* the root uses sockets meanwhile */
    NEREUS_TRY(nereus_sleeping_barrier(rc->comms.parents, rc->waiting, err));
    NEREUS_MPI(MPI_Bcast(ranks, (int)count + 1, MPI_INT64_T, 0, rc->comms.parents), err);
    return ranks[count] != 0 ? NEREUS_OK : agree_on_failure(rc, err);
}

/* Sources: form the group with the woken zombies. */
static enum nereus_status join_with_woken(struct reconfiguration *rc, const int64_t *ranks,
                                          int64_t count, struct nereus_error *err)
{
    const bool sends = rc->job->rank == 0;
    struct start_spec spec = rc->spec;
    int64_t no_group = -1;
    NEREUS_TRY(form_group(rc, ranks, count, err));
    enum nereus_status status =
        nereus_payload_broadcast(rc->comms.parents, 0, sends, &spec, &no_group, err);
    if (!sends)
        free(spec.payload);
    if (status != NEREUS_OK || rc->plan.spawned > 0)
        return status;
    return nereus_rc_set_next(rc, rc->comms.parents, err);
}

enum nereus_status nereus_run_wake(struct reconfiguration *rc)
{
    struct nereus_error *err = &rc->error;
    const bool calls_zombies = rc->plan.woken == 0;
    const int64_t count = rc->job->size + (calls_zombies ? 1 : rc->plan.woken);
    if (calls_zombies)
        NEREUS_TRY(nereus_translate_rank(rc->job->control, 0, rc->job->pool,
                                         &rc->shrink.root_in_pool, err));
    int64_t *ranks = calloc((size_t)count + 1, sizeof *ranks);
    NEREUS_TRY_MEMORY(ranks, err, "to wake %lld processes", (long long)rc->plan.woken);
    enum nereus_status status = call_zombies(rc, ranks, count, err);
    if (status == NEREUS_OK && !calls_zombies)
        status = join_with_woken(rc, ranks, count, err);
    rc->shrink.zombies_called = status == NEREUS_OK && calls_zombies;
    free(ranks);
    return status;
}

enum nereus_status nereus_wake_join(struct reconfiguration *rc, const int64_t *pool_ranks,
                                    int64_t count, struct nereus_error *err)
{
    nereus_job *job = rc->job;
    int64_t no_group;
    int rank;
    const double arrival_s = nereus_now_s();
    NEREUS_TRY(form_group(rc, pool_ranks, count, err));
    NEREUS_MPI(MPI_Comm_rank(rc->comms.parents, &rank), err);
    NEREUS_TRY(nereus_payload_broadcast(rc->comms.parents, 0, false, &rc->spec, &no_group, err));
    NEREUS_TRY(nereus_payload_unpack(job, &rc->record, &rc->spec, err));
    free(rc->spec.payload); /* the step "spawn" may pack it again */
    rc->spec.payload = NULL;
    rc->wanted.method = rc->record.method;
    job->rank = rank;
    NEREUS_TRY(nereus_rc_plan(rc, NEREUS_WOKEN, -1, rank, err));
    rc->group.rank = rank;
    if (rc->plan.spawned == 0)
        NEREUS_TRY(nereus_rc_set_next(rc, rc->comms.parents, err));
    /* steps 0 and 1: decide, wake */
    job->times.stamps[1] = (struct nereus_stamp){arrival_s, nereus_now_s(), true};
    return NEREUS_OK;
}
