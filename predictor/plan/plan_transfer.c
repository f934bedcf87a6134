/** @file plan_transfer.c  Prints the amounts of data that a redistribution of a plan moves. */

#include "model/util/values.h"
#include "plan_print.h"
#include "predictor/cli/output.h"

/* List for each target the source that is the same process, or -1. NULL: no memory. */
static int64_t *list_same_processes(const struct nereus_plan *plan)
{
    int64_t *sources = malloc((size_t)plan->nt * sizeof *sources);
    for (int64_t rank = 0; sources != NULL && rank < plan->nt; rank++)
        if (plan->nt < plan->ns)
            sources[rank] = nereus_plan_old_rank(plan, rank);
        else
            sources[rank] = rank < plan->ns ? rank : -1;
    return sources;
}

/* Convert from elements to bytes. */
static void scale_transfer(struct nereus_transfer *t, double bytes)
{
    int64_t *const counts[] = {&t->elements_out,     &t->elements_in,   &t->kept_elements,
                               &t->touched_elements, &t->node_elements, &t->moved_total,
                               &t->kept_total};
    for (size_t i = 0; i < NEREUS_COUNT_OF(counts); i++)
        *counts[i] = (int64_t)((double)*counts[i] * bytes);
}

/* Compute the bytes that a step moves between the ranges by which it is priced.
 * @param[out] ranges  name of these ranges
 * @return false: nothing moves, or no memory */
static bool compute_transfer(const struct nereus_plan *plan, const struct nereus_scenario *scenario,
                             const struct nereus_step *step, struct nereus_transfer *transfer,
                             const char **ranges)
{
    const int64_t bytes = step->constant_bytes + step->variable_bytes;
    const bool respawn = plan->method.process != NEREUS_MERGE;
    if (step->kind != NEREUS_STEP_REDISTRIBUTE || bytes <= 0)
        return false;
    const struct nereus_transfer_sizes sizes = {
        .n = bytes, .ns = plan->ns, .nt = plan->nt, .respawn = respawn};
    if (nereus_transfer_knows_grid(scenario->grid, plan->ns, plan->nt)) {
        const bool keep = plan->method.distribution == NEREUS_KEEP && !respawn;
        if (nereus_transfer_grid(&sizes, scenario->grid, keep, transfer, NULL) != NEREUS_OK)
            return false;
        *ranges = keep ? "boxes of the grid, by keep" : "boxes of the grid";
        scale_transfer(transfer, (double)bytes / (double)nereus_grid_count(scenario->grid));
        return true;
    }
    if (nereus_transfer_knows_keep(&plan->method, plan->ns, plan->nt)) {
        *ranges = "from equal blocks, by keep";
        return nereus_transfer_keep(&sizes, 0, transfer, NULL) == NEREUS_OK;
    }
    if (plan->method.distribution == NEREUS_WEIGHTED && scenario->powers != NULL) {
        const struct nereus_transfer_powers powers = nereus_transfer_powers_of(scenario);
        *ranges = "by computing power";
        return nereus_transfer_weighted(&sizes, &powers, transfer, NULL) == NEREUS_OK;
    }
    *ranges = plan->method.distribution == NEREUS_BLOCK ? "equal blocks" : "as if of equal blocks";
    const struct nereus_partition old_partition = nereus_partition_block(bytes, plan->ns),
                                  new_partition = nereus_partition_block(bytes, plan->nt);
    int64_t *sources = respawn ? NULL : list_same_processes(plan);
    if (!respawn && sources == NULL)
        return false;
    const enum nereus_status status =
        nereus_transfer_partitions(&old_partition, &new_partition, sources, transfer, NULL);
    free(sources);
    return status == NEREUS_OK;
}

/* Seconds of a term of a step's price; 0: no such term. */
static double find_term_s(const struct nereus_step_price *price, const char *name)
{
    for (int i = 0; i < price->terms; i++)
        if (strcmp(price->term[i].name, name) == 0)
            return price->term[i].seconds;
    return 0;
}

static void print_one(int index, const struct nereus_step_price *price,
                      const struct nereus_transfer *t, const char *ranges, FILE *stream)
{
    char a[32], b[32], c[32], d[32], e[32], f[32];
    const double window_s = find_term_s(price, "window");
    nereus_print_wrapped(
        stream, 4,
        "data of step %d, %s: of one process at most %lld message%s out (%s), %lld in (%s), %s "
        "kept, %s of fresh pages; in all %s move and %s stay",
        index + 1, ranges, (long long)t->messages_out, nereus_plural_s(t->messages_out),
        nereus_format_bytes((double)t->elements_out, a), (long long)t->messages_in,
        nereus_format_bytes((double)t->elements_in, b),
        nereus_format_bytes((double)t->kept_elements, c),
        nereus_format_bytes((double)t->touched_elements, d),
        nereus_format_bytes((double)t->moved_total, e),
        nereus_format_bytes((double)t->kept_total, f));
    if (window_s > 0)
        fprintf(stream, "windows over the sources' parts: %.3g s before the first get\n", window_s);
}

void nereus_plan_print_transfers(const struct nereus_priced_plan *priced,
                                 const struct nereus_question *question, FILE *stream)
{
    struct nereus_transfer transfer;
    const char *ranges;
    for (int i = 0; i < priced->plan.step_count; i++)
        if (compute_transfer(&priced->plan, &question->scenario, &priced->plan.steps[i], &transfer,
                             &ranges))
            print_one(i, &priced->prices[i], &transfer, ranges, stream);
}

json_t *nereus_plan_transfer_json(const struct nereus_priced_plan *priced,
                                  const struct nereus_question *question, int step)
{
    struct nereus_transfer t;
    const char *ranges;
    if (!compute_transfer(&priced->plan, &question->scenario, &priced->plan.steps[step], &t,
                          &ranges))
        return NULL;
    return nereus_json_pack(
        "{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "ranges", ranges, "messages_out",
        (json_int_t)t.messages_out, "messages_in", (json_int_t)t.messages_in, "bytes_out",
        (json_int_t)t.elements_out, "bytes_in", (json_int_t)t.elements_in, "bytes_kept",
        (json_int_t)t.kept_elements, "bytes_touched", (json_int_t)t.touched_elements,
        "bytes_moved_total", (json_int_t)t.moved_total, "bytes_kept_total",
        (json_int_t)t.kept_total, "window_s",
        nereus_json_real(find_term_s(&priced->prices[step], "window")));
}
