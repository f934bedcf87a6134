/**
 * @file runs.c
 * Groups measured reconfigurations by pair of sizes and method, for a comparison of methods.
 */

#include "compare.h"
#include "model/statistics/statistics.h"
#include "nereus/predict.h"

static bool is_same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool is_of_cluster(const struct nereus_sample *row, const char *cluster)
{
    return row->kind == NEREUS_SAMPLE_RECONFIGURATION &&
           (cluster == NULL || strcmp(row->cluster, cluster) == 0);
}

static enum nereus_status check_clusters(const struct nereus_samples *samples, const char *wanted,
                                         struct nereus_error *err)
{
    const char *first = NULL;
    for (int64_t i = 0; i < samples->count; i++) {
        const struct nereus_sample *row = &samples->rows[i];
        if (!is_of_cluster(row, wanted))
            continue;
        if (first != NULL && strcmp(first, row->cluster) != 0) {
            return nereus_fail(
                err, NEREUS_ERR_ARGUMENT,
                "the samples are of several clusters, such as '%s' and '%s': name one "
                "with --cluster",
                first, row->cluster);
        }
        first = row->cluster;
    }
    if (first == NULL) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           wanted != NULL ? "the samples have no reconfiguration of cluster '%s'"
                                          : "the samples have no reconfiguration",
                           wanted);
    }
    return NEREUS_OK;
}

static bool has_bytes(const struct nereus_sample *row, double wanted)
{
    return isnan(wanted) || row->bytes == wanted;
}

/* Accept the rows of runs with the wanted cluster and data, and count those that are skipped. */
static bool accept_row(struct nereus_compare *compare, const struct nereus_sample *row)
{
    if (!is_of_cluster(row, compare->options.cluster))
        return false;
    if (!has_bytes(row, compare->options.bytes)) {
        compare->other_bytes++;
        return false;
    }
    compare->statistics += row->n != 1 ? 1 : 0;
    return row->n == 1;
}

/* Find the median iteration time at NS and NT over all methods of a pair; NAN: unknown. */
static enum nereus_status compute_median_t_iter(const struct nereus_samples *samples,
                                                const struct nereus_compare_options *options,
                                                const struct nereus_compare_pair *pair, bool after,
                                                double *median_s, struct nereus_error *err)
{
    double *times = malloc((size_t)samples->count * sizeof *times);
    int count = 0;
    NEREUS_TRY_MEMORY(times != NULL, err, "for the iteration times");
    for (int64_t i = 0; i < samples->count; i++) {
        const struct nereus_sample *row = &samples->rows[i];
        const double t_iter_s = after ? row->t_iter_nt_s : row->t_iter_ns_s;
        if (is_of_cluster(row, options->cluster) && has_bytes(row, options->bytes) &&
            row->ns == pair->ns && row->nt == pair->nt && isfinite(t_iter_s))
            times[count++] = t_iter_s;
    }
    *median_s = nereus_median(times, count);
    free(times);
    return NEREUS_OK;
}

static double compute_value(const struct nereus_sample *row, const struct nereus_compare_pair *pair,
                            const struct nereus_compare_options *options)
{
    switch (options->value) {
    case NEREUS_COMPARE_RT:
        return row->rt_s;
    case NEREUS_COMPARE_T_EX:
        return nereus_equation_7_s(options->iterations_before, pair->t_iter_ns_s, row->rt_s, 0,
                                   options->iterations_after,
                                   isnan(row->iterations) ? 0 : row->iterations, pair->t_iter_nt_s);
    case NEREUS_COMPARE_CT:
        return row->ct_s;
    }
    return NAN;
}

