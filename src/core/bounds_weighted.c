/**
 * @file bounds_weighted.c
 * Computes bounds by computing power and weights (model/partition/weighted.h; Martín et al. (2015),
 * sections 4.3 and 4.4). The root gathers powers and the sum of weights of each source, sends all
 * processes the powers of the targets and the prefix sum before their own elements, and each
 * process finds the bounds that lie in its own elements.
 */

#include "bounds.h"
#include "model/partition/weighted.h"
#include "model/plan/placement.h"
#include "policy_module.h"
#include "src/mpi/large_counts.h"
#include "src/start/hosts.h"
#include "src/util/callback.h"

/* Weight of a row: its non-zeros. */
static void weigh_rows(const struct datum *matrix, int64_t count, int64_t *weights)
{
    const int64_t *pointers = (const int64_t *)(const void *)matrix->part;
    for (int64_t i = 0; i < count; i++)
        weights[i] = pointers[i + 1] - pointers[i];
}

static enum nereus_status call_weigh(const struct index_space *space, struct nereus_range range,
                                     int64_t *weights, struct nereus_error *failure)
{
    if (space->weigh == NULL)
        return nereus_fail(
            failure, NEREUS_ERR_STATE,
            "the weights of partition '%s' are not known: nereus_set_weights has to be called "
            "in every process",
            space->name);
    nereus_callback_enter("weigh of nereus_set_weights");
    const bool weighed =
        range.count == 0 || space->weigh(space->user, range.first, range.count, weights) == 0;
    nereus_callback_leave();
    if (!weighed)
        return nereus_fail(failure, NEREUS_ERR_ARGUMENT,
                           "the application could not weigh its part of partition '%s'",
                           space->name);
    return NEREUS_OK;
}

enum nereus_status nereus_bounds_weigh(const struct bounds_work *work, int64_t partition,
                                       int64_t *total, struct nereus_error *failure)
{
    const struct registry *registry = &work->job->registry;
    const struct index_space *space = &registry->spaces[partition];
    const struct nereus_range range = nereus_partition_range(&space->partition, work->job->rank);
    *total = 0;
    if (space->parent != 0 || space->weights == 0)
        return NEREUS_OK;
    if (space->weights > 0)
        weigh_rows(&registry->data[space->weights - 1], range.count, work->weights);
    else
        NEREUS_TRY(call_weigh(space, range, work->weights, failure));
    for (int64_t i = 0; i < range.count; i++) {
        if (work->weights[i] < 0 || *total > INT64_MAX / 4 - work->weights[i])
            return nereus_fail(
                failure, NEREUS_ERR_ARGUMENT,
                "element %lld of partition '%s' weighs %lld: weights have to be 0 or more, "
                "and their sum to fit",
                (long long)(range.first + i), space->name, (long long)work->weights[i]);
        *total += work->weights[i];
    }
    return NEREUS_OK;
}

/* Does a partition count in the load? */
static bool counts_in_load(const struct registry *registry, int64_t partition)
{
    bool any = false;
    for (int64_t i = 0; i < registry->space_count; i++)
        any = any || (registry->spaces[i].parent == 0 && registry->spaces[i].weights != 0);
    const struct index_space *space = &registry->spaces[partition];
    return space->parent == 0 && (!any || space->weights != 0);
}

enum nereus_status nereus_bounds_own_work(const struct bounds_work *work, int64_t *total,
                                          struct nereus_error *failure)
{
    const struct registry *registry = &work->job->registry;
    *total = 0;
    for (int64_t i = 0; i < registry->space_count; i++) {
        int64_t own_work =
            nereus_partition_range(&registry->spaces[i].partition, work->job->rank).count;
        if (!counts_in_load(registry, i))
            continue;
        if (registry->spaces[i].weights != 0)
            NEREUS_TRY(nereus_bounds_weigh(work, i, &own_work, failure));
        *total += own_work;
    }
    return NEREUS_OK;
}

/* ---- at the root ----------------------------------------------------------------------------- */

/* Nodes of the targets: from the job's state after the reconfiguration. */
static enum nereus_status make_target_state(const struct bounds_work *work,
                                            struct nereus_jobstate *state, struct nereus_error *err)
{
    NEREUS_TRY(nereus_jobstate_copy(&work->job->state, state, err));
    const enum nereus_status status =
        nereus_jobstate_apply(&work->job->machine, work->request, state, err);
    if (status != NEREUS_OK)
        nereus_jobstate_fini(state);
    return status;
}

