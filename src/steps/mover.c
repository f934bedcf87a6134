/**
 * @file mover.c
 * Calls the application's functions, which follow the rules of the transaction: allocate, which may
 * fail; move, keeping the old part; commit.
 */

#include "src/move/rank_map.h"
#include "src/util/callback.h"
#include "transfer.h"

static struct nereus_regroup describe_regroup(const struct reconfiguration *reconfig)
{
    return (struct nereus_regroup){.ns = (int)reconfig->plan.ns,
                                   .nt = (int)reconfig->plan.nt,
                                   .source = reconfig->source_rank,
                                   .target = reconfig->target_rank,
                                   .comm = MPI_COMM_NULL,
                                   .inter = reconfig->plan.inter};
}

static enum nereus_status fail_mover(struct reconfiguration *reconfig, enum nereus_status status,
                                     const char *what, struct nereus_error *err)
{
    return nereus_fail(
        err, status, "the application could not %s its own data (options.mover) in %s %d", what,
        reconfig->source_rank >= 0 ? "source" : "target", nereus_reconfig_rank(reconfig));
}

enum nereus_status nereus_mover_prepare(struct reconfiguration *reconfig, struct nereus_error *err)
{
    const struct nereus_mover *mover = &reconfig->job->callbacks.mover;
    if (!nereus_registry_has_mover(&reconfig->job->registry))
        return NEREUS_OK;
    if (mover->move == NULL)
        return nereus_fail(
            err, NEREUS_ERR_MISMATCH,
            "the application moves data itself, and a new process has no options.mover "
            "for it");
    const struct nereus_regroup regroup = describe_regroup(reconfig);
    reconfig->mover_prepared = true;
    nereus_callback_enter("options.mover");
    const enum nereus_status status = mover->prepare(mover->user, &regroup);
    nereus_callback_leave();
    return status == NEREUS_OK ? NEREUS_OK : fail_mover(reconfig, status, "make room for", err);
}

/* A separate communicator: the library's may have pending messages. */
static enum nereus_status open_group(const struct reconfiguration *reconfig, int *ranks,
                                     struct nereus_regroup *regroup, struct nereus_error *err)
{
    const struct exchange *exchange = nereus_transfers_exchange(reconfig);
    *regroup = describe_regroup(reconfig);
    for (int j = 0; j < regroup->nt; j++)
        ranks[j] = (int)nereus_rank_map_rank(&exchange->parties.target_ranks, j);
    regroup->target_ranks = ranks;
    NEREUS_MPI(MPI_Comm_dup(exchange->comm, &regroup->comm), err);
    NEREUS_MPI(MPI_Comm_set_errhandler(regroup->comm, MPI_ERRORS_RETURN), err);
    return NEREUS_OK;
}

static bool is_last_redistribution(const struct reconfiguration *reconfig)
{
    const struct nereus_step *end = reconfig->plan.steps + reconfig->plan.step_count;
    for (const struct nereus_step *s = reconfig->step + 1; s < end; s++)
        if (s->kind == NEREUS_STEP_REDISTRIBUTE)
            return false;
    return true;
}

enum nereus_status nereus_mover_move(struct reconfiguration *reconfig)
{
    const struct nereus_mover *mover = &reconfig->job->callbacks.mover;
    struct nereus_regroup regroup;
    if (!reconfig->mover_prepared || !is_last_redistribution(reconfig))
        return NEREUS_OK;
    int *ranks = malloc((size_t)reconfig->plan.nt * sizeof *ranks);
    if (ranks == NULL)
        return nereus_fail(&reconfig->error, NEREUS_ERR_MEMORY, "no memory for the targets' ranks");
    enum nereus_status status = open_group(reconfig, ranks, &regroup, &reconfig->error);
    if (status == NEREUS_OK) {
        nereus_callback_enter("options.mover");
        const enum nereus_status moved = mover->move(mover->user, &regroup);
        nereus_callback_leave();
        if (moved != NEREUS_OK && reconfig->failure.status == NEREUS_OK)
            fail_mover(reconfig, moved, "move", &reconfig->failure);
        MPI_Comm_free(&regroup.comm);
    }
    free(ranks);
    return status;
}

void nereus_mover_end(struct reconfiguration *reconfig, bool committed)
{
    const struct nereus_mover *mover = &reconfig->job->callbacks.mover;
    const struct nereus_regroup regroup = describe_regroup(reconfig);
    if (reconfig->mover_prepared) {
        nereus_callback_enter("options.mover");
        mover->end(mover->user, &regroup, committed);
        nereus_callback_leave();
    }
    reconfig->mover_prepared = false;
}