static struct nereus_compare_pair *find_or_add_pair(struct nereus_compare *compare, int64_t ns,
                                                    int64_t nt)
{
    int64_t index = 0;
    while (index < compare->pair_count &&
           (compare->pairs[index].ns < ns ||
            (compare->pairs[index].ns == ns && compare->pairs[index].nt < nt)))
        index++;
    if (index < compare->pair_count && compare->pairs[index].ns == ns &&
        compare->pairs[index].nt == nt)
        return &compare->pairs[index];
    struct nereus_compare_pair *pairs =
        nereus_grow(compare->pairs, compare->pair_count, sizeof *pairs);
    if (pairs == NULL)
        return NULL;
    memmove(&pairs[index + 1], &pairs[index],
            (size_t)(compare->pair_count - index) * sizeof *pairs);
    pairs[index] = (struct nereus_compare_pair){
        .ns = ns, .nt = nt, .chosen_method = -1, .t_iter_ns_s = NAN, .t_iter_nt_s = NAN};
    compare->pairs = pairs;
    compare->pair_count++;
    return &pairs[index];
}

static int find_or_add_method(struct nereus_compare *compare, const struct nereus_method *method)
{
    int m = 0;
    while (m < compare->method_count && !nereus_method_equal(&compare->methods[m], method))
        m++;
    if (m == NEREUS_COMPARE_METHODS_MAX)
        return -1;
    if (m == compare->method_count)
        compare->methods[compare->method_count++] = *method;
    return m;
}

const struct nereus_compare_group *nereus_compare_find(const struct nereus_compare_pair *pair,
                                                       int method)
{
    for (int g = 0; g < pair->count; g++)
        if (pair->groups[g].method == method)
            return &pair->groups[g];
    return NULL;
}

static struct nereus_compare_group *find_or_add_group(struct nereus_compare_pair *pair, int method)
{
    struct nereus_compare_group *found =
        (struct nereus_compare_group *)nereus_compare_find(pair, method);
    if (found != NULL)
        return found;
    struct nereus_compare_group *groups = nereus_grow(pair->groups, pair->count, sizeof *groups);
    if (groups == NULL)
        return NULL;
    pair->groups = groups;
    groups[pair->count] = (struct nereus_compare_group){.method = method};
    return &groups[pair->count++];
}

static const char *format_bytes(double bytes, char text[32])
{
    nereus_snprintf(text, 32, isnan(bytes) ? "unknown" : "%.0f", bytes);
    return text;
}

/* Check that the runs of a group are repetitions, and that the runs of a pair move the same data.
 */
static enum nereus_status check_alike(const struct nereus_compare_pair *pair,
                                      const struct nereus_compare_group *group,
                                      const struct nereus_sample *row, struct nereus_error *err)
{
    char text[NEREUS_METHOD_TEXT_MAX], bytes[32], others[32];
    const struct nereus_sample *first = pair->groups[0].first;
    if (first != NULL && !is_same_number(first->bytes, row->bytes)) {
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "the runs of %lld to %lld process%s move different data (bytes: %s and %s): choose "
            "with --bytes",
            (long long)row->ns, (long long)row->nt, nereus_plural_es(row->nt),
            format_bytes(first->bytes, bytes), format_bytes(row->bytes, others));
    }
    first = group->first;
    if (first != NULL &&
        (first->cores_per_node != row->cores_per_node || first->machine != row->machine ||
         first->cores_per_process != row->cores_per_process)) {
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "the runs of %s from %lld to %lld process%s were measured on different nodes "
            "(cores_per_node: %lld and %lld), so that they are no repetitions: compare them from "
            "separate files",
            nereus_method_format(&row->method, text), (long long)row->ns, (long long)row->nt,
            nereus_plural_es(row->nt), (long long)first->cores_per_node,
            (long long)row->cores_per_node);
    }
    return NEREUS_OK;
}

