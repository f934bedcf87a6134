/**
 * @file compare.c
 * Tests statistically whether the methods of each pair of sizes differ, and describes each method.
 */
#include "compare.h"

#include <gsl/gsl_statistics_double.h>

#include "model/statistics/statistics.h"

static void describe_group(struct nereus_compare_group *group)
{
    const struct nereus_runs *runs = &group->runs;
    const size_t n = (size_t)runs->count;
    nereus_sort(runs->values, runs->count);
    const int64_t rank = nereus_median_rank(runs->count);
    group->median_s = nereus_quantile(runs->values, runs->count, 0.5);
    group->low_s = rank > 0 ? runs->values[rank - 1] : NAN;
    group->high_s = rank > 0 ? runs->values[runs->count - rank] : NAN;
    group->mean_s = gsl_stats_mean(runs->values, 1, n);
    group->sd_s = n > 1 ? gsl_stats_sd(runs->values, 1, n) : NAN;
    group->w = nereus_shapiro_wilk(runs->values, runs->count, &group->p_normal);
    group->speed_up = NAN;
}

/* Order of groups: those with enough runs first, then by median, then by method. */
static int compare_medians(const void *left, const void *right)
{
    const struct nereus_compare_group *a = left, *b = right;
    const bool few_a = a->runs.count < NEREUS_COMPARE_RUNS_MIN,
               few_b = b->runs.count < NEREUS_COMPARE_RUNS_MIN;
    if (few_a != few_b)
        return few_a ? 1 : -1;
    if (a->median_s != b->median_s)
        return a->median_s < b->median_s ? -1 : 1;
    return a->method < b->method ? -1 : 1;
}

static void describe_pair(struct nereus_compare_pair *pair, int reference)
{
    for (int g = 0; g < pair->count; g++)
        describe_group(&pair->groups[g]);
    qsort(pair->groups, (size_t)pair->count, sizeof *pair->groups, compare_medians);
    const struct nereus_compare_group *base = nereus_compare_find(pair, reference);
    for (int g = 0; g < pair->count && base != NULL; g++)
        if (pair->groups[g].median_s > 0)
            pair->groups[g].speed_up = base->median_s / pair->groups[g].median_s;
}

static void find_equivalent(struct nereus_compare_pair *pair, double significance)
{
    uint64_t differ[NEREUS_COMPARE_METHODS_MAX] = {0}, letters[NEREUS_COMPARE_METHODS_MAX] = {0};
    const int k = pair->tested_groups;
    for (int i = 0; i < k * k && pair->differences != NULL; i++)
        if (pair->differences[i].p_adjusted < significance)
            differ[i / k] |= UINT64_C(1) << i % k;
    nereus_equivalent_groups(differ, k, letters);
    for (int g = 0; g < k; g++) {
        pair->groups[g].letters = letters[g];
        if ((differ[0] >> g & 1) == 0)
            pair->best_set |= UINT64_C(1) << pair->groups[g].method;
    }
}

static enum nereus_status run_post_hoc_test(struct nereus_compare_pair *pair,
                                            const struct nereus_runs *runs,
                                            const struct nereus_compare_options *options,
                                            struct nereus_error *err)
{
    const size_t cells = (size_t)pair->tested_groups * (size_t)pair->tested_groups;
    pair->differences = calloc(cells, sizeof *pair->differences);
    NEREUS_TRY_MEMORY(pair->differences != NULL, err, "for the comparisons");
    return nereus_conover(runs, pair->mean_rank, &pair->kruskal, options->correction,
                          pair->differences, err);
}

static enum nereus_status run_tests(struct nereus_compare_pair *pair,
                                    const struct nereus_compare_options *options,
                                    struct nereus_error *err)
{
    struct nereus_runs runs[NEREUS_COMPARE_METHODS_MAX];
    struct nereus_error why;
    for (int g = 0; g < pair->tested_groups; g++)
        runs[g] = pair->groups[g].runs;
    pair->mean_rank = calloc((size_t)pair->tested_groups, sizeof *pair->mean_rank);
    NEREUS_TRY_MEMORY(pair->mean_rank != NULL, err, "for the ranks");
    const enum nereus_status status =
        nereus_kruskal_wallis(runs, pair->tested_groups, pair->mean_rank, &pair->kruskal, &why);
    if (status == NEREUS_ERR_ARGUMENT) {
        snprintf(pair->why_untested, sizeof pair->why_untested, "%.*s",
                 (int)sizeof pair->why_untested - 1, why.text);
        pair->tested_groups = 0;
        return NEREUS_OK;
    }
    if (status != NEREUS_OK)
        return nereus_fail(err, status, "%s", why.text);
    if (pair->kruskal.p < options->significance)
        NEREUS_TRY(run_post_hoc_test(pair, runs, options, err));
    find_equivalent(pair, options->significance);
    return NEREUS_OK;
}

static enum nereus_status test_pair(struct nereus_compare_pair *pair,
                                    const struct nereus_compare_options *options,
                                    struct nereus_error *err)
{
    for (int g = 0; g < pair->count; g++)
        pair->tested_groups += pair->groups[g].runs.count >= NEREUS_COMPARE_RUNS_MIN ? 1 : 0;
    if (pair->tested_groups >= 2)
        return run_tests(pair, options, err);
    pair->tested_groups = 0;
    if (pair->count == 1) {
        snprintf(pair->why_untested, sizeof pair->why_untested, "there is a single method");
    } else {
        snprintf(pair->why_untested, sizeof pair->why_untested,
                 "fewer than two methods have at least %d runs", NEREUS_COMPARE_RUNS_MIN);
    }
    return NEREUS_OK;
}

static enum nereus_status find_reference(struct nereus_compare *compare, struct nereus_error *err)
{
    struct nereus_method wanted;
    if (compare->options.reference == NULL)
        return NEREUS_OK;
    NEREUS_TRY(nereus_method_parse(compare->options.reference, &wanted, err));
    for (int m = 0; m < compare->method_count; m++) {
        if (nereus_method_equal(&compare->methods[m], &wanted)) {
            compare->reference = m;
            return NEREUS_OK;
        }
    }
    char known_text[300] = "", text[NEREUS_METHOD_TEXT_MAX];
    for (int m = 0; m < compare->method_count; m++) {
        nereus_append(known_text, sizeof known_text, "%s%s", m > 0 ? ", " : "",
                      nereus_method_format(&compare->methods[m], text));
    }
    return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                       "--reference %s has no runs; the methods with runs are %s",
                       compare->options.reference, known_text);
}

enum nereus_status nereus_compare_test(struct nereus_compare *compare, struct nereus_error *err)
{
    NEREUS_TRY(find_reference(compare, err));
    bool tested = false;
    for (int64_t i = 0; i < compare->pair_count; i++) {
        describe_pair(&compare->pairs[i], compare->reference);
        NEREUS_TRY(test_pair(&compare->pairs[i], &compare->options, err));
        tested = tested || compare->pairs[i].tested_groups > 0;
    }
    const struct nereus_compare_pair *first = &compare->pairs[0];
    if (!tested) {
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "nothing can be compared: from %lld to %lld process%s %s%s",
                           (long long)first->ns, (long long)first->nt, nereus_plural_es(first->nt),
                           first->why_untested,
                           compare->pair_count > 1 ? ", and the other pairs are no better" : "");
    }
    return NEREUS_OK;
}
