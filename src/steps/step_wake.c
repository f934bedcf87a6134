/**
 * @file step_wake.c
 * Runs the step "wake": the root calls the zombies, and the active processes form a communicator
 * with those that wake (MPI_Comm_create_group, in which sleeping zombies take no part). Woken
 * zombies get the payload as new processes do.
 */

#include "src/start/join_payload.h"
#include "src/util/agree.h"
#include "src/util/clock.h"
#include "src/util/fault.h"
#include "src/util/tags.h"
#include "src/util/translate_rank.h"
#include "steps.h"

/* Root: pool ranks of the next group: the active processes in rank order, then the last `woken`
 * zombies. */
static enum nereus_status list_next_group(const struct reconfiguration *reconfig, int64_t *ranks,
                                          struct nereus_error *err)
{
    const nereus_job *job = reconfig->job;
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
    for (int64_t i = 0; i < reconfig->plan.woken; i++)
        ranks[job->size + i] =
            job->zombies.addresses[job->zombies.count - reconfig->plan.woken + i].pool_rank;
    MPI_Group_free(&active);
    MPI_Group_free(&pool);
    free(from);
    return NEREUS_OK;
}

/* Message to called zombies: the process that will answer, and the ending worlds (those whose first
 * process ends, as a world ends as a whole). The list has one entry per process. */
static void list_ending_worlds(const struct reconfiguration *reconfig, int64_t *list)
{
    const struct nereus_jobstate *state = &reconfig->job->state;
    int64_t count = 0, rank = 0;
    list[count++] = reconfig->shrink.root_in_pool;
    for (int64_t i = 0; i < state->segment_count; i++) {
        if (nereus_plan_source_ends(&reconfig->plan, rank))
            list[count++] = state->segments[i].world;
        rank += state->segments[i].count;
    }
    while (count < rank + 1)
        list[count++] = -1;
}

/* Collective over active and woken processes. */
static enum nereus_status form_group(struct reconfiguration *reconfig, const int64_t *pool_ranks,
                                     int64_t count, struct nereus_error *err)
{
    MPI_Group pool, next;
    int *ranks = malloc((size_t)count * sizeof *ranks);
    NEREUS_TRY_MEMORY(ranks, err, "to list %lld processes", (long long)count);
    for (int64_t i = 0; i < count; i++)
        ranks[i] = (int)pool_ranks[i];
    MPI_Comm_group(reconfig->job->pool, &pool);
    MPI_Group_incl(pool, (int)count, ranks, &next);
    free(ranks);
    const int code =
        MPI_Comm_create_group(reconfig->job->pool, next, WAKE_TAG, &reconfig->comms.parents);
    MPI_Group_free(&next);
    MPI_Group_free(&pool);
    if (code != MPI_SUCCESS)
        return nereus_mpi_failed(code, "MPI_Comm_create_group", err);
    reconfig->comms.merged = reconfig->comms.parents;
    NEREUS_MPI(MPI_Comm_set_errhandler(reconfig->comms.parents, MPI_ERRORS_RETURN), err);
    return NEREUS_OK;
}

/* Agree on a failure that only some processes know; it becomes the verdict. */
static enum nereus_status agree_on_failure(struct reconfiguration *reconfig,
                                           struct nereus_error *err)
{
    NEREUS_TRY(nereus_sleeping_barrier(reconfig->comms.parents, reconfig->wait_mode, err));
    NEREUS_TRY(nereus_agree_intra(reconfig->comms.parents, &reconfig->failure, reconfig->plan.hash,
                                  reconfig->wait_mode, &reconfig->verdict, err));
    return reconfig->verdict.status;
}

/* The root calls the zombies only after the agreement, as a called zombie cannot be sent back.
 * `ranks` has one more entry: whether the zombies have answered. */
