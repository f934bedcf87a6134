/*
 * Worlds end (termination shrink, parallel-spawning 4.7): everybody lets go of every communicator that it has in common with
 * them, and they go to their own end; their nodes are free.
 *
 * The pool holds all connected processes, also those asleep, so zombies are roused for it (step_wake.c): who stays forms the
 * next pool with the zombies that sleep on, and the old one is disconnected by all. A zombie whose world ends goes with it.
 */
#include <stdlib.h>
#include <string.h>

#include "job.h"

enum { ROOT_TAG = 81, ZOMBIES_TAG = 82 };

/* ---- a root that leaves ------------------------------------------------------------------------------------- */

/* What only the root knows, besides its zombies. */
struct root_record {
    int64_t zombie_count, wanted;
    struct wish wish;
};

static enum nereus_status take_over_root(struct move *move, struct nereus_error *err)
{
    nereus_job *job = move->job;
    struct root_record record;
    NEREUS_MPI(MPI_Recv(&record, (int)sizeof record, MPI_BYTE, 0, ROOT_TAG, move->parents, MPI_STATUS_IGNORE),
               err);
    job->bell.wanted = record.wanted != 0;
    job->bell.wish = record.wish;
    job->zombies.count = 0;
    NEREUS_TRY(zombies_reserve(&job->zombies, record.zombie_count, err));
    job->zombies.count = record.zombie_count;
    NEREUS_MPI(MPI_Recv_c(job->zombies.addresses,
                          (MPI_Count)((size_t)record.zombie_count * sizeof *job->zombies.addresses), MPI_BYTE,
                          0, ZOMBIES_TAG, move->parents, MPI_STATUS_IGNORE),
               err);
    return NEREUS_OK;
}

enum nereus_status nereus_hand_over_root(struct move *move, struct nereus_error *err)
{
    nereus_job *job = move->job;
    const int root = (int)nereus_plan_old_rank(&move->plan, 0);
    if (root == 0 || (job->rank != 0 && job->rank != root))
        return NEREUS_OK;
    if (job->rank == root)
        return take_over_root(move, err);
    struct root_record record;
    memset(&record, 0, sizeof record);
    record.zombie_count = job->zombies.count;
    record.wanted = job->bell.wanted;
    record.wish = job->bell.wish;
    NEREUS_MPI(MPI_Send(&record, (int)sizeof record, MPI_BYTE, root, ROOT_TAG, move->parents), err);
    NEREUS_MPI(MPI_Send_c(job->zombies.addresses,
                          (MPI_Count)((size_t)record.zombie_count * sizeof *job->zombies.addresses), MPI_BYTE,
                          root, ZOMBIES_TAG, move->parents),
               err);
    return NEREUS_OK;
}

/* ---- parting -------------------------------------------------------------------------------------------------- */

static bool is_ended(const struct move *move, int64_t world)
{
    for (int64_t i = 0; i < move->ended_count; i++)
        if (move->ended[i] == world)
            return true;
    return false;
}

static bool ends(const struct move *move)
{
    return move->role == NEREUS_ROUSED
               ? is_ended(move, move->job->world)
               : move->role == NEREUS_LEAVING && nereus_plan_source_ends(&move->plan, move->source_rank);
}

/* The root: its zombies in the next pool; those whose worlds end are no longer its. ranks: room for two a zombie. */
static enum nereus_status renumber(struct zombies *zombies, MPI_Group old, MPI_Group next, int *ranks,
                                   struct nereus_error *err)
{
    int *const after = ranks + zombies->count;
    int64_t kept = 0;
    for (int64_t i = 0; i < zombies->count; i++)
        ranks[i] = (int)zombies->addresses[i].pool_rank;
    NEREUS_MPI(MPI_Group_translate_ranks(old, (int)zombies->count, ranks, next, after), err);
    for (int64_t i = 0; i < zombies->count; i++) {
        if (after[i] == MPI_UNDEFINED)
            continue;
        zombies->addresses[kept] = zombies->addresses[i];
        zombies->addresses[kept++].pool_rank = after[i];
    }
    zombies->count = kept;
    return NEREUS_OK;
}