/* Mean power of the sources on a node; 0: none was measured. */
static double compute_mean_power(const struct bounds_work *work, const double *powers, int64_t node)
{
    double sum = 0;
    int64_t count = 0;
    for (int64_t rank = 0; rank < work->request->ns; rank++) {
        if (!(powers[rank] > 0) || nereus_node_of_rank(work->job, rank) != node)
            continue;
        sum += powers[rank];
        count++;
    }
    return count > 0 ? sum / (double)count : 0;
}

/* Ratio of the measured powers to the powers of the policy's classes, whose units differ; 1: none
 * was measured. */
static double compute_class_unit(const struct bounds_work *work, const double *powers)
{
    double sum = 0;
    int64_t count = 0;
    for (int64_t rank = 0; rank < work->request->ns; rank++) {
        const double of_class =
            nereus_policy_module_power(work->job, nereus_node_of_rank(work->job, rank));
        if (!(powers[rank] > 0) || !(of_class > 0))
            continue;
        sum += powers[rank] / of_class;
        count++;
    }
    return count > 0 ? sum / (double)count : 1;
}

/* A measured process has its own power; another process the mean power of its node, else the power
 * of the node's class. */
static void set_target_powers(const struct bounds_work *work, const double *powers,
                              int64_t *integers)
{
    struct nereus_jobstate state;
    const bool placed = make_target_state(work, &state, NULL) == NEREUS_OK;
    const double unit = compute_class_unit(work, powers);
    int64_t last_node = -1;
    double last_power = 0;
    for (int64_t rank = 0; rank < work->request->nt; rank++) {
        const int64_t source = work->sources[rank];
        work->powers[rank] = source >= 0 ? powers[source] : 0;
        if (work->powers[rank] > 0 || !placed)
            continue;
        const int64_t node = nereus_jobstate_node_of(&state, rank);
        if (node != last_node)
            last_power = compute_mean_power(work, powers, node);
        if (!(last_power > 0))
            last_power = unit * nereus_policy_module_power(work->job, node);
        last_node = node;
        work->powers[rank] = last_power;
    }
    nereus_weighted_scale_powers(work->powers, work->request->nt, integers);
    if (placed)
        nereus_jobstate_fini(&state);
}

/* Convert gathered sums to prefix sums; totals[i]: sum over partition i. */
static void compute_prefix_sums(const struct bounds_work *work, int64_t *rows, int64_t width,
                                int64_t *totals)
{
    for (int64_t i = 0; i < width - 1; i++) {
        const struct nereus_partition *old_partition = &work->request->partitions[i].old_ranges;
        totals[i] = 0;
        for (int64_t place = 0; place < old_partition->processes; place++) {
            int64_t *at = &rows[nereus_partition_range_rank(old_partition, place) * width + 1 + i];
            const int64_t below = totals[i];
            totals[i] += *at;
            *at = below;
        }
    }
}

/* Reduce powers and totals to the root; broadcast powers of targets, totals and prefix sums.
 * @param[out] shared  nt + partitions */
static enum nereus_status reduce_and_broadcast(const struct bounds_work *work, int64_t *shared,
                                               struct nereus_error *err)
{
    const int64_t width = 1 + work->request->partition_count, nt = work->request->nt;
    int64_t *own_rows = work->rows, *all_rows = work->rows + width;
    memcpy(own_rows, &work->job->power, sizeof work->job->power);
    NEREUS_MPI(MPI_Gather(own_rows, (int)width, MPI_INT64_T, all_rows, (int)width, MPI_INT64_T, 0,
                          work->job->control),
               err);
    if (work->job->rank == 0) {
        double *powers = (double *)(void *)work->numbers; /* temporary: powers of the sources */
        for (int64_t rank = 0; rank < work->request->ns; rank++)
            memcpy(&powers[rank], &all_rows[rank * width], sizeof *powers);
        int64_t *integers = work->numbers + work->request->ns;
        set_target_powers(work, powers, integers);
        memmove(shared, integers, (size_t)nt * sizeof *shared);
        compute_prefix_sums(work, all_rows, width, shared + nt);
    }
    NEREUS_MPI(MPI_Bcast_c(shared, (MPI_Count)(nt + width - 1), MPI_INT64_T, 0, work->job->control),
               err);
    NEREUS_MPI(MPI_Scatter(all_rows, (int)width, MPI_INT64_T, own_rows, (int)width, MPI_INT64_T, 0,
                           work->job->control),
               err);
    return NEREUS_OK;
}

/* Find the bounds that lie in own elements; if all weights are 0 the elements count alike.
 * @param shared  powers of the targets, and the work of each partition */
