/**
 * @file step_terminate.c
 * Runs the step "terminate": worlds end (termination shrink, Martín-Álvarez et al. (2025),
 * section 4.7). All processes disconnect every communicator shared with these worlds, whose
 * processes then end; their nodes are free.
 *
 * The pool contains all connected processes, also zombies, which are therefore called for the
 * disconnect (step_wake.c): the staying processes form the next pool with the zombies that sleep
 * on, and all disconnect the old one. A zombie whose world ends leaves with it.
 */

#include "shrink_completion.h"
#include "src/mpi/large_counts.h"
#include "src/mpi/mpi_library.h"
#include "src/util/tags.h"
#include "src/util/translate_rank.h"
#include "steps.h"

/* ---- a root that leaves ---------------------------------------------------------------------- */

/* State of the root alone, besides the zombies' addresses. */
struct root_record {
    int64_t zombie_count, is_pending, iterations, has_policy;
    struct resize_request pending;
    struct policy_state policy;
    struct iteration_times iteration_times;
};

/* The record has no policy if the old root, which alone knows of it, has turned the policy off. */
static void take_over_policy(struct job_settings *settings, const struct root_record *record)
{
    settings->policy = record->policy;
    if (record->has_policy)
        return;
    free(settings->policy_path);
    settings->policy_path = NULL;
}

static enum nereus_status take_over_root(struct reconfiguration *reconfig, struct nereus_error *err)
{
    nereus_job *job = reconfig->job;
    static struct root_record record; /* static: see nereus_receive */
    NEREUS_TRY(nereus_receive(&record, sizeof record,
                              (struct nereus_sender){reconfig->comms.parents, 0, ROOT_TAG},
                              reconfig->wait_mode, err));
    job->is_pending = record.is_pending != 0;
    job->pending = record.pending;
    job->settings.iterations = record.iterations;
    job->settings.iteration_times = record.iteration_times;
    take_over_policy(&job->settings, &record);
    job->zombies.count = 0;
    NEREUS_TRY(nereus_zombies_reserve(&job->zombies, record.zombie_count, err));
    job->zombies.count = record.zombie_count;
    return nereus_receive(
        job->zombies.addresses, (size_t)record.zombie_count * sizeof *job->zombies.addresses,
        (struct nereus_sender){reconfig->comms.parents, 0, ZOMBIES_TAG}, reconfig->wait_mode, err);
}

enum nereus_status nereus_hand_over_root(struct reconfiguration *reconfig, struct nereus_error *err)
{
    nereus_job *job = reconfig->job;
    const int root = (int)nereus_plan_old_rank(&reconfig->plan, 0);
    if (root == 0 || (job->rank != 0 && job->rank != root))
        return NEREUS_OK;
    if (job->rank == root)
        return take_over_root(reconfig, err);
    struct root_record record;
    memset(&record, 0, sizeof record);
    record.zombie_count = job->zombies.count;
    record.is_pending = job->is_pending;
    record.pending = job->pending;
    record.iterations = job->settings.iterations;
    record.has_policy = job->settings.policy_path != NULL;
    record.policy = job->settings.policy;
    record.iteration_times = job->settings.iteration_times;
    NEREUS_MPI(
        MPI_Send(&record, (int)sizeof record, MPI_BYTE, root, ROOT_TAG, reconfig->comms.parents),
        err);
    NEREUS_MPI(MPI_Send_c(job->zombies.addresses,
                          (MPI_Count)((size_t)record.zombie_count * sizeof *job->zombies.addresses),
                          MPI_BYTE, root, ZOMBIES_TAG, reconfig->comms.parents),
               err);
    return NEREUS_OK;
}

/* ---- disconnect ------------------------------------------------------------------------------ */

static bool is_ended(const struct reconfiguration *reconfig, int64_t world)
{
    for (int64_t i = 0; i < reconfig->shrink.ended_count; i++)
        if (reconfig->shrink.ended_worlds[i] == world)
            return true;
    return false;
}

static bool is_in_ending_world(const struct reconfiguration *reconfig)
{
    return reconfig->role == NEREUS_RELEASING
               ? is_ended(reconfig, reconfig->job->world)
               : reconfig->role == NEREUS_LEAVING &&
                     nereus_plan_source_ends(&reconfig->plan, reconfig->source_rank);
}

/* Root: new pool ranks of its zombies, without those of ending worlds.
 * @param ranks  two entries per zombie */
static enum nereus_status compute_new_ranks(struct zombies *zombies, MPI_Group old, MPI_Group next,
                                            int *ranks, struct nereus_error *err)
{
    int *const after = ranks + zombies->count;
    int64_t kept_count = 0;
    for (int64_t i = 0; i < zombies->count; i++)
        ranks[i] = (int)zombies->addresses[i].pool_rank;
    NEREUS_MPI(MPI_Group_translate_ranks(old, (int)zombies->count, ranks, next, after), err);
    for (int64_t i = 0; i < zombies->count; i++) {
        if (after[i] == MPI_UNDEFINED)
            continue;
        zombies->addresses[kept_count] = zombies->addresses[i];
        zombies->addresses[kept_count++].pool_rank = after[i];
    }
    zombies->count = kept_count;
    return NEREUS_OK;
}