static enum nereus_status call_zombies(struct reconfiguration *reconfig, int64_t *ranks,
                                       int64_t count, struct nereus_error *err)
{
    nereus_job *job = reconfig->job;
    const bool calls_zombies = reconfig->plan.woken == 0;
    if (nereus_fault_applies(NEREUS_STEP_WAKE, job->rank))
        nereus_fault_report(NEREUS_STEP_WAKE, &reconfig->failure);
    else if (job->rank == 0 && calls_zombies)
        list_ending_worlds(reconfig, ranks);
    else if (job->rank == 0)
        list_next_group(reconfig, ranks, &reconfig->failure);
    NEREUS_TRY(agree_on_failure(reconfig, err));
    if (job->rank == 0)
        ranks[count] = nereus_zombies_call(
                           &job->zombies, calls_zombies ? job->zombies.count : reconfig->plan.woken,
                           calls_zombies ? ZOMBIE_DISCONNECT : ZOMBIE_WAKE, ranks, count,
                           &reconfig->failure) == NEREUS_OK;
    /* the root uses sockets meanwhile */
    NEREUS_TRY(nereus_sleeping_barrier(reconfig->comms.parents, reconfig->wait_mode, err));
    NEREUS_MPI(MPI_Bcast(ranks, (int)count + 1, MPI_INT64_T, 0, reconfig->comms.parents), err);
    return ranks[count] != 0 ? NEREUS_OK : agree_on_failure(reconfig, err);
}

/* Sources: form the group with the woken zombies. */
static enum nereus_status join_with_woken(struct reconfiguration *reconfig, const int64_t *ranks,
                                          int64_t count, struct nereus_error *err)
{
    const bool sends = reconfig->job->rank == 0;
    struct start_spec spec = reconfig->spec;
    int64_t no_group = -1;
    NEREUS_TRY(form_group(reconfig, ranks, count, err));
    enum nereus_status status =
        nereus_payload_broadcast(reconfig->comms.parents, 0, sends, &spec, &no_group, err);
    if (!sends)
        free(spec.payload);
    if (status != NEREUS_OK || reconfig->plan.spawned > 0)
        return status;
    return nereus_reconfig_set_next(reconfig, reconfig->comms.parents, err);
}

enum nereus_status nereus_run_wake(struct reconfiguration *reconfig)
{
    struct nereus_error *err = &reconfig->error;
    const bool calls_zombies = reconfig->plan.woken == 0;
    const int64_t count = reconfig->job->size + (calls_zombies ? 1 : reconfig->plan.woken);
    if (calls_zombies)
        NEREUS_TRY(nereus_translate_rank(reconfig->job->control, 0, reconfig->job->pool,
                                         &reconfig->shrink.root_in_pool, err));
    int64_t *ranks = calloc((size_t)count + 1, sizeof *ranks);
    NEREUS_TRY_MEMORY(ranks, err, "to wake %lld processes", (long long)reconfig->plan.woken);
    enum nereus_status status = call_zombies(reconfig, ranks, count, err);
    if (status == NEREUS_OK && !calls_zombies)
        status = join_with_woken(reconfig, ranks, count, err);
    reconfig->shrink.zombies_called = status == NEREUS_OK && calls_zombies;
    free(ranks);
    return status;
}

enum nereus_status nereus_wake_join(struct reconfiguration *reconfig, const int64_t *pool_ranks,
                                    int64_t count, struct nereus_error *err)
{
    nereus_job *job = reconfig->job;
    int64_t no_group;
    int rank;
    const double arrival_s = nereus_skewed_monotonic_s();
    NEREUS_TRY(form_group(reconfig, pool_ranks, count, err));
    NEREUS_MPI(MPI_Comm_rank(reconfig->comms.parents, &rank), err);
    NEREUS_TRY(nereus_payload_broadcast(reconfig->comms.parents, 0, false, &reconfig->spec,
                                        &no_group, err));
    NEREUS_TRY(nereus_payload_unpack(job, &reconfig->record, &reconfig->spec, err));
    free(reconfig->spec.payload); /* the step "spawn" may pack it again */
    reconfig->spec.payload = NULL;
    reconfig->request.method = reconfig->record.method;
    job->rank = rank;
    NEREUS_TRY(nereus_reconfig_make_plan(reconfig, NEREUS_WOKEN, -1, rank, err));
    reconfig->group.rank = rank;
    if (reconfig->plan.spawned == 0)
        NEREUS_TRY(nereus_reconfig_set_next(reconfig, reconfig->comms.parents, err));
    /* steps 0 and 1: decide, wake */
    job->times.stamps[1] = (struct nereus_stamp){arrival_s, nereus_skewed_monotonic_s(), true};
    return NEREUS_OK;
}
