/**
 * @file transfer.c
 * Selects the steps that redistribute, the processes that take part, and the data that each step
 * moves.
 */

#include "transfer.h"

#include "src/move/custom.h"
#include "src/util/fault.h"

/* A plan has one redistribution, or two: of constant data, and of the rest. */
enum { TRANSFERS_MAX = 2 };

struct data_move {
    struct exchange exchange;
    struct transfer *transfers[TRANSFERS_MAX]; /* one per redistribution of the plan */
};

void nereus_transfers_free(struct reconfiguration *reconfig)
{
    struct data_move *data = reconfig->data;
    reconfig->data = NULL;
    if (data == NULL)
        return;
    for (int i = 0; i < TRANSFERS_MAX; i++)
        nereus_exchange_release(&data->transfers[i]);
    nereus_rank_map_fini(&data->exchange.parties.target_ranks);
    free(data);
}

bool nereus_transfers_hold_windows(const struct reconfiguration *reconfig)
{
    int64_t windows = 0;
    for (int i = 0; reconfig->data != NULL && i < TRANSFERS_MAX; i++)
        windows += reconfig->data->transfers[i] != NULL ? reconfig->data->transfers[i]->windows : 0;
    return windows > 0;
}

const struct exchange *nereus_transfers_exchange(const struct reconfiguration *reconfig)
{
    return &reconfig->data->exchange;
}

/* Map targets to ranks. Sources are the first ranks; so are targets, without the ranks of leaving
 * processes; if all sources leave and stay in the same communicator until then, the targets follow
 * them. */
static enum nereus_status map_targets(const struct nereus_plan *plan, struct rank_map *map,
                                      struct nereus_error *err)
{
    if (plan->intra)
        return nereus_rank_map_from(plan->ns, map, err);
    return nereus_rank_map_without(plan->leavers, plan->leaver_count, map, err);
}

static enum nereus_status describe_exchange(const struct reconfiguration *reconfig,
                                            struct exchange *exchange, struct nereus_error *err)
{
    const struct nereus_plan *plan = &reconfig->plan;
    *exchange =
        (struct exchange){.comm = plan->inter ? reconfig->comms.inter : reconfig->comms.merged,
                          .inter = plan->inter,
                          .parties = {plan->ns, plan->nt, .source = reconfig->source_rank,
                                      .target = reconfig->target_rank},
                          .first_new = plan->inter ? 0 : plan->nt - plan->woken - plan->spawned};
    return map_targets(plan, &exchange->parties.target_ranks, err);
}

/* Number of redistributions before this step. */
static int find_transfer_index(const struct nereus_plan *plan, const struct nereus_step *step)
{
    int before = 0;
    for (const struct nereus_step *s = plan->steps; s < step; s++)
        before += s->kind == NEREUS_STEP_REDISTRIBUTE;
    return before;
}

static enum data_selection select_data(const struct nereus_plan *plan,
                                       const struct nereus_step *step)
{
    if (!nereus_plan_overlaps(plan))
        return DATA_ALL;
    return find_transfer_index(plan, step) == 0 ? DATA_CONSTANT : DATA_VARIABLE;
}

static enum nereus_status reserve_step(struct reconfiguration *reconfig,
                                       const struct nereus_step *step, struct nereus_error *err)
{
    const struct nereus_plan *plan = &reconfig->plan;
    const enum data_selection selection = select_data(plan, step);
    struct data_move *data = reconfig->data;
    data->exchange.blocks = step->thread == NEREUS_MAIN_THREAD && !nereus_is_watched(reconfig);
    NEREUS_TRY(
        nereus_custom_reserve(&reconfig->job->registry, reconfig->source_rank, selection, err));
    return nereus_exchange_reserve(&data->exchange, nereus_method_data(&plan->method),
                                   &reconfig->job->registry, selection,
                                   &data->transfers[find_transfer_index(plan, step)], err);
}