static enum nereus_status renumber_zombies(struct reconfiguration *reconfig, MPI_Comm next_pool,
                                           struct nereus_error *err)
{
    struct zombies *zombies = &reconfig->job->zombies;
    MPI_Group old, next;
    int *ranks = malloc((2 * (size_t)zombies->count + 1) * sizeof *ranks);
    NEREUS_TRY_MEMORY(ranks, err, "to list %lld zombies", (long long)zombies->count);
    NEREUS_MPI(MPI_Comm_group(reconfig->job->pool, &old), err);
    NEREUS_MPI(MPI_Comm_group(next_pool, &next), err);
    const enum nereus_status status = compute_new_ranks(zombies, old, next, ranks, err);
    MPI_Group_free(&old);
    MPI_Group_free(&next);
    free(ranks);
    return status;
}

/* All connected processes: split the pool into the staying processes and each ending world. */
static enum nereus_status split_pool(struct reconfiguration *reconfig, struct nereus_error *err)
{
    nereus_job *job = reconfig->job;
    const bool leaves = is_in_ending_world(reconfig);
    MPI_Comm next_pool, old_pool = job->pool;
    int rank;
    NEREUS_MPI(MPI_Comm_rank(old_pool, &rank), err);
    NEREUS_MPI(MPI_Comm_split(old_pool, leaves ? (int)job->world + 1 : 0, rank, &next_pool), err);
    NEREUS_MPI(MPI_Comm_set_errhandler(next_pool, MPI_ERRORS_RETURN), err);
    if (reconfig->role == NEREUS_STAYING && job->rank == 0)
        NEREUS_TRY(renumber_zombies(reconfig, next_pool, err));
    if (reconfig->role == NEREUS_LEAVING && !leaves)
        NEREUS_TRY(nereus_translate_rank(old_pool, reconfig->shrink.caller, next_pool,
                                         &reconfig->shrink.caller, err));
    if (reconfig->comms.overlapped != MPI_COMM_NULL) /* the overlapped parts have ended */
        NEREUS_MPI(MPI_Comm_free(&reconfig->comms.overlapped), err);
    if (reconfig->comms.old_control == old_pool)
        reconfig->comms.old_control = MPI_COMM_NULL;
    if (reconfig->comms.old_control != MPI_COMM_NULL) {
        NEREUS_MPI(MPI_Barrier(reconfig->comms.old_control), err);
        NEREUS_MPI(nereus_mpi()->end_merged(&reconfig->comms.old_control), err);
    }
    NEREUS_MPI(MPI_Barrier(old_pool), err); /* a disconnect does not wait for the others */
    NEREUS_MPI(nereus_mpi()->end_merged(&old_pool), err);
    job->pool = next_pool;
    job->leaving = leaves;
    return NEREUS_OK;
}

/* Without zombies the pool is control. */
static enum nereus_status simplify_pool(struct reconfiguration *reconfig, struct nereus_error *err)
{
    nereus_job *job = reconfig->job;
    int connected;
    if (reconfig->role != NEREUS_STAYING)
        return NEREUS_OK;
    NEREUS_MPI(MPI_Comm_size(job->pool, &connected), err);
    if (connected > job->size)
        return NEREUS_OK;
    NEREUS_MPI(MPI_Comm_free(&job->pool), err);
    job->pool = job->control;
    return NEREUS_OK;
}

/* Receive all stamps before their communicator is freed. */
static enum nereus_status collect_stamps(struct reconfiguration *reconfig, struct nereus_error *err)
{
    if (reconfig->role == NEREUS_RELEASING)
        return NEREUS_OK;
    if (reconfig->role == NEREUS_LEAVING)
        return nereus_completion_report(reconfig, err);
    NEREUS_TRY(nereus_completion_begin(reconfig, err));
    return nereus_completion_wait(reconfig->job->completion, reconfig->wait_mode, err);
}

enum nereus_status nereus_run_terminate(struct reconfiguration *reconfig)
{
    struct nereus_error *err = &reconfig->error;
    NEREUS_TRY(collect_stamps(reconfig, err));
    if (reconfig->shrink.zombies_called)
        NEREUS_TRY(nereus_answer_called_zombies(reconfig, true, err));
    NEREUS_TRY(split_pool(reconfig, err));
    return simplify_pool(reconfig, err);
}

/* ---- zombies that wake only to release communicators ---------------------------------------- */

enum nereus_status nereus_answer_called_zombies(struct reconfiguration *reconfig, bool part,
                                                struct nereus_error *err)
{
    int answer = part;
    reconfig->shrink.zombies_called = false;
    return nereus_broadcast(&answer, sizeof answer, reconfig->shrink.root_in_pool,
                            reconfig->job->pool, nereus_reconfig_waiting(reconfig, false), err);
}

enum nereus_status nereus_zombie_disconnect(nereus_job *job, const int64_t *list, int64_t count,
                                            struct nereus_error *err)
{
    struct reconfiguration reconfig;
    int part = 0;
    nereus_reconfig_init(&reconfig, job);
    reconfig.role = NEREUS_RELEASING;
    reconfig.shrink.ended_worlds = list + 1;
    reconfig.shrink.ended_count = count - 1;
    /* Wait asleep, because the others move data meanwhile. */
    NEREUS_TRY(
        nereus_broadcast(&part, sizeof part, (int)list[0], job->pool, NEREUS_WAIT_ASLEEP, err));
    return part ? split_pool(&reconfig, err) : NEREUS_OK;
}
