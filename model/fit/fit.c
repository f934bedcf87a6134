/**
 * @file fit.c
 * Makes a profile from samples: chooses the cluster, keeps the measured reconfigurations, and runs
 * each part of the fit.
 */
#include "fit.h"

#include "model/predict/lookup.h"
#include "model/price/overlap.h"
#include "model/price/price_parts.h"
#include "model/profile/profile_machine.h"
#include "model/statistics/statistics.h"
#include "model/util/suggest.h"
#include "scatter.h"

/* Append to `names` each cluster of the samples once, in the order of the rows. */
static enum nereus_status list_clusters(const struct nereus_samples *samples, const char ***names,
                                        size_t *count, struct nereus_error *err)
{
    for (int64_t i = 0; i < samples->count; i++) {
        const char *name = samples->rows[i].cluster;
        if (nereus_word_index(name, *names, *count) < *count)
            continue;
        NEREUS_TRY_GROW(*names, *count, err, "for the names of clusters");
        (*names)[(*count)++] = name;
    }
    return NEREUS_OK;
}

static enum nereus_status choose_of(const char *const *names, size_t count, const char *wanted,
                                    const char **chosen, struct nereus_error *err)
{
    char text[256] = "", suggestion[NEREUS_SUGGEST_TEXT];
    for (size_t i = 0; i < count; i++)
        nereus_append(text, sizeof text, "%s%s", i > 0 ? ", " : "", names[i]);
    if (count == 0)
        return nereus_fail(err, NEREUS_ERR_NO_BASIS, "there are no samples to fit");
    if (wanted == NULL && count > 1)
        return nereus_fail(
            err, NEREUS_ERR_ARGUMENT,
            "the samples are of %zu cluster%s (%s), and a profile is of one: name it with "
            "--cluster",
            count, nereus_plural_s((int64_t)count), text);
    const size_t index = wanted == NULL ? 0 : nereus_word_index(wanted, names, count);
    if (index == count)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "no sample is of the cluster '%s': there are samples of %s%s", wanted,
                           text, nereus_suggest_text(wanted, names, count, suggestion));
    *chosen = names[index];
    return NEREUS_OK;
}

static enum nereus_status choose_cluster(const struct nereus_samples *samples, const char *wanted,
                                         const char **chosen, struct nereus_error *err)
{
    const char **names = NULL;
    size_t count = 0;
    enum nereus_status status = list_clusters(samples, &names, &count, err);
    if (status == NEREUS_OK)
        status = choose_of(names, count, wanted, chosen, err);
    free(names);
    return status;
}

static enum nereus_status select_rows(const struct nereus_samples *samples, const char *cluster,
                                      struct nereus_fit_rows *rows, struct nereus_error *err)
{
    rows->count = 0;
    rows->rows = malloc((size_t)(samples->count + 1) * sizeof *rows->rows);
    NEREUS_TRY_MEMORY(rows->rows, err, "for %lld samples", (long long)samples->count);
    for (int64_t i = 0; i < samples->count; i++)
        if (strcmp(samples->rows[i].cluster, cluster) == 0)
            rows->rows[rows->count++] = &samples->rows[i];
    return NEREUS_OK;
}

/* Find the number of cores per node that most rows have. */
static int64_t find_most_common_cores(const struct nereus_fit_rows *rows)
{
    int64_t best = 0;
    size_t best_count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        size_t n = 0;
        if (rows->rows[i]->cores_per_node == best)
            continue;
        for (size_t j = 0; j < rows->count; j++)
            n += rows->rows[j]->cores_per_node == rows->rows[i]->cores_per_node;
        if (n > best_count) {
            best_count = n;
            best = rows->rows[i]->cores_per_node;
        }
    }
    return best;
}

/* Keep each list of unequal nodes once. */
static enum nereus_status store_machines(const struct nereus_fit_rows *rows,
                                         struct nereus_profile *profile, struct nereus_error *err)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct nereus_machine *machine = rows->rows[i]->machine;
        if (machine == NULL || (i > 0 && machine == rows->rows[i - 1]->machine) ||
            nereus_profile_nodes(profile, machine, INT64_MAX).machine > 0)
            continue;
        int64_t *cores = malloc((size_t)machine->node_count * sizeof *cores);
        if (cores == NULL)
            return nereus_fit_fail_memory(rows, err);
        for (int64_t n = 0; n < machine->node_count; n++)
            cores[n] = machine->nodes[n].cores;
        const enum nereus_status status =
            nereus_profile_add_machine(profile, cores, machine->node_count, err);
        free(cores);
        NEREUS_TRY(status);
    }
    return NEREUS_OK;
}

/* Are two values equal within 1 %, or both NAN? */
static bool are_alike(double a, double b)
{
    return (isnan(a) && isnan(b)) || nereus_nearly_equal(a, b, 0.01);
}

