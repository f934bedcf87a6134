/* The steps that move data: memory for it, and the redistribution. */
#include <stdlib.h>

#include "custom.h"
#include "exchange.h"
#include "fault.h"
#include "job.h"

/* A plan has one redistribution, or two: of constant data, and of the rest. */
enum { TRANSFERS_MAX = 2 };

struct data_move {
    struct exchange exchange;
    struct transfer *transfers[TRANSFERS_MAX]; /* by redistribution of the plan */
};

void nereus_data_move_free(struct move *move)
{
    struct data_move *data = move->data;
    move->data = NULL;
    if (data == NULL)
        return;
    for (int i = 0; i < TRANSFERS_MAX; i++)
        nereus_exchange_release(&data->transfers[i]);
    rank_map_fini(&data->exchange.parties.target_ranks);
    free(data);
}

bool nereus_data_holds_windows(const struct move *move)
{
    int64_t windows = 0;
    for (int i = 0; move->data != NULL && i < TRANSFERS_MAX; i++)
        windows += move->data->transfers[i] != NULL ? move->data->transfers[i]->windows : 0;
    return windows > 0;
}

/* Sources are the first ranks. Targets are so too, but for the ranks of those who leave; where the sources all leave and
 * stay in the same communicator until then, the targets come behind them. */
static enum nereus_status map_targets(const struct nereus_plan *plan, struct rank_map *map,
                                      struct nereus_error *err)
{
    if (plan->intra)
        return rank_map_from(plan->ns, map, err);
    return rank_map_without(plan->leavers, plan->leaver_count, map, err);
}

static enum nereus_status describe_exchange(const struct move *move, struct exchange *exchange,
                                            struct nereus_error *err)
{
    const struct nereus_plan *plan = &move->plan;
    *exchange = (struct exchange){
        .comm = plan->inter ? move->inter : move->wide,
        .inter = plan->inter,
        .parties = {plan->ns, plan->nt, .source = move->source_rank, .target = move->target_rank},
        .first_new = plan->inter ? 0 : plan->nt - plan->woken - plan->spawned};
    return map_targets(plan, &exchange->parties.target_ranks, err);
}

static enum nereus_data method_of(const struct nereus_plan *plan)
{
    return plan->method.has_data ? plan->method.data : NEREUS_COLL;
}

/* How many redistributions come before this step? */
static int transfer_of(const struct nereus_plan *plan, const struct nereus_step *step)
{
    int before = 0;
    for (const struct nereus_step *s = plan->steps; s < step; s++)
        before += s->kind == NEREUS_STEP_REDISTRIBUTE;
    return before;
}

static enum data_selection selection_of(const struct nereus_plan *plan, const struct nereus_step *step)
{
    if (!nereus_plan_overlaps(plan))
        return DATA_ALL;
    return transfer_of(plan, step) == 0 ? DATA_CONSTANT : DATA_VARIABLE;
}

/* Everything that the plan's redistributions need. */
static enum nereus_status reserve(struct move *move, struct data_move *data, struct nereus_error *err)
{
    const struct nereus_plan *plan = &move->plan;
    NEREUS_TRY(describe_exchange(move, &data->exchange, err));
    for (int i = 0; i < plan->step_count; i++) {
        const struct nereus_step *step = &plan->steps[i];
        if (step->kind != NEREUS_STEP_REDISTRIBUTE)
            continue;
        data->exchange.blocks = step->thread == NEREUS_MAIN_THREAD && !nereus_is_watched(move);
        NEREUS_TRY(nereus_exchange_reserve(&data->exchange, method_of(plan), &move->job->registry,
                                           selection_of(plan, step),
                                           &data->transfers[transfer_of(plan, step)], err));
    }
    return NEREUS_OK;
}

/* New parts first: a transfer points to them. */
static enum nereus_status allocate(struct move *move, struct nereus_error *err)
{
    const bool lacks = move->role == NEREUS_WOKEN || move->role == NEREUS_SPAWNED;
    if (move->target_rank >= 0)
        NEREUS_TRY(
            nereus_registry_prepare(&move->job->registry, move->plan.nt, move->target_rank, lacks, err));
    move->data = calloc(1, sizeof *move->data);
    if (move->data == NULL || nereus_fault(NEREUS_FAULT_RESERVE, nereus_rank_of_move(move)))
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a redistribution");
    return reserve(move, move->data, err);
}

enum nereus_status nereus_run_allocate(struct move *move, const struct nereus_step *step, bool *taken)
{
    (void)step;
    (void)taken;
    if (nereus_fault(NEREUS_STEP_ALLOCATE, nereus_rank_of_move(move))) {
        nereus_fault_report(NEREUS_STEP_ALLOCATE, &move->failure);
        return NEREUS_OK;
    }
    if (move->failure.status != NEREUS_OK)
        return NEREUS_OK; /* it will be called off anyway */
    allocate(move, &move->failure);
    return NEREUS_OK; /* the failure, if any, is agreed on next */
}

/* What will be called off asks nothing of the application any more, which may have ended. */
enum nereus_status nereus_transfer_begin(struct move *move, const struct nereus_step *step)
{
    NEREUS_TRY(nereus_await_new(move));
    if (move->failure.status == NEREUS_OK)
        nereus_custom_pack(&move->job->registry, move->source_rank, selection_of(&move->plan, step));
    NEREUS_TRY(nereus_exchange_start(nereus_transfer_of_step(move, step), &move->error));
    nereus_fault_die(NEREUS_FAULT_MOVING, nereus_rank_of_move(move));
    return NEREUS_OK;
}

enum nereus_status nereus_run_redistribute(struct move *move, const struct nereus_step *step, bool *taken)
{
    struct transfer **transfer = &move->data->transfers[transfer_of(&move->plan, step)];
    (void)taken;
    if (step->thread == NEREUS_AT_POINTS) {
        NEREUS_TRY(nereus_run_at_points(move, step));
    } else {
        NEREUS_TRY(nereus_transfer_begin(move, step));
        NEREUS_TRY(nereus_exchange_finish(*transfer, move->naps, &move->error));
    }
    nereus_exchange_release(transfer);
    return NEREUS_OK;
}

void nereus_transfer_end(struct move *move, const struct nereus_step *step)
{
    nereus_exchange_release(&move->data->transfers[transfer_of(&move->plan, step)]);
}

struct transfer *nereus_transfer_of_step(const struct move *move, const struct nereus_step *step)
{
    return move->data->transfers[transfer_of(&move->plan, step)];
}