static enum nereus_status renumber_zombies(struct move *move, MPI_Comm next_pool, struct nereus_error *err)
{
    struct zombies *zombies = &move->job->zombies;
    MPI_Group old, next;
    int *ranks = malloc((2 * (size_t)zombies->count + 1) * sizeof *ranks);
    if (ranks == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory to list %lld zombies",
                           (long long)zombies->count);
    NEREUS_MPI(MPI_Comm_group(move->job->pool, &old), err);
    NEREUS_MPI(MPI_Comm_group(next_pool, &next), err);
    const enum nereus_status status = renumber(zombies, old, next, ranks, err);
    MPI_Group_free(&old);
    MPI_Group_free(&next);
    free(ranks);
    return status;
}

/* All who are connected: the next pool, of who stays together, or of a world that ends. */
static enum nereus_status split_pool(struct move *move, struct nereus_error *err)
{
    nereus_job *job = move->job;
    const bool leaves = ends(move);
    MPI_Comm next_pool, old_pool = job->pool;
    int rank;
    NEREUS_MPI(MPI_Comm_rank(old_pool, &rank), err);
    NEREUS_MPI(MPI_Comm_split(old_pool, leaves ? (int)job->world + 1 : 0, rank, &next_pool), err);
    NEREUS_MPI(MPI_Comm_set_errhandler(next_pool, MPI_ERRORS_RETURN), err);
    if (move->role == NEREUS_STAYING && job->rank == 0)
        NEREUS_TRY(renumber_zombies(move, next_pool, err));
    if (move->role == NEREUS_LEAVING && !leaves)
        NEREUS_TRY(nereus_translate_rank(old_pool, move->caller, next_pool, &move->caller, err));
    if (move->threads != MPI_COMM_NULL) /* its threads are over */
        NEREUS_MPI(MPI_Comm_free(&move->threads), err);
    if (move->old_control == old_pool)
        move->old_control = MPI_COMM_NULL;
    if (move->old_control != MPI_COMM_NULL) {
        NEREUS_MPI(MPI_Barrier(move->old_control), err);
        NEREUS_MPI(MPI_Comm_disconnect(&move->old_control), err);
    }
    NEREUS_MPI(MPI_Barrier(old_pool), err); /* a disconnect does not wait for the others */
    NEREUS_MPI(MPI_Comm_disconnect(&old_pool), err);
    job->pool = next_pool;
    job->leaving = leaves;
    return NEREUS_OK;
}

/* Without zombies control is the pool. */
static enum nereus_status simplify_pool(struct move *move, struct nereus_error *err)
{
    nereus_job *job = move->job;
    int connected;
    if (move->role != NEREUS_STAYING)
        return NEREUS_OK;
    NEREUS_MPI(MPI_Comm_size(job->pool, &connected), err);
    if (connected > job->size)
        return NEREUS_OK;
    NEREUS_MPI(MPI_Comm_free(&job->pool), err);
    job->pool = job->control;
    return NEREUS_OK;
}

enum nereus_status nereus_run_terminate(struct move *move, const struct nereus_step *step, bool *taken)
{
    struct nereus_error *err = &move->error;
    (void)step;
    (void)taken;
    if (move->role != NEREUS_ROUSED)
        NEREUS_TRY(nereus_collect_stamps(move, err));
    if (move->roused)
        NEREUS_TRY(nereus_answer_roused(move, true, err));
    NEREUS_TRY(split_pool(move, err));
    return simplify_pool(move, err);
}

/* ---- zombies that are roused for it ----------------------------------------------------------------------------- */

enum nereus_status nereus_answer_roused(struct move *move, bool part, struct nereus_error *err)
{
    MPI_Request told;
    int answer = part;
    NEREUS_MPI(MPI_Ibcast(&answer, 1, MPI_INT, move->root_in_pool, move->job->pool, &told), err);
    move->roused = false;
    return nereus_wait(&told, false, err);
}

enum nereus_status nereus_zombie_parts(nereus_job *job, const int64_t *list, int64_t count,
                                       struct nereus_error *err)
{
    struct move move;
    MPI_Request told;
    int part = 0;
    memset(&move, 0, sizeof move);
    move.job = job;
    move.role = NEREUS_ROUSED;
    move.old_control = move.threads = MPI_COMM_NULL;
    move.ended = list + 1;
    move.ended_count = count - 1;
    NEREUS_MPI(MPI_Ibcast(&part, 1, MPI_INT, (int)list[0], job->pool, &told), err);
    NEREUS_TRY(nereus_wait(&told, true, err)); /* the others move data meanwhile */
    return part ? split_pool(&move, err) : NEREUS_OK;
}