/* Find the pair of a row, or add it. */
static enum nereus_status find_pair(struct nereus_compare *compare,
                                    const struct nereus_samples *samples,
                                    const struct nereus_sample *row,
                                    struct nereus_compare_pair **pair, struct nereus_error *err)
{
    const int64_t old_count = compare->pair_count;
    *pair = find_or_add_pair(compare, row->ns, row->nt);
    NEREUS_TRY_MEMORY(*pair != NULL, err, "for the pairs");
    if (compare->pair_count == old_count || compare->options.value != NEREUS_COMPARE_T_EX)
        return NEREUS_OK;
    NEREUS_TRY(compute_median_t_iter(samples, &compare->options, *pair, false,
                                     &(*pair)->t_iter_ns_s, err));
    return compute_median_t_iter(samples, &compare->options, *pair, true, &(*pair)->t_iter_nt_s,
                                 err);
}

static enum nereus_status add_run(struct nereus_compare *compare,
                                  const struct nereus_samples *samples,
                                  const struct nereus_sample *row, struct nereus_error *err)
{
    struct nereus_compare_pair *pair;
    NEREUS_TRY(find_pair(compare, samples, row, &pair, err));
    const double value = compute_value(row, pair, &compare->options);
    if (!isfinite(value)) {
        compare->without_value++;
        return NEREUS_OK;
    }
    const int method = find_or_add_method(compare, &row->method);
    if (method < 0) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "at most %d methods can be compared",
                           NEREUS_COMPARE_METHODS_MAX);
    }
    struct nereus_compare_group *group = find_or_add_group(pair, method);
    NEREUS_TRY_MEMORY(group != NULL, err, "for the runs");
    NEREUS_TRY(check_alike(pair, group, row, err));
    NEREUS_TRY_GROW(group->runs.values, group->runs.count, err, "for the runs");
    group->runs.values[group->runs.count++] = value;
    group->first = group->first == NULL ? row : group->first;
    return NEREUS_OK;
}

static enum nereus_status fail_without_run(const struct nereus_compare *compare,
                                           struct nereus_error *err)
{
    static const char *const needed[] = {"rt_s", "t_iter_ns_s, t_iter_nt_s and rt_s", "ct_s"};
    if (compare->without_value > 0) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "no run has a value: %lld row%s no %s",
                           (long long)compare->without_value,
                           compare->without_value == 1 ? " has" : "s have",
                           needed[compare->options.value]);
    }
    if (compare->statistics > 0) {
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "the samples have no single runs: the column n is not 1 in any of %lld row%s, which "
            "are statistics of several runs",
            (long long)compare->statistics, nereus_plural_s(compare->statistics));
    }
    return nereus_fail(err, NEREUS_ERR_ARGUMENT, "no row has %.0f bytes, as --bytes says",
                       compare->options.bytes);
}

static void remove_empty(struct nereus_compare *compare)
{
    int64_t kept_count = 0;
    for (int64_t i = 0; i < compare->pair_count; i++)
        if (compare->pairs[i].count > 0)
            compare->pairs[kept_count++] = compare->pairs[i];
    compare->pair_count = kept_count;
}

enum nereus_status nereus_compare_collect(const struct nereus_samples *samples,
                                          const struct nereus_compare_options *options,
                                          struct nereus_compare *compare, struct nereus_error *err)
{
    *compare = (struct nereus_compare){.options = *options, .reference = -1};
    NEREUS_TRY(check_clusters(samples, options->cluster, err));
    for (int64_t i = 0; i < samples->count; i++)
        if (accept_row(compare, &samples->rows[i]))
            NEREUS_TRY(add_run(compare, samples, &samples->rows[i], err));
    remove_empty(compare);
    return compare->pair_count > 0 ? NEREUS_OK : fail_without_run(compare, err);
}

void nereus_compare_fini(struct nereus_compare *compare)
{
    for (int64_t i = 0; i < compare->pair_count; i++) {
        struct nereus_compare_pair *pair = &compare->pairs[i];
        for (int g = 0; g < pair->count; g++)
            free(pair->groups[g].runs.values);
        free(pair->groups);
        free(pair->mean_rank);
        free(pair->differences);
    }
    free(compare->pairs);
    *compare = (struct nereus_compare){0};
}
