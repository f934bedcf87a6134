/*
 * One function per step kind: what this process does in it. A failure that can be taken back goes into
 * move->failure and is agreed on by the next agreement; a return value other than NEREUS_OK ends the plan.
 */
#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "job.h"

static enum nereus_status run_merge(struct move *move, const struct nereus_step *step, bool *taken)
{
    struct nereus_error *err = &move->error;
    (void)step;
    (void)taken;
    const bool watched = nereus_is_watched(move);
    if (!watched)
        NEREUS_TRY(nereus_meet(move->inter, move->naps, err));
    if (watched) /* a merge cannot be left: who is lost is lost before */
        NEREUS_TRY(nereus_get_acquainted(move->inter, move->role == NEREUS_SPAWNED, err));
    else
        NEREUS_TRY(nereus_first_words(move->inter, move->role != NEREUS_SPAWNED, err));
    NEREUS_TRY(nereus_await_new(move));
    nereus_fault_die(NEREUS_FAULT_MERGING, nereus_rank_of_move(move));
    NEREUS_MPI(MPI_Intercomm_merge(move->inter, move->role == NEREUS_SPAWNED, &move->wide), err);
    if (!move->plan.intra) {
        NEREUS_TRY(nereus_move_set_next(move, move->wide, err));
        /* A duplicate that is never completed would make all later ones of this process wait. */
        return watched ? nereus_move_complete_next(move, err) : NEREUS_OK;
    }
    NEREUS_MPI(MPI_Comm_set_errhandler(move->wide, MPI_ERRORS_RETURN), err);
    return NEREUS_OK;
}

static enum nereus_status run_split(struct move *move, const struct nereus_step *step, bool *taken)
{
    struct nereus_error *err = &move->error;
    const int color = move->role == NEREUS_STAYING ? 0 : MPI_UNDEFINED;
    (void)step;
    (void)taken;
    NEREUS_TRY(nereus_hand_over_root(move, err));
    NEREUS_TRY(nereus_meet(move->parents, move->naps, err));
    NEREUS_MPI(MPI_Comm_split(move->parents, color, move->source_rank, &move->next), err);
    return move->next == MPI_COMM_NULL ? NEREUS_OK : nereus_move_set_next(move, move->next, err);
}

/* Memory of the root for what it is about to gather. */
static enum nereus_status make_room(struct move *move, struct nereus_error *err)
{
    nereus_job *job = move->job;
    move->addresses = malloc((size_t)move->plan.ns * sizeof *move->addresses);
    if (move->addresses == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for the addresses of %lld processes",
                           (long long)move->plan.ns);
    return zombies_reserve(&job->zombies, move->plan.leaving, err);
}

/* Where this process will sleep. */
static enum nereus_status open_bed(struct move *move, struct zombie_address *mine)
{
    nereus_job *job = move->job;
    int pool_rank;
    NEREUS_MPI(MPI_Comm_rank(job->pool, &pool_rank), &move->error);
    NEREUS_TRY(nereus_translate_rank(job->control, (int)nereus_plan_old_rank(&move->plan, 0), job->pool,
                                     &move->caller, &move->error));
    zombie_bed_open(pool_rank, &move->bed, &move->failure);
    *mine = move->bed.address;
    mine->world = job->world;
    return NEREUS_OK;
}

/* Who goes to sleep opens the socket that it will sleep at; the root of who stays learns all addresses. */
static enum nereus_status run_gather(struct move *move, const struct nereus_step *step, bool *taken)
{
    struct nereus_error *err = &move->error;
    const int root = (int)nereus_plan_old_rank(&move->plan, 0);
    struct zombie_address mine = {.pool_rank = -1};
    int can = 1;
    (void)step;
    (void)taken;
    if (move->role == NEREUS_LEAVING && !nereus_plan_source_ends(&move->plan, move->source_rank))
        NEREUS_TRY(open_bed(move, &mine));
    if (move->source_rank == root)
        can = make_room(move, &move->failure) == NEREUS_OK;
    NEREUS_TRY(nereus_meet(move->parents, move->naps, err));
    /* Without memory at the root there is nowhere to gather to: it says so before the others send. */
    NEREUS_MPI(MPI_Bcast(&can, 1, MPI_INT, root, move->parents), err);
    if (can)
        NEREUS_MPI(MPI_Gather(&mine, (int)sizeof mine, MPI_BYTE, move->addresses, (int)sizeof mine, MPI_BYTE,
                              root, move->parents),
                   err);
    return NEREUS_OK;
}

/* Where new processes may be lost the two sides agree each on its own, and only their roots speak to each other, as over an
 * inter-communicator. */
static enum nereus_status agree(struct move *move)
{
    struct nereus_error *err = &move->error;
    const bool is_new = move->role == NEREUS_SPAWNED, watched = nereus_is_watched(move);
    if (!move->plan.inter && !watched)
        return nereus_agree_intra(move->wide, &move->failure, move->plan.hash, &move->verdict, err);
    const MPI_Comm olds = watched ? move->lookout.among : move->parents;
    return nereus_agree_inter(is_new ? move->own : olds, move->inter, !is_new, &move->failure,
                              move->plan.hash, &move->verdict, err);
}

static enum nereus_status run_agree(struct move *move, const struct nereus_step *step, bool *taken)
{
    struct nereus_error *err = &move->error;
    (void)taken;
    if (step[1].kind == NEREUS_STEP_COMMIT) /* a plan never ends with an agreement */
        NEREUS_TRY(nereus_move_complete_next(move, err));
    if (!nereus_is_watched(move))
        NEREUS_TRY(nereus_meet(move->plan.inter ? move->inter : move->wide, move->naps, err));
    NEREUS_TRY(nereus_await_new(move));
    nereus_fault_die(NEREUS_FAULT_STATEMENT, nereus_rank_of_move(move));
    if (nereus_fault(NEREUS_STEP_AGREE, nereus_rank_of_move(move)))
        nereus_fault_report(NEREUS_STEP_AGREE, &move->failure);
    NEREUS_TRY(agree(move));
    return move->verdict.status;
}

const struct step_operations nereus_step_table[NEREUS_STEP_KIND_COUNT] = {
    [NEREUS_STEP_WAKE] = {.run = nereus_run_wake},
    [NEREUS_STEP_SPAWN] = {.run = nereus_run_spawn},
    [NEREUS_STEP_LAUNCH] = {.run = nereus_run_launch},
    [NEREUS_STEP_SYNCHRONISE] = {.run = nereus_run_synchronise},
    [NEREUS_STEP_CONNECT] = {.run = nereus_run_connect},
    [NEREUS_STEP_JOIN] = {.run = nereus_run_join},
    [NEREUS_STEP_REORDER] = {.run = nereus_run_reorder},
    [NEREUS_STEP_MERGE] = {.run = run_merge},
    [NEREUS_STEP_SPLIT] = {.run = run_split},
    [NEREUS_STEP_GATHER] = {.run = run_gather},
    [NEREUS_STEP_ALLOCATE] = {.run = nereus_run_allocate},
    [NEREUS_STEP_REDISTRIBUTE] = {.run = nereus_run_redistribute},
    [NEREUS_STEP_AGREE] = {.run = run_agree},
    [NEREUS_STEP_COMMIT] = {.run = nereus_run_commit},
    [NEREUS_STEP_SLEEP] = {.run = nereus_run_sleep},
    [NEREUS_STEP_TERMINATE] = {.run = nereus_run_terminate},
    [NEREUS_STEP_DISCONNECT] = {.run = nereus_run_disconnect},
};
