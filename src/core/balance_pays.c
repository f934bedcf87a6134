/**
 * @file balance_pays.c
 * Compares the predicted cost of moving the data with the time that better bounds save until the
 * end of the job.
 */

#include "balance.h"
#include "model_choice.h"

/* Assumed cost of a redistribution without a profile of this machine: merge/coll from 4 to 2
 * processes took 4.7 ms without data and 70 ms with 64 MB, of which a source sends 16 MB. */
static const double assumed_move_s = 0.005, assumed_bytes_per_s = 0.25e9;

static bool moves_nothing(const struct nereus_request *record)
{
    for (int64_t i = 0; i < record->partition_count; i++)
        if (!nereus_partition_equal(&record->partitions[i].old_ranges,
                                    &record->partitions[i].new_ranges))
            return false;
    return true;
}

/* Bytes of a rank: before the redistribution, after it, and those that do not move. */
struct rank_bytes {
    double old_bytes, new_bytes, kept_bytes;
};

static struct rank_bytes count_rank_bytes(const struct nereus_request *record, int64_t rank)
{
    struct rank_bytes rank_bytes = {0, 0, 0};
    for (int64_t i = 0; i < record->data_count; i++) {
        const struct nereus_data_entry *entry = &record->data[i];
        if (entry->partition == 0)
            continue;
        const struct nereus_data_partition *partition = &record->partitions[entry->partition - 1];
        const struct nereus_partition *old_partition = &partition->old_ranges,
                                      *new_partition = &partition->new_ranges;
        const double each = (double)entry->element_bytes;
        rank_bytes.old_bytes += (double)nereus_partition_range(old_partition, rank).count * each;
        rank_bytes.new_bytes += (double)nereus_partition_range(new_partition, rank).count * each;
        rank_bytes.kept_bytes +=
            (double)nereus_partition_shared(old_partition, rank, new_partition, rank) * each;
    }
    return rank_bytes;
}

/* Price without a profile: by the bytes of the process that sends or receives most. */
static double estimate_price_s(const struct nereus_request *record)
{
    double most = 0;
    for (int64_t rank = 0; rank < record->nt; rank++) {
        const struct rank_bytes rank_bytes = count_rank_bytes(record, rank);
        most = fmax(most, fmax(rank_bytes.old_bytes, rank_bytes.new_bytes) - rank_bytes.kept_bytes);
    }
    return assumed_move_s + most / assumed_bytes_per_s;
}

/* RT of the redistribution. Shares of 0 bytes count as 1 byte, as 0 means an unknown share. */
static double predict_rt_s(struct reconfiguration *reconfig)
{
    const struct nereus_request *record = &reconfig->record;
    const struct balance_request *load = &reconfig->request.balance;
    double *old_work = calloc(2 * (size_t)record->nt, sizeof *old_work);
    if (old_work == NULL)
        return INFINITY;
    double *const new_work = old_work + record->nt;
    double rt_s;
    struct nereus_scenario scenario = {.machine = &reconfig->job->machine,
                                       .state = &reconfig->job->state,
                                       .ns = record->ns,
                                       .nt = record->nt,
                                       .powers = new_work,
                                       .powers_before = old_work,
                                       .power_count = record->nt,
                                       .t_iter_ns_s = load->slowest_s,
                                       .t_iter_nt_s = load->mean_s};
    for (int64_t rank = 0; rank < record->nt; rank++) {
        const struct rank_bytes rank_bytes = count_rank_bytes(record, rank);
        old_work[rank] = fmax(1, rank_bytes.old_bytes);
        new_work[rank] = fmax(1, rank_bytes.new_bytes);
    }
    if (!nereus_model_choice_price(reconfig->job, &scenario, &record->method, &rt_s))
        rt_s = estimate_price_s(record);
    free(old_work);
    return rt_s;
}

void nereus_balance_check_gain(struct reconfiguration *reconfig)
{
    const struct balance_request *load = &reconfig->request.balance;
    if (!nereus_method_rebalances(&reconfig->record.method, reconfig->record.ns,
                                  reconfig->record.nt))
        return;
    if (moves_nothing(&reconfig->record)) {
        snprintf(reconfig->unchanged_reason, sizeof reconfig->unchanged_reason,
                 "the data lie as powers and weights ask for already");
        return;
    }
    if (!load->requested)
        return;
    const double saved_s = load->slowest_s - reconfig->slowest_after * load->mean_s;
    const double gain_s =
                     saved_s * nereus_model_choice_iterations_left(reconfig->job, load->slowest_s),
                 price_s = predict_rt_s(reconfig);
    if (!(gain_s > price_s))
        nereus_snprintf(
            reconfig->unchanged_reason, sizeof reconfig->unchanged_reason,
            "the slowest process takes %.2f times the mean, %.2f times after a move of data: "
            "%.3g s are saved until the end, and the move takes %.3g s",
            load->slowest_s / load->mean_s, reconfig->slowest_after, fmax(0, gain_s), price_s);
}
