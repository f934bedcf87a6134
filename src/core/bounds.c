/**
 * @file bounds.c
 * Computes the bounds of each partition before a plan begins. Blocks need no communication. For the
 * distribution weighted the sources reduce weights and powers; for keep (minimal moves) the root
 * searches and broadcasts; the bounds of non-zeros or packed bytes are derived from the number that
 * each process has between the bounds. All arithmetic is on integers, so that the result is the
 * same in every process.
 */
#include "bounds.h"

#include "model/partition/keep.h"
#include "src/mpi/large_counts.h"
#include "src/steps/transfer.h"
#include "src/util/agree.h"

bool nereus_bounds_are_needed(const struct nereus_request *request)
{
    const bool blocks = !request->method.has_data || request->method.distribution == NEREUS_BLOCK;
    for (int64_t i = 0; i < request->partition_count; i++)
        if (!blocks || request->partitions[i].parent != 0)
            return true;
    return false;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void free_work(struct bounds_work *work)
{
    free(work->sources);
    free(work->numbers);
    free(work->rows);
    free(work->weights);
    free(work->powers);
}

static int64_t find_most_elements(const struct nereus_request *request, int rank)
{
    int64_t most = 0;
    for (int64_t i = 0; i < request->partition_count; i++) {
        const int64_t count =
            nereus_partition_range(&request->partitions[i].old_ranges, rank).count;
        most = count > most ? count : most;
    }
    return most;
}

static enum nereus_status reserve_bounds(struct bounds_work *work, struct nereus_error *err)
{
    const struct nereus_request *request = work->request;
    const size_t partitions = (size_t)request->partition_count, ns = (size_t)request->ns,
                 nt = (size_t)request->nt;
    const bool root = work->job->rank == 0;
    const bool weighs = request->method.distribution == NEREUS_WEIGHTED;
    work->numbers =
        malloc((partitions * (ns + 2 * nt + 3) + ns + 2 * nt + 2) * sizeof *work->numbers);
    work->sources = malloc((root ? nt : 1) * sizeof *work->sources);
    work->powers = calloc((root ? nt : 0) + 1, sizeof *work->powers);
    work->rows = malloc((1 + partitions) * ((root ? ns : 0) + 2) * sizeof *work->rows);
    work->weights =
        malloc(((weighs ? (size_t)find_most_elements(request, work->job->rank) : 0) + 1) *
               sizeof *work->weights);
    NEREUS_TRY_MEMORY(work->numbers && work->sources && work->powers && work->rows && work->weights,
                      err, "for the bounds of %zu partitions", partitions);
    return NEREUS_OK;
}

static void map_sources(const struct bounds_work *work)
{
    for (int64_t rank = 0; rank < work->request->nt; rank++)
        work->sources[rank] = -1;
    for (int64_t rank = 0; rank < work->request->ns; rank++) {
        const bool stays = nereus_plan_source_role(work->plan, rank) == NEREUS_STAYING;
        if (stays)
            work->sources[nereus_plan_new_rank(work->plan, rank)] = rank;
    }
}

/* ---- keep ------------------------------------------------------------------------------------ */

/* Root: search minimal moves; the result is stored as bounds followed by the order. */
static enum nereus_status search_minimal_moves(const struct bounds_work *work,
                                               struct nereus_error *failure)
{
    const struct nereus_request *request = work->request;
    int64_t *numbers = work->numbers;
    for (int64_t i = 0; i < request->partition_count; i++) {
        const struct nereus_partition *old_partition = &request->partitions[i].old_ranges;
        struct nereus_partition new_partition;
        struct nereus_keep_targets targets = {request->nt, work->sources, 0, 0, 0};
        if (request->partitions[i].parent != 0)
            continue;
        nereus_keep_find_limits(old_partition->n, request->nt, work->job->settings.imbalance,
                                &targets.min, &targets.max);
        NEREUS_TRY(
            nereus_partition_is_grid(old_partition)
                ? nereus_keep_grid(old_partition, &request->partitions[i].new_ranges.grid, &targets,
                                   &new_partition, failure)
                : nereus_keep_partition(old_partition, &targets, &new_partition, NULL, failure));
        for (int64_t place = 0; place < request->nt; place++) {
            numbers[place] = nereus_partition_get_range(&new_partition, place).first;
            numbers[request->nt + 1 + place] = nereus_partition_range_rank(&new_partition, place);
        }
        numbers[request->nt] = old_partition->n;
        numbers += 2 * request->nt + 1;
        nereus_partition_fini(&new_partition);
    }
    return NEREUS_OK;
}

static enum nereus_status minimise_moves(const struct bounds_work *work,
                                         struct nereus_error *failure, struct nereus_error *verdict,
                                         struct nereus_error *err)
{
    struct nereus_request *request = work->request;
    const int64_t nt = request->nt;
    struct nereus_error own_error = {0};
    int64_t independent = 0;
    if (work->job->rank == 0)
        search_minimal_moves(work, &own_error);
    NEREUS_TRY(
        nereus_agree_intra(work->job->control, &own_error, 0, NEREUS_WAIT_AWAKE, verdict, err));
    if (verdict->status != NEREUS_OK)
        return NEREUS_OK;
    for (int64_t i = 0; i < request->partition_count; i++)
        independent += request->partitions[i].parent == 0;
    NEREUS_MPI(MPI_Bcast_c(work->numbers, (MPI_Count)(independent * (2 * nt + 1)), MPI_INT64_T, 0,
                           work->job->control),
               err);
    const int64_t *numbers = work->numbers;
    for (int64_t i = 0; i < request->partition_count; i++) {
        struct nereus_data_partition *partition = &request->partitions[i];
        if (partition->parent != 0)
            continue;
        if (nereus_partition_is_grid(&partition->new_ranges))
            nereus_partition_grid(&partition->new_ranges.grid, numbers + nt + 1,
                                  &partition->new_ranges, failure);
        else
            nereus_bounds_store(partition->old_ranges.n, nt, numbers, numbers + nt + 1,
                                &partition->new_ranges, failure);
        numbers += 2 * nt + 1;
    }
    return NEREUS_OK;
}

/* ---- all partitions -------------------------------------------------------------------------- */

/* Custom data can be moved only by processes whose application has registered its functions. */
static enum nereus_status check_functions(const nereus_job *job, struct nereus_error *err)
{
    for (int64_t i = 0; i < job->registry.count; i++) {
        const struct datum *datum = &job->registry.data[i];
        if (datum->entry.shape == NEREUS_CUSTOM && !datum->claimed)
            return nereus_fail(
                err, NEREUS_ERR_STATE,
                "the custom data '%s' cannot be moved: process %d has not registered it",
                datum->entry.name, job->rank);
    }
    return NEREUS_OK;
}

/* Local part, in which a process may fail. */
static void begin_bounds(struct bounds_work *work, struct nereus_error *own_error)
{
    const struct nereus_request *request = work->request;
    if (own_error->status != NEREUS_OK || check_functions(work->job, own_error) != NEREUS_OK ||
        reserve_bounds(work, own_error) != NEREUS_OK)
        return;
    if (work->job->rank == 0)
        map_sources(work);
    for (int64_t i = 0;
         i < request->partition_count && request->method.distribution == NEREUS_WEIGHTED; i++)
        if (nereus_bounds_weigh(work, i, &work->rows[1 + i], own_error) != NEREUS_OK)
            return;
}

static enum nereus_status compute_bounds(struct bounds_work *work, struct nereus_error *own_error,
                                         struct nereus_error *verdict, struct nereus_error *err)
{
    const struct nereus_method *method = &work->request->method;
    begin_bounds(work, own_error);
    NEREUS_TRY(
        nereus_agree_intra(work->job->control, own_error, 0, NEREUS_WAIT_AWAKE, verdict, err));
    if (verdict->status != NEREUS_OK)
        return NEREUS_OK;
    if (method->has_data && method->distribution == NEREUS_WEIGHTED)
        NEREUS_TRY(nereus_bounds_weighted(work, own_error, err));
    if (method->has_data && method->distribution == NEREUS_KEEP)
        NEREUS_TRY(minimise_moves(work, own_error, verdict, err));
    return verdict->status == NEREUS_OK ? nereus_bounds_derive(work, verdict, own_error, err)
                                        : NEREUS_OK;
}

enum nereus_status nereus_bounds_compute(struct reconfiguration *reconfig, struct nereus_error *err)
{
    struct bounds_work work = {
        .job = reconfig->job,
        .request = &reconfig->record,
        .plan = &reconfig->plan,
        .slowest_after = reconfig->request.balance.requested ? &reconfig->slowest_after : NULL};
    const enum nereus_status status =
        compute_bounds(&work, &reconfig->failure, &reconfig->verdict, err);
    free_work(&work);
    return status;
}

/* ---- updates --------------------------------------------------------------------------------- */

/* Agree whether each process has memory, and whether all have swapped alike since decide.c compared
 * swaps. */
static enum nereus_status agree_on_recomputed(struct reconfiguration *reconfig,
                                              const struct nereus_error *own_error,
                                              struct nereus_error *verdict,
                                              struct nereus_error *err)
{
    const int64_t swaps = reconfig->job->registry.swaps;
    NEREUS_TRY(nereus_agree_intra(reconfig->job->control, own_error, (uint64_t)swaps,
                                  NEREUS_WAIT_AWAKE, verdict, err));
    if (verdict->status == NEREUS_ERR_MISMATCH)
        nereus_fail(verdict, NEREUS_ERR_MISMATCH,
                    "rank %d has called nereus_swap %lld time%s since the last resize, and "
                    "other ranks more or less often: all processes must swap alike",
                    reconfig->job->rank, (long long)swaps, nereus_plural_s(swaps));
    return NEREUS_OK;
}

static enum nereus_status recompute_bounds(struct reconfiguration *reconfig,
                                           struct bounds_work *work, struct nereus_error *err)
{
    struct nereus_error own_error = {0}, verdict;
    const bool any = nereus_must_query_any_size_again(reconfig);
    if (any)
        reserve_bounds(work, &own_error);
    NEREUS_TRY(agree_on_recomputed(reconfig, &own_error, &verdict, err));
    if (any && verdict.status == NEREUS_OK) {
        NEREUS_TRY(nereus_bounds_derive(work, &verdict, &verdict, err));
        if (verdict.status == NEREUS_OK)
            nereus_spaces_set(&reconfig->job->registry, &reconfig->record, reconfig->source_rank,
                              &verdict);
    }
    if (reconfig->failure.status == NEREUS_OK)
        reconfig->failure = verdict;
    return NEREUS_OK;
}

enum nereus_status nereus_bounds_recompute(struct reconfiguration *reconfig,
                                           struct nereus_error *err)
{
    struct bounds_work work = {
        .job = reconfig->job, .request = &reconfig->record, .plan = &reconfig->plan, .again = true};
    const enum nereus_status status = recompute_bounds(reconfig, &work, err);
    free_work(&work);
    return status;
}