static bool repeats_measurement(const struct nereus_fit_rows *rows, size_t first, size_t second,
                                const void *context)
{
    const struct nereus_sample *a = rows->rows[first], *b = rows->rows[second];
    (void)context;
    return a->kind == NEREUS_SAMPLE_RECONFIGURATION && a->kind == b->kind && a->ns == b->ns &&
           a->nt == b->nt && a->cores_per_node == b->cores_per_node &&
           a->cores_per_process == b->cores_per_process && a->machine == b->machine &&
           a->oversubscribed == b->oversubscribed && nereus_method_equal(&a->method, &b->method) &&
           are_alike(a->t_iter_ns_s, b->t_iter_ns_s) && are_alike(a->bytes, b->bytes);
}

/* Median of a member over the rows that repeat row `first`; NAN: no row has the member. */
static double compute_median(const struct nereus_fit_rows *rows, const size_t *first_of,
                             size_t first, size_t field, double *scratch, size_t *count)
{
    *count = nereus_fit_collect_values(rows, first_of, first, field, scratch);
    return nereus_median(scratch, (int)*count);
}

static struct nereus_measurement merge_repeats(const struct nereus_fit_rows *rows,
                                               const size_t *first_of, size_t first,
                                               const struct nereus_profile *profile,
                                               double *scratch)
{
    const struct nereus_sample *row = rows->rows[first];
    struct nereus_measurement merged = {.ns = row->ns,
                                        .nt = row->nt,
                                        .cores_per_node = row->cores_per_node,
                                        .cores_per_process = row->cores_per_process,
                                        .method = row->method,
                                        .t_iter_ns_s = row->t_iter_ns_s,
                                        .bytes = isnan(row->bytes) ? 0 : row->bytes,
                                        .log_sd = NAN,
                                        .model_s = NAN,
                                        .oversubscribed = row->oversubscribed};
    size_t n;
    if (row->machine != NULL) {
        merged.machine = nereus_profile_nodes(profile, row->machine, INT64_MAX).machine;
        /* the rule that predictions on these nodes use */
        merged.oversubscribed =
            nereus_cost_is_oversubscribed(row->machine, row->ns, row->nt, &row->method);
    }
    merged.ct_s =
        compute_median(rows, first_of, first, offsetof(struct nereus_sample, ct_s), scratch, &n);
    merged.iterations = compute_median(rows, first_of, first,
                                       offsetof(struct nereus_sample, iterations), scratch, &n);
    merged.rt_s =
        compute_median(rows, first_of, first, offsetof(struct nereus_sample, rt_s), scratch, &n);
    if (n >= 2) {
        for (size_t i = 0; i < n; i++)
            scratch[i] = log(scratch[i] / merged.rt_s);
        merged.log_sd = nereus_fit_log_sd(scratch, n, 1);
    }
    for (size_t i = first; i < rows->count; i++)
        if (first_of[i] == first)
            merged.n += rows->rows[i]->n;
    return merged;
}

/* Keep every whole reconfiguration once, as the median of its repeats. */
static enum nereus_status store_measured(const struct nereus_fit_rows *rows,
                                         struct nereus_profile *profile, struct nereus_error *err)
{
    double *scratch = malloc((rows->count + 1) * sizeof *scratch);
    size_t *first_of = malloc((rows->count + 1) * sizeof *first_of);
    profile->measurements = malloc((rows->count + 1) * sizeof *profile->measurements);
    const bool allocated = scratch != NULL && first_of != NULL && profile->measurements != NULL;
    if (allocated)
        nereus_fit_group_rows(rows, repeats_measurement, NULL, first_of);
    for (size_t i = 0; allocated && i < rows->count; i++)
        if (first_of[i] == i)
            profile->measurements[profile->measured_count++] =
                merge_repeats(rows, first_of, i, profile, scratch);
    free(scratch);
    free(first_of);
    return allocated ? NEREUS_OK : nereus_fit_fail_memory(rows, err);
}

static int compare_methods(const void *a, const void *b)
{
    const struct nereus_method *x = a, *y = b;
    const int order[] = {x->async - y->async, (int)x->process - (int)y->process,
                         (int)x->strategy - (int)y->strategy, (int)x->shrink - (int)y->shrink};
    for (size_t i = 0; i < NEREUS_COUNT_OF(order); i++)
        if (order[i] != 0)
            return order[i];
    return 0;
}

/* List the process parts that the rows have: synchronous ones first, then in the order of the
 * grammar. With step rows only, these are baseline and merge. They are the candidates where a
 * question names no method. Restart is left out: it needs a folder for its checkpoint. */