static enum nereus_status reserve_transfers(struct reconfiguration *reconfig,
                                            struct nereus_error *err)
{
    const struct nereus_plan *plan = &reconfig->plan;
    NEREUS_TRY(describe_exchange(reconfig, &reconfig->data->exchange, err));
    for (int i = 0; i < plan->step_count; i++)
        if (plan->steps[i].kind == NEREUS_STEP_REDISTRIBUTE)
            NEREUS_TRY(reserve_step(reconfig, &plan->steps[i], err));
    return NEREUS_OK;
}

enum nereus_status nereus_transfers_reserve(struct reconfiguration *reconfig,
                                            struct nereus_error *err)
{
    reconfig->data = calloc(1, sizeof *reconfig->data);
    if (reconfig->data == NULL ||
        nereus_fault_applies(NEREUS_FAULT_RESERVE, nereus_reconfig_rank(reconfig)))
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a redistribution");
    return reserve_transfers(reconfig, err);
}

bool nereus_must_query_size_again(const struct nereus_plan *plan,
                                  const struct nereus_data_entry *entry)
{
    return entry->shape == NEREUS_CUSTOM &&
           (entry->kind == NEREUS_VARIABLE || !nereus_plan_overlaps(plan));
}

bool nereus_must_query_any_size_again(const struct reconfiguration *reconfig)
{
    for (int64_t i = 0; i < reconfig->record.data_count; i++)
        if (nereus_must_query_size_again(&reconfig->plan, &reconfig->record.data[i]))
            return true;
    return false;
}

/* Read the record, not the registry, so that all processes agree. */
bool nereus_transfer_is_deferred(const struct reconfiguration *reconfig,
                                 const struct nereus_step *step)
{
    const struct nereus_request *record = &reconfig->record;
    if (select_data(&reconfig->plan, step) != DATA_VARIABLE)
        return false;
    for (int64_t i = 0; i < record->data_count; i++)
        if (record->data[i].placement == NEREUS_MOVED_BY_APPLICATION ||
            nereus_must_query_size_again(&reconfig->plan, &record->data[i]))
            return true;
    return false;
}

enum nereus_status nereus_transfer_renew(struct reconfiguration *reconfig,
                                         const struct nereus_step *step, struct nereus_error *err)
{
    nereus_transfer_end(reconfig, step);
    NEREUS_TRY(nereus_custom_prepare(&reconfig->job->registry, reconfig->plan.nt,
                                     reconfig->target_rank, DATA_VARIABLE, err));
    return reserve_step(reconfig, step, err);
}

/* After a failure no function of the application is called, as it may have ended. */
enum nereus_status nereus_transfer_begin(struct reconfiguration *reconfig,
                                         const struct nereus_step *step)
{
    if (select_data(&reconfig->plan, step) == DATA_CONSTANT)
        nereus_constant_checksums_store(reconfig);
    NEREUS_TRY(nereus_wait_for_new_processes(reconfig));
    if (reconfig->failure.status == NEREUS_OK) /* agreed on after the redistribution */
        nereus_custom_pack(&reconfig->job->registry, reconfig->source_rank,
                           select_data(&reconfig->plan, step), &reconfig->failure);
    NEREUS_TRY(nereus_exchange_start(nereus_transfer_of_step(reconfig, step), reconfig->wait_mode,
                                     &reconfig->error));
    nereus_fault_die(NEREUS_FAULT_MOVING, nereus_reconfig_rank(reconfig));
    return NEREUS_OK;
}

void nereus_transfer_end(struct reconfiguration *reconfig, const struct nereus_step *step)
{
    nereus_exchange_release(&reconfig->data->transfers[find_transfer_index(&reconfig->plan, step)]);
}

struct transfer *nereus_transfer_of_step(const struct reconfiguration *reconfig,
                                         const struct nereus_step *step)
{
    return reconfig->data->transfers[find_transfer_index(&reconfig->plan, step)];
}