static enum nereus_status find_bounds(const struct bounds_work *work, int64_t i,
                                      const int64_t *shared, int64_t *thresholds, int64_t *bounds,
                                      struct nereus_error *failure)
{
    const int64_t nt = work->request->nt, n = work->request->partitions[i].old_ranges.n;
    const int64_t *const powers = shared, total = shared[nt + i];
    const struct nereus_range range =
        nereus_partition_range(&work->request->partitions[i].old_ranges, work->job->rank);
    int64_t again;
    for (int64_t k = 0; k <= nt; k++)
        bounds[k] = n;
    if (total == 0)
        return nereus_weighted_find_bounds(n, powers, nt, bounds, failure);
    nereus_weighted_find_thresholds(total, powers, nt, thresholds);
    NEREUS_TRY(nereus_bounds_weigh(work, i, &again, failure));
    nereus_weighted_find_crossings(work->weights, range, work->rows[1 + i], thresholds, nt, bounds);
    return NEREUS_OK;
}

/* Sum the weights of own elements by target.
 * @param[in,out] by_rank  added to; nt */
static void add_target_work(const struct bounds_work *work, int64_t i, int64_t *by_rank,
                            struct nereus_error *failure)
{
    const struct index_space *space = &work->job->registry.spaces[i];
    const struct nereus_partition *new_partition = &work->request->partitions[i].new_ranges;
    const int rank = work->job->rank;
    const struct nereus_range own_range = nereus_partition_range(&space->partition, rank),
                              peers = nereus_partition_places_meeting(&space->partition, rank,
                                                                      new_partition);
    int64_t total;
    if (nereus_bounds_weigh(work, i, &total, failure) != NEREUS_OK)
        return;
    for (int64_t place = peers.first; place < peers.first + peers.count; place++) {
        const int64_t target = nereus_partition_range_rank(new_partition, place);
        if (space->weights == 0) {
            by_rank[target] +=
                nereus_partition_shared(&space->partition, rank, new_partition, target);
            continue;
        }
        const struct nereus_range its =
            nereus_range_overlap(own_range, nereus_partition_get_range(new_partition, place));
        for (int64_t k = its.first; k < its.first + its.count; k++)
            by_rank[target] += work->weights[k - own_range.first];
    }
}

/* Predicted ratio of the slowest process to the mean with the new bounds. */
static enum nereus_status predict_imbalance(const struct bounds_work *work, const int64_t *powers,
                                            int64_t *by_rank, struct nereus_error *failure,
                                            struct nereus_error *err)
{
    const bool root = work->job->rank == 0;
    const int64_t nt = work->request->nt;
    double slowest = 0, all_work = 0, all_power = 0;
    memset(by_rank, 0, (size_t)nt * sizeof *by_rank);
    for (int64_t i = 0; i < work->request->partition_count; i++)
        if (counts_in_load(&work->job->registry, i))
            add_target_work(work, i, by_rank, failure);
    NEREUS_MPI(MPI_Reduce(root ? MPI_IN_PLACE : by_rank, by_rank, (int)nt, MPI_INT64_T, MPI_SUM, 0,
                          work->job->control),
               err);
    for (int64_t rank = 0; rank < nt; rank++) {
        slowest = fmax(slowest, (double)by_rank[rank] / (double)powers[rank]);
        all_work += (double)by_rank[rank];
        all_power += (double)powers[rank];
    }
    *work->slowest_after = all_work > 0 ? slowest * all_power / all_work : 1;
    return NEREUS_OK;
}

enum nereus_status nereus_bounds_weighted(const struct bounds_work *work,
                                          struct nereus_error *failure, struct nereus_error *err)
{
    struct nereus_request *request = work->request;
    const int64_t nt = request->nt, count = request->partition_count;
    int64_t *bounds = work->numbers, *shared = bounds + count * (nt + 1),
            *thresholds = shared + nt + count;
    NEREUS_TRY(reduce_and_broadcast(work, shared, err));
    for (int64_t i = 0; i < count; i++)
        if (nereus_has_own_bounds(&request->partitions[i]))
            find_bounds(work, i, shared, thresholds, bounds + i * (nt + 1), failure);
        else
            memset(bounds + i * (nt + 1), 0, (size_t)(nt + 1) * sizeof *bounds);
    NEREUS_MPI(MPI_Allreduce_c(MPI_IN_PLACE, bounds, (MPI_Count)(count * (nt + 1)), MPI_INT64_T,
                               MPI_MIN, work->job->control),
               err);
    for (int64_t i = 0; i < count; i++)
        if (nereus_has_own_bounds(&request->partitions[i]))
            nereus_bounds_store(request->partitions[i].old_ranges.n, nt, bounds + i * (nt + 1),
                                NULL, &request->partitions[i].new_ranges, failure);
    return work->slowest_after == NULL ? NEREUS_OK
                                       : predict_imbalance(work, shared, bounds, failure, err);
}