static enum nereus_status list_methods(const struct nereus_fit_rows *rows,
                                       struct nereus_profile *profile, struct nereus_error *err)
{
    const size_t count = (size_t)profile->measured_count;
    struct nereus_method *methods = profile->methods = calloc(count + 2, sizeof *methods);
    if (methods == NULL)
        return nereus_fit_fail_memory(rows, err);
    for (size_t i = 0; i < count; i++) {
        methods[i] = profile->measurements[i].method;
        methods[i].has_data = false;
    }
    qsort(methods, count, sizeof *methods, compare_methods);
    for (size_t i = 0; i < count; i++)
        if (methods[i].process != NEREUS_RESTART &&
            (profile->method_count == 0 ||
             compare_methods(&methods[profile->method_count - 1], &methods[i]) != 0))
            methods[profile->method_count++] = methods[i];
    if (profile->method_count == 0 && rows->count > 0) {
        methods[0].process = NEREUS_BASELINE;
        methods[1].process = NEREUS_MERGE;
        profile->method_count = 2;
    }
    return NEREUS_OK;
}

/* The model's value [s] for a measured reconfiguration; the residual corrects similar predictions
 * (lookup.c). */
static double price_model_s(const struct nereus_profile *profile,
                            const struct nereus_measurement *measurement)
{
    struct nereus_node node;
    const struct nereus_machine machine = nereus_measurement_machine(profile, measurement, &node);
    const bool data = measurement->method.has_data;
    const struct nereus_scenario scenario = {.machine = &machine,
                                             .ns = measurement->ns,
                                             .nt = measurement->nt,
                                             .constant_bytes = data ? measurement->bytes : 0};
    struct nereus_price_parts parts;
    if (!measurement->method.async)
        return nereus_price_all_parts(profile, &scenario, &measurement->method, &parts, NULL) ==
                       NEREUS_OK
                   ? parts.process.value_s + parts.data.value_s + parts.overlapped.value_s
                   : NAN;
    struct nereus_overlap_input input;
    const struct nereus_method carried_out = nereus_method_resolve(&measurement->method);
    nereus_overlap_input_make(&machine, measurement->ns, measurement->nt, &carried_out,
                              measurement->t_iter_ns_s, &input);
    input.rt_sync_s = nereus_lookup_synchronous_s(profile, &machine, measurement->ns,
                                                  measurement->nt, &measurement->method);
    const double value = nereus_overlap_value(
        nereus_overlap_model(profile, input.group, measurement->oversubscribed), &input, NULL);
    return value > 0 ? value : NAN;
}

/* Price synchronous reconfigurations first, because the prices of asynchronous ones use them. */
static void price_measured(struct nereus_profile *profile)
{
    for (int async = 0; async < 2; async++)
        for (int64_t i = 0; i < profile->measured_count; i++)
            if (profile->measurements[i].method.async == (async == 1))
                profile->measurements[i].model_s =
                    price_model_s(profile, &profile->measurements[i]);
}

static enum nereus_status fit_parts(const struct nereus_fit_rows *rows,
                                    struct nereus_profile *profile, struct nereus_error *err)
{
    static nereus_fit_part
        *const first[] = {store_machines,    store_measured,          list_methods,
                          nereus_fit_pairs,  nereus_fit_node,         nereus_fit_between,
                          nereus_fit_stages, nereus_fit_contention,   nereus_fit_program,
                          nereus_fit_steps,  nereus_fit_unattributed, nereus_fit_whole},
               *const then[] = {nereus_fit_async, nereus_fit_moves, nereus_fit_overlapped};
    for (size_t i = 0; i < NEREUS_COUNT_OF(first); i++)
        NEREUS_TRY(first[i](rows, profile, err));
    price_measured(profile);
    nereus_fit_set_unmeasured(profile);
    for (size_t i = 0; i < NEREUS_COUNT_OF(then); i++)
        NEREUS_TRY(then[i](rows, profile, err));
    price_measured(profile); /* again: some have a price only with the priors */
    return NEREUS_OK;
}

enum nereus_status nereus_profile_fit(const struct nereus_samples *samples, const char *cluster,
                                      struct nereus_profile *profile, struct nereus_error *err)
{
    struct nereus_profile *fitted = calloc(1, sizeof *fitted);
    struct nereus_fit_rows rows = {NULL, 0};
    const char *chosen = NULL;
    NEREUS_TRY_MEMORY(fitted, err, "for a profile");
    enum nereus_status status = choose_cluster(samples, cluster, &chosen, err);
    if (status == NEREUS_OK)
        status = select_rows(samples, chosen, &rows, err);
    if (status == NEREUS_OK) {
        snprintf(fitted->cluster, sizeof fitted->cluster, "%s", chosen);
        fitted->cores_per_node = find_most_common_cores(&rows);
        nereus_profile_set_campaign(fitted);
        status = fit_parts(&rows, fitted, err);
    }
    if (status == NEREUS_OK)
        status = nereus_profile_prepare(fitted, err);
    if (status == NEREUS_OK)
        *profile = *fitted;
    else
        nereus_profile_fini(fitted);
    free(rows.rows);
    free(fitted);
    return status;
}
