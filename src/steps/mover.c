/* The application's functions follow the rules of the transaction: allocate, which may fail; move,
 * keeping the old part; commit. */
#include "mover.h"

#include <stdlib.h>

#include "src/move/rank_map.h"
#include "src/util/callback.h"
#include "src/util/error.h"
#include "transfer.h"

static struct nereus_regroup describe_regroup(const struct reconfiguration *rc)
{
    return (struct nereus_regroup){.ns = (int)rc->plan.ns,
                                   .nt = (int)rc->plan.nt,
                                   .source = rc->source_rank,
                                   .target = rc->target_rank,
                                   .comm = MPI_COMM_NULL,
                                   .inter = rc->plan.inter};
}

static enum nereus_status fail_mover(struct reconfiguration *rc, enum nereus_status status,
                                     const char *what, struct nereus_error *err)
{
    return nereus_fail(err, status,
                       "the application could not %s its own data (options.mover) in %s %d", what,
                       rc->source_rank >= 0 ? "source" : "target", nereus_rc_rank(rc));
}

enum nereus_status nereus_mover_prepare(struct reconfiguration *rc, struct nereus_error *err)
{
    const struct nereus_mover *mover = &rc->job->callbacks.mover;
    if (!nereus_registry_has_mover(&rc->job->registry))
        return NEREUS_OK;
    if (mover->move == NULL)
        return nereus_fail(
            err, NEREUS_ERR_MISMATCH,
            "the application moves data itself, and a new process has no options.mover "
            "for it");
    const struct nereus_regroup regroup = describe_regroup(rc);
    rc->mover_prepared = true;
    nereus_callback_begins("options.mover");
    const enum nereus_status status = mover->prepare(mover->user, &regroup);
    nereus_callback_ends();
    return status == NEREUS_OK ? NEREUS_OK : fail_mover(rc, status, "make room for", err);
}

/* A separate communicator: the library's may have pending messages. */
static enum nereus_status open_group(const struct reconfiguration *rc, int *ranks,
                                     struct nereus_regroup *regroup, struct nereus_error *err)
{
    const struct exchange *exchange = nereus_transfers_exchange(rc);
    *regroup = describe_regroup(rc);
    for (int j = 0; j < regroup->nt; j++)
        ranks[j] = (int)rank_map_rank(&exchange->parties.target_ranks, j);
    regroup->target_ranks = ranks;
    NEREUS_MPI(MPI_Comm_dup(exchange->comm, &regroup->comm), err);
    NEREUS_MPI(MPI_Comm_set_errhandler(regroup->comm, MPI_ERRORS_RETURN), err);
    return NEREUS_OK;
}

static bool is_last_redistribution(const struct reconfiguration *rc)
{
    const struct nereus_step *end = rc->plan.steps + rc->plan.step_count;
    for (const struct nereus_step *s = rc->step + 1; s < end; s++)
        if (s->kind == NEREUS_STEP_REDISTRIBUTE)
            return false;
    return true;
}

enum nereus_status nereus_mover_move(struct reconfiguration *rc)
{
    const struct nereus_mover *mover = &rc->job->callbacks.mover;
    struct nereus_regroup regroup;
    if (!rc->mover_prepared || !is_last_redistribution(rc))
        return NEREUS_OK;
    int *ranks = malloc((size_t)rc->plan.nt * sizeof *ranks);
    if (ranks == NULL)
        return nereus_fail(&rc->error, NEREUS_ERR_MEMORY, "no memory for the targets' ranks");
    enum nereus_status status = open_group(rc, ranks, &regroup, &rc->error);
    if (status == NEREUS_OK) {
        nereus_callback_begins("options.mover");
        const enum nereus_status moved = mover->move(mover->user, &regroup);
        nereus_callback_ends();
        if (moved != NEREUS_OK && rc->failure.status == NEREUS_OK)
            fail_mover(rc, moved, "move", &rc->failure);
        MPI_Comm_free(&regroup.comm);
    }
    free(ranks);
    return status;
}

void nereus_mover_end(struct reconfiguration *rc, bool committed)
{
    const struct nereus_mover *mover = &rc->job->callbacks.mover;
    const struct nereus_regroup regroup = describe_regroup(rc);
    if (rc->mover_prepared) {
        nereus_callback_begins("options.mover");
        mover->end(mover->user, &regroup, committed);
        nereus_callback_ends();
    }
    rc->mover_prepared = false;
}
