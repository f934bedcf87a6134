/** @file test_fit.c  Fits: known coefficients come back, and the paper's tables are followed. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/fit/fit_cells.h"
#include "model/fit/fit_pieces.h"
#include "model/fit/priors.h"
#include "model/fit/regression.h"
#include "model/fit/scatter.h"
#include "model/price/cost.h"
#include "model/price/cost_sum.h"
#include "model/price/overlap.h"
#include "model/price/price_parts.h"
#include "model/util/arith.h"
#include "nereus/predict.h"
#include "nereus/profile.h"
#include "nereus/samples.h"
#include "tests/unit/note_of.h"

#define DATA NEREUS_SOURCE_DIR "/tests/unit/data/"

static void read_into(const char *file, struct nereus_samples *samples)
{
    struct nereus_error err = {.text = ""};
    cr_assert(nereus_samples_read(file, false, samples, &err) == NEREUS_OK, "%s", err.text);
}

static void fit_file(const char *file, struct nereus_profile *profile)
{
    struct nereus_samples samples = {.rows = NULL};
    struct nereus_error err = {.text = ""};
    read_into(file, &samples);
    cr_assert(nereus_profile_fit(&samples, NULL, profile, &err) == NEREUS_OK, "%s", err.text);
    nereus_samples_fini(&samples);
}

static double coefficient(const struct nereus_linear_model *m, const char *name)
{
    for (int i = 0; i < m->terms; i++)
        if (strcmp(m->names[i], name) == 0)
            return m->coefficients[i];
    return NAN;
}

/* ---- the regression itself ---- */

/* y = c0 + c1 a + c2 b on "high entropy" points, with a scatter that cancels out; wide priors. */
static void make_problem(struct nereus_regression *p, double c0, double c1, double c2)
{
    cr_assert(nereus_regression_init(24, 3, p, NULL) == NEREUS_OK);
    for (size_t r = 0; r < p->rows; r++) {
        double *x = p->x + 3 * r;
        x[0] = 1;
        x[1] = 0.37 * (double)(r % 7) + 0.11;
        x[2] = 2.3 * (double)(r * r % 11) + 0.7;
        p->time_s[r] = (c0 + c1 * x[1] + c2 * x[2]) * (1 + (r % 2 == 0 ? 0.004 : -0.004));
    }
    for (size_t c = 0; c < p->columns; c++)
        p->priors[c] = (struct nereus_prior){0.1, 3, 0};
}

Test(regression, known_coefficients_come_back)
{
    static const struct {
        double outliers[2]; /* factors of rows 5 and 16 */
        double tolerance;
    } rows[] = {{{1, 1}, 0.02}, {{9, 4}, 0.05}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_regression p;
        make_problem(&p, 0.7, 0.3, 0.05);
        p.time_s[5] *= rows[i].outliers[0];
        p.time_s[16] *= rows[i].outliers[1];
        cr_assert(nereus_regression_fit(&p, NULL) == NEREUS_OK);
        cr_expect_float_eq(p.coefficients[0], 0.7, 0.7 * rows[i].tolerance);
        cr_expect_float_eq(p.coefficients[1], 0.3, 0.3 * rows[i].tolerance);
        cr_expect_float_eq(p.coefficients[2], 0.05, 0.05 * rows[i].tolerance);
        cr_expect(p.log_sd[0] > 0.003 && p.log_sd[0] < 0.03, "row %zu: %g", i, p.log_sd[0]);
        cr_expect(p.degrees_of_freedom[0] > 20 && p.degrees_of_freedom[0] < 25, "row %zu: %g", i,
                  p.degrees_of_freedom[0]);
        nereus_regression_fini(&p);
    }
}

/* A term that the rows contradict becomes negligible, and none is negative. */
Test(regression, no_coefficient_is_negative)
{
    struct nereus_regression p;
    make_problem(&p, 2.7, -0.4, 0.05);
    cr_assert(nereus_regression_fit(&p, NULL) == NEREUS_OK);
    cr_expect(p.coefficients[1] > 0 && p.coefficients[1] < 0.02, "%g", p.coefficients[1]);
    nereus_regression_fini(&p);
}

/* What is not in the rows is as its prior; a ratio follows the coefficient that it belongs to. */
Test(regression, terms_without_rows_keep_their_priors)
{
    struct nereus_regression p;
    cr_assert(nereus_regression_init(1, 3, &p, NULL) == NEREUS_OK);
    p.x[0] = 1;
    p.time_s[0] = 0.8;
    p.priors[0] = (struct nereus_prior){0.01, 5, 0};
    p.priors[1] = (struct nereus_prior){0.5, 0.7, 1};
    p.priors[2] = (struct nereus_prior){3, 0.25, 0};
    cr_assert(nereus_regression_fit(&p, NULL) == NEREUS_OK);
    cr_expect_float_eq(p.coefficients[0], 0.8, 0.01);
    cr_expect_float_eq(p.coefficients[1] / p.coefficients[0], 0.5, 1e-6);
    cr_expect_float_eq(p.coefficients[2], 3, 1e-6);
    cr_expect_float_eq(sqrt(p.covariance[8]), 0.25, 1e-6);
    cr_expect(p.covariance[4] > 0.49, "%g", p.covariance[4]);
    nereus_regression_fini(&p);
}

/* A known part of the rows, and groups with a scatter of their own. */
Test(regression, groups_scatter_by_themselves)
{
    static const double scatter[] = {0.3, -0.25, 0.2, -0.3, 0.25, -0.2};
    struct nereus_regression p;
    cr_assert(nereus_regression_init(60, 1, &p, NULL) == NEREUS_OK);
    for (size_t r = 0; r < p.rows; r++) {
        p.x[r] = 1 + (double)(r % 5);
        p.base_s[r] = 0.2;
        p.group[r] = r < 30 ? 0 : 1;
        const double off = scatter[r % NEREUS_COUNT_OF(scatter)] * (r < 30 ? 1 : 0.05);
        p.time_s[r] = (0.2 + 0.4 * p.x[r]) * exp(off);
    }
    p.priors[0] = (struct nereus_prior){1, 2, 0};
    cr_assert(nereus_regression_fit(&p, NULL) == NEREUS_OK);
    cr_expect_float_eq(p.coefficients[0], 0.4, 0.004);
    cr_expect(p.log_sd[0] > 0.2 && p.log_sd[0] < 0.35, "%g", p.log_sd[0]);
    cr_expect(p.log_sd[1] > 0.01 && p.log_sd[1] < 0.025, "%g", p.log_sd[1]);
    nereus_regression_fini(&p);
}

/* ---- the paper's tables ---- */

Test(fit, terms_of_tables_1_and_2)
{
    /* A fit to the same tables outside this project, with NumPy; the tolerance is about twice the
     * standard error. */
    static const struct {
        enum nereus_step_kind kind;
        const char *name;
        double expected, tolerance;
    } rows[] = {
        {NEREUS_STEP_SPAWN, "const", 0.203, 0.015},
        {NEREUS_STEP_SPAWN, "filling", 0.528, 0.035},
        {NEREUS_STEP_SPAWN, "overload", 0.614, 0.05},
        {NEREUS_STEP_SPAWN, "log2_new_nodes", 0.044, 0.02},
        {NEREUS_STEP_CONNECT, "overload_log2", 0.099, 0.02},
        {NEREUS_STEP_CONNECT, "overloaded", 0.059, 0.04},
        {NEREUS_STEP_MERGE, "log2_target_nodes", 0.050, 0.02},
        {NEREUS_STEP_SPLIT, "one_node", 0.001, 1e-5},
        {NEREUS_STEP_SPLIT, "log2_source_nodes", 0.074, 0.004},
    };
    struct nereus_profile p;
    fit_file(DATA "spawning_tables_1_to_4.csv", &p);
    cr_expect(strcmp(p.cluster, "ij120") == 0 && p.cores_per_node == 20 &&
              p.measured_count == 210 && p.method_count == 8);
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const double value = coefficient(&p.steps[rows[i].kind], rows[i].name);
        cr_expect(fabs(value - rows[i].expected) <= rows[i].tolerance, "%s.%s is %g, not %g",
                  nereus_step_name(rows[i].kind), rows[i].name, value, rows[i].expected);
    }
    /* What has no rows of its own is said to be in what has. */
    cr_expect(p.steps[NEREUS_STEP_AGREE].basis == NEREUS_BASIS_CONTAINED &&
              p.steps[NEREUS_STEP_AGREE].source[0] != '\0');
    cr_expect(p.steps[NEREUS_STEP_GATHER].basis == NEREUS_BASIS_CONTAINED);
    cr_expect(strcmp(p.steps[NEREUS_STEP_GATHER].source, "spawn or split") == 0);
    cr_expect(p.steps[NEREUS_STEP_REDISTRIBUTE].basis == NEREUS_BASIS_PRIOR);
    cr_expect(strstr(p.steps[NEREUS_STEP_REDISTRIBUTE].source, "assumed") != NULL);
    nereus_profile_fini(&p);
}

static int ascending(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* Relative errors of the model itself (no look-up, no correction) on what it was fitted to. */
static void expect_errors(const struct nereus_profile *p, bool async, bool shrinks_too,
                          double median, double p90)
{
    double errors[256];
    size_t n = 0;
    for (int64_t i = 0; i < p->measured_count; i++) {
        const struct nereus_measurement *m = &p->measurements[i];
        if (m->method.async == async &&
            (shrinks_too || m->method.process != NEREUS_MERGE || m->nt > m->ns))
            errors[n++] = fabs(m->model_s / m->rt_s - 1);
    }
    qsort(errors, n, sizeof errors[0], ascending);
    cr_expect(errors[n / 2] <= median, "median %g of %zu", errors[n / 2], n);
    cr_expect(errors[n * 9 / 10] <= p90, "p90 %g of %zu", errors[n * 9 / 10], n);
}

Test(fit, errors_in_sample)
{
    struct nereus_profile p;
    fit_file(DATA "spawning_tables_1_to_4.csv", &p);
    expect_errors(&p, false, false, 0.05, 0.11); /* what spawns, Tables 1 and 2 */
    expect_errors(&p, false, true, 0.05,
                  0.14); /* and the 15 merge shrinks, whose times repeat badly */
    expect_errors(&p, true, true, 0.06, 0.18); /* Tables 3 and 4 */
    nereus_profile_fini(&p);
}

Test(fit, another_cluster_is_held_by_the_same_terms)
{
    struct nereus_profile p;
    fit_file(DATA "parallel_mn5.csv", &p);
    cr_expect(p.cores_per_node == 112 && p.whole_count == 5);
    expect_errors(&p, false, true, 0.04, 0.10);
    /* all nodes were full there: constant and filling are one */
    const double start_s = coefficient(&p.steps[NEREUS_STEP_SPAWN], "const") +
                           coefficient(&p.steps[NEREUS_STEP_SPAWN], "filling");
    cr_expect(start_s > 7 && start_s < 10, "starting processes there costs 8 s and more, not %g",
              start_s);
    nereus_profile_fini(&p);
}

/* Rows of merge-hypercube again, as of a tree that has more rounds of starts: one more of 8 s for
 * each doubling of the groups. */
static void add_rounds(struct nereus_samples *samples)
{
    const int64_t count = samples->count;
    samples->rows = realloc(samples->rows, 2 * (size_t)count * sizeof *samples->rows);
    cr_assert_not_null(samples->rows);
    for (int64_t i = 0; i < count; i++) {
        struct nereus_sample *s = &samples->rows[samples->count];
        *s = samples->rows[i];
        if (s->method.process != NEREUS_MERGE || s->method.strategy != NEREUS_HYPERCUBE ||
            s->nt <= s->ns)
            continue;
        s->method.strategy = NEREUS_BINOMIAL;
        s->rt_s += 8 * ceil(log2((double)((s->nt - s->ns) / s->cores_per_node + 1))) - 8;
        samples->count++;
    }
}

/* What others are told does not change, nor what joins groups. */
Test(fit, a_tree_of_many_rounds_is_fitted_by_itself)
{
    const struct nereus_method binomial = {.process = NEREUS_MERGE, .strategy = NEREUS_BINOMIAL};
    struct nereus_samples samples = {.rows = NULL};
    struct nereus_profile before, after;
    fit_file(DATA "parallel_mn5.csv", &before);
    read_into(DATA "parallel_mn5.csv", &samples);
    add_rounds(&samples);
    cr_assert(nereus_profile_fit(&samples, NULL, &after, NULL) == NEREUS_OK);
    cr_assert(after.whole_count == before.whole_count + 1);
    for (int64_t i = 0, k = 0; i < after.whole_count; i++) {
        const struct nereus_linear_model *m = &after.whole_models[i].model;
        if (nereus_method_equal(&after.whole_models[i].method, &binomial)) {
            double per_doubling_s =
                0; /* new nodes and target nodes tell the same here: either term */
            for (int t = 0; t < m->terms; t++)
                per_doubling_s += strncmp(m->names[t], "log2_", 5) == 0 ? m->coefficients[t] : 0;
            cr_expect(per_doubling_s > 6 && per_doubling_s < 10, "%g s", per_doubling_s);
            continue;
        }
        for (int t = 0; t < m->terms; t++)
            cr_expect(m->coefficients[t] == before.whole_models[k].model.coefficients[t], "%d: %s",
                      (int)k, m->names[t]);
        k++;
    }
    cr_expect(after.steps[NEREUS_STEP_CONNECT].coefficients[0] ==
              before.steps[NEREUS_STEP_CONNECT].coefficients[0]);
    nereus_profile_fini(&before);
    nereus_profile_fini(&after);
    nereus_samples_fini(&samples);
}

/* Tables 1 to 4 as if nobody had replaced processes there: no start has more processes than cores.
 */
static void fit_without_baselines(struct nereus_samples *all, struct nereus_profile *p)
{
    struct nereus_samples rest = {.rows = NULL};
    rest.rows = calloc((size_t)all->count, sizeof *rest.rows);
    cr_assert_not_null(rest.rows);
    for (int64_t i = 0; i < all->count; i++)
        if (all->rows[i].method.process == NEREUS_MERGE)
            rest.rows[rest.count++] = all->rows[i];
    cr_assert(nereus_profile_fit(&rest, NULL, p, NULL) == NEREUS_OK);
    free(rest.rows);
}

/*
 * Sources and targets of a baseline share their nodes. Held against the table's own plain
 * baselines: as a start on an empty node they are told half of what they took, each outside an
 * interval of a seventh.
 */
Test(fit, starts_on_full_nodes_that_nobody_measured)
{
    const struct nereus_machine machine = {.cores_per_node = 20};
    struct nereus_samples all = {.rows = NULL};
    struct nereus_profile p;
    size_t rows = 0, inside = 0, near = 0;
    read_into(DATA "spawning_tables_1_to_4.csv", &all);
    fit_without_baselines(&all, &p);
    cr_expect(strstr(p.steps[NEREUS_STEP_SPAWN].source, "full nodes") != NULL);
    for (int64_t i = 0; i < all.count; i++) {
        const struct nereus_sample *s = &all.rows[i];
        const struct nereus_scenario scenario = {
            .machine = &machine, .ns = s->ns, .nt = s->nt, .t_iter_ns_s = 0.1, .t_iter_nt_s = 0.1};
        struct nereus_prediction prediction;
        if (s->method.process != NEREUS_BASELINE || s->method.strategy != NEREUS_PLAIN ||
            s->method.async)
            continue;
        cr_assert(nereus_predict(&p, &scenario, &s->method, &prediction, NULL) == NEREUS_OK);
        rows++;
        inside += prediction.rt_s.low <= s->rt_s && s->rt_s <= prediction.rt_s.high;
        near += fabs(prediction.rt_s.value / s->rt_s - 1) < 0.25;
        cr_expect(s->ns < 20 || strstr(note_of(prediction), "prior: a start on full nodes") != NULL,
                  "%s", note_of(prediction));
    }
    cr_expect(rows == 30 && inside >= 28 && near >= 28,
              "of %zu baselines %zu inside, %zu within 25 %%", rows, inside, near);
    nereus_profile_fini(&p);
    nereus_samples_fini(&all);
}

Test(fit, two_clusters_are_refused_unless_one_is_named)
{
    struct nereus_samples samples = {.rows = NULL};
    struct nereus_profile p;
    struct nereus_error err = {.text = ""};
    read_into(DATA "spawning_tables_1_to_4.csv", &samples);
    read_into(DATA "parallel_mn5.csv", &samples);
    cr_expect(nereus_profile_fit(&samples, NULL, &p, &err) == NEREUS_ERR_ARGUMENT);
    cr_expect(strstr(err.text, "ij120, mn5") != NULL && strstr(err.text, "--cluster") != NULL, "%s",
              err.text);
    cr_expect(nereus_profile_fit(&samples, "nm5", &p, &err) == NEREUS_ERR_ARGUMENT);
    cr_expect(strstr(err.text, "did you mean 'mn5'") != NULL, "%s", err.text);
    cr_assert(nereus_profile_fit(&samples, "mn5", &p, &err) == NEREUS_OK, "%s", err.text);
    cr_expect(p.cores_per_node == 112 && p.measured_count == 64);
    nereus_profile_fini(&p);
    nereus_samples_fini(&samples);
}

/* The last of many clusters: it is found by its name, and all are counted. */
Test(fit, a_file_may_have_any_number_of_clusters)
{
    enum { CLUSTERS = 65 };
    struct nereus_sample rows[CLUSTERS];
    const struct nereus_samples samples = {.rows = rows, .count = CLUSTERS};
    struct nereus_profile p;
    struct nereus_error err = {.text = ""};
    for (int i = 0; i < CLUSTERS; i++) {
        rows[i] = (struct nereus_sample){.kind = NEREUS_SAMPLE_RECONFIGURATION,
                                         .cores_per_node = 20,
                                         .ns = 20,
                                         .nt = 40,
                                         .t_iter_ns_s = NAN,
                                         .t_iter_nt_s = NAN,
                                         .bytes = NAN,
                                         .rt_s = 0.7,
                                         .ct_s = NAN,
                                         .iterations = NAN,
                                         .time_s = NAN,
                                         .n = 1};
        cr_assert(nereus_method_parse("merge", &rows[i].method, NULL) == NEREUS_OK);
        snprintf(rows[i].cluster, sizeof rows[i].cluster, "c%d", i + 1);
    }
    cr_expect(nereus_profile_fit(&samples, NULL, &p, &err) == NEREUS_ERR_ARGUMENT);
    cr_expect(strstr(err.text, "of 65 clusters (c1, c2, ") != NULL, "%s", err.text);
    cr_assert(nereus_profile_fit(&samples, "c65", &p, &err) == NEREUS_OK, "%s", err.text);
    cr_expect_str_eq(p.cluster, "c65");
    nereus_profile_fini(&p);
}

/* ---- a calibration's rows ---- */

static struct nereus_sample step_row(enum nereus_step_kind kind, int64_t old, int64_t new,
                                     double time_s, bool over)
{
    return (struct nereus_sample){.cluster = "synthetic",
                                  .kind = NEREUS_SAMPLE_STEP,
                                  .step = kind,
                                  .cores_per_node = 4,
                                  .ns = old,
                                  .nt = new,
                                  .t_iter_ns_s = NAN,
                                  .t_iter_nt_s = NAN,
                                  .bytes = NAN,
                                  .rt_s = NAN,
                                  .ct_s = NAN,
                                  .iterations = NAN,
                                  .time_s = time_s,
                                  .old_processes = old,
                                  .new_processes = new,
                                  .oversubscribed = over,
                                  .n = 1};
}

/* Price of a step on nodes of 4 cores, by the fitted model of its kind. */
static double price_s(const struct nereus_profile *p, enum nereus_step_kind kind, int64_t old,
                      int64_t new, bool over)
{
    struct nereus_node node = {.cores = 4};
    const struct nereus_machine machine = {
        .cores_per_node = 4, .node_count = over ? 1 : 0, .nodes = over ? &node : NULL};
    const struct nereus_method merge = {.process = NEREUS_MERGE};
    const struct nereus_step step = {.kind = kind,
                                     .repeat = 1,
                                     .times = 1,
                                     .old_processes = old,
                                     .new_processes = new,
                                     .first_new = old};
    struct nereus_cost_context context;
    struct nereus_cost_input input;
    nereus_cost_context_init(p, &machine, old, old + new, &merge, &context);
    nereus_cost_input_make(&context, &step, &input);
    return nereus_cost_value(over ? &p->steps_oversubscribed[kind] : &p->steps[kind], &input, NULL);
}

/* A thread's shrink on one node, never measured: a slice of the scheduler; on two as measured. */
Test(fit, a_thread_on_one_node_takes_a_slice)
{
    struct nereus_sample rows[20];
    int64_t n = 0;
    for (int repeat = 0; repeat < 3; repeat++) {
        for (int64_t old = 2; old <= 4; old++)
            rows[n++] =
                step_row(NEREUS_STEP_SPLIT, old, 0, 0.0021 + 0.0032 * log2((double)old), false);
        rows[n] = step_row(NEREUS_STEP_SPLIT, 8, 5, NAN, false);
        rows[n].kind = NEREUS_SAMPLE_RECONFIGURATION;
        rows[n].method = (struct nereus_method){.process = NEREUS_MERGE, .async = true};
        rows[n].t_iter_ns_s = 0.05;
        rows[n++].rt_s = 0.0473;
    }
    const struct nereus_samples samples = {.rows = rows, .count = n};
    struct nereus_profile p;
    struct nereus_error err = {.text = ""};
    cr_assert(nereus_profile_fit(&samples, NULL, &p, &err) == NEREUS_OK, "%s", err.text);
    const double one_s = coefficient(&p.async_shrink, "const"),
                 doubling_s = coefficient(&p.async_shrink, "log2_source_nodes");
    cr_expect(one_s > 0.01 && one_s < 0.04, "%g", one_s);
    cr_expect(fabs((one_s + doubling_s) / 0.0473 - 1) < 0.1, "%g and %g", one_s, doubling_s);
    nereus_profile_fini(&p);
}

Test(fit, step_rows_price_their_step)
{
    struct nereus_sample rows[200];
    int64_t n = 0;
    for (int repeat = 0; repeat < 5; repeat++) {
        const double wobble = 1 + 0.01 * (repeat - 2);
        for (int64_t old = 1; old <= 3; old++) {
            rows[n++] = step_row(NEREUS_STEP_MERGE, old, 1,
                                 (3e-4 + 7e-4 * log2((double)old + 1)) * wobble, false);
            rows[n++] = step_row(NEREUS_STEP_SPAWN, old, 1, 0.07 * wobble, false);
            rows[n++] = step_row(NEREUS_STEP_SPAWN, old, 6,
                                 (0.05 + 0.2 * sqrt(((double)old + 6) / 4 - 1)) * wobble, true);
        }
        rows[n++] = step_row(NEREUS_STEP_SPLIT, 3, 0, 5e-4 * wobble, false);
    }
    const struct nereus_samples samples = {.rows = rows, .count = n};
    struct nereus_profile p;
    struct nereus_error err = {.text = ""};
    cr_assert(nereus_profile_fit(&samples, NULL, &p, &err) == NEREUS_OK, "%s", err.text);
    for (int64_t old = 1; old <= 3; old++) {
        const double merge_s = 3e-4 + 7e-4 * log2((double)old + 1),
                     over_s = 0.05 + 0.2 * sqrt(((double)old + 6) / 4 - 1);
        cr_expect(fabs(price_s(&p, NEREUS_STEP_MERGE, old, 1, false) / merge_s - 1) < 0.05);
        cr_expect(fabs(price_s(&p, NEREUS_STEP_SPAWN, old, 1, false) / 0.07 - 1) < 0.05);
        /* Oversubscribed rows are a fit of their own, and a kind without such rows has none. */
        cr_expect(fabs(price_s(&p, NEREUS_STEP_SPAWN, old, 6, true) / over_s - 1) < 0.05);
    }
    cr_expect(fabs(price_s(&p, NEREUS_STEP_SPLIT, 3, 0, false) / 5e-4 - 1) < 0.02);
    cr_expect(p.steps_oversubscribed[NEREUS_STEP_SPAWN].max_load == 2.25);
    cr_expect(p.steps_oversubscribed[NEREUS_STEP_MERGE].basis == NEREUS_BASIS_NONE);
    /* Of steps alone, the two methods that are made of them can be predicted. */
    cr_expect(p.method_count == 2);
    nereus_profile_fini(&p);
}

Test(fit, step_rows_and_whole_rows_are_one_regression)
{
    /* Spawns cost 0.4 s and merges 0.1 s; whole reconfigurations 0.65 s: 0.15 s are neither. */
    struct nereus_sample rows[60];
    int64_t n = 0;
    for (int repeat = 0; repeat < 5; repeat++) {
        const double wobble = 1 + 0.01 * (repeat - 2);
        rows[n++] = step_row(NEREUS_STEP_SPAWN, 2, 1, 0.4 * wobble, false);
        rows[n++] = step_row(NEREUS_STEP_MERGE, 2, 1, 0.1 * wobble, false);
        struct nereus_sample whole = step_row(NEREUS_STEP_SPAWN, 0, 0, NAN, false);
        whole.kind = NEREUS_SAMPLE_RECONFIGURATION;
        whole.ns = 2, whole.nt = 3, whole.rt_s = 0.65 * wobble, whole.method.process = NEREUS_MERGE;
        rows[n++] = whole;
    }
    const struct nereus_samples samples = {.rows = rows, .count = n};
    struct nereus_profile p;
    cr_assert(nereus_profile_fit(&samples, NULL, &p, NULL) == NEREUS_OK);
    const double spawn_s = price_s(&p, NEREUS_STEP_SPAWN, 2, 1, false),
                 merge_s = price_s(&p, NEREUS_STEP_MERGE, 2, 1, false),
                 rest_s = coefficient(&p.steps[NEREUS_STEP_DECIDE], "const");
    cr_expect(fabs(spawn_s / 0.4 - 1) < 0.05 && fabs(merge_s / 0.1 - 1) < 0.05, "%g, %g", spawn_s,
              merge_s);
    cr_expect(fabs(rest_s / 0.15 - 1) < 0.15, "%g", rest_s);
    cr_expect(fabs((spawn_s + merge_s + rest_s) / 0.65 - 1) < 0.01);
    cr_expect(p.steps[NEREUS_STEP_COMMIT].basis == NEREUS_BASIS_CONTAINED);
    cr_expect(strcmp(p.steps[NEREUS_STEP_COMMIT].source, "decide") == 0);
    cr_expect(p.measured_count == 1 && p.measurements[0].n == 5 &&
              p.measurements[0].log_sd > 0.005);
    nereus_profile_fini(&p);
}

/* The runs of each size are a fifth of the line, the line, and five times the line: the log-sd is
 * that of log(5), 0, -log(5), with the degrees of freedom that two coefficients leave. */
Test(fit, messages_scatter_by_logarithms)
{
    enum { SIZES = 8, ROWS = 3 * SIZES };
    struct nereus_sample rows[ROWS];
    const struct nereus_sample *pointers[ROWS];
    struct nereus_hockney pair = {.pieces = 0};
    for (int i = 0; i < ROWS; i++) {
        rows[i] = step_row(NEREUS_STEP_SPAWN, 0, 0, 0, false);
        rows[i].bytes = 64 * (1 + (double)(i / 3));
        rows[i].time_s = (2e-6 + 1e-9 * rows[i].bytes) * pow(5, i % 3 - 1);
        pointers[i] = &rows[i];
    }
    cr_assert(nereus_fit_hockney(pointers, ROWS, &pair, NULL) == NEREUS_OK);
    cr_expect(pair.pieces == 1, "%d pieces", pair.pieces);
    cr_expect_float_eq(pair.log_sd, log(5) * sqrt(2 * SIZES / (NEREUS_HUBER_SHARE * (ROWS - 2))),
                       1e-3, "%g", pair.log_sd);
}

Test(fit, pingpong_finds_the_breakpoint)
{
    struct nereus_sample rows[128];
    int64_t n = 0;
    for (double bytes = 1; bytes <= 1 << 22; bytes *= 2)
        for (int repeat = 0; repeat < 3; repeat++) {
            const double t = bytes < 16384 ? 1.8e-5 + 2.1e-9 * bytes : 7.7e-5 + 3.3e-10 * bytes;
            rows[n] = step_row(NEREUS_STEP_SPAWN, 0, 0, t * (1 + 0.005 * (repeat - 1)), false);
            rows[n].kind = NEREUS_SAMPLE_PINGPONG;
            rows[n].pair = NEREUS_PAIR_DIFFERENT_WORLDS_SAME_NODE;
            rows[n++].bytes = bytes;
        }
    const struct nereus_samples samples = {.rows = rows, .count = n};
    struct nereus_profile p;
    cr_assert(nereus_profile_fit(&samples, NULL, &p, NULL) == NEREUS_OK);
    const struct nereus_hockney *pair = &p.pairs[NEREUS_PAIR_DIFFERENT_WORLDS_SAME_NODE];
    cr_expect(pair->pieces == 2 && pair->from_bytes[1] == 16384, "%d pieces, break at %g",
              pair->pieces, pair->from_bytes[1]);
    cr_expect_float_eq(pair->alpha_s[0], 1.8e-5, 2e-7);
    cr_expect_float_eq(pair->beta_s_per_byte[0], 2.1e-9, 5e-11);
    cr_expect_float_eq(pair->alpha_s[1], 7.7e-5, 2e-6);
    cr_expect_float_eq(pair->beta_s_per_byte[1], 3.3e-10, 5e-12);
    cr_expect(p.pairs[NEREUS_PAIR_SAME_WORLD_SAME_NODE].basis == NEREUS_BASIS_NONE);
    /* What was not measured has a prior with a name. */
    cr_expect(strcmp(p.steps[NEREUS_STEP_REDISTRIBUTE].source, "redistribute at ping-pong speed") ==
              0);
    nereus_profile_fini(&p);
}

/* A message of a synthetic network, by up to three straight pieces. */
static double message_s(const double piece[3][3], double bytes)
{
    int at = 0;
    for (int k = 1; k < 3; k++)
        at = piece[k][0] > 0 && bytes >= piece[k][0] ? k : at;
    return piece[at][1] + piece[at][2] * bytes;
}

/*
 * A single run of a ping-pong scatters by some per cent, and something else comes in between at one
 * size or two: these hide no break, and make none. 8 B to 16 MiB as a calibration has them, or a
 * quarter of the sizes.
 */
Test(fit, an_outlier_hides_no_breakpoint)
{
    static const double scatter[] = {0.021,  -0.034, 0.013,  -0.008, 0.029,
                                     -0.017, 0.002,  -0.026, 0.015};
    static const struct {
        const char *why;
        double piece[3][3];    /* from bytes, alpha, beta */
        double outliers[2][2]; /* bytes, factor */
        int pieces, step;
    } rows[] = {
        {"a line", {{0, 1e-6, 2e-10}}, {{0}}, 1, 2},
        {"a line, its end in no cache", {{0, 1e-6, 2e-10}}, {{1 << 24, 2.6}}, 1, 2},
        {"a line with two outliers", {{0, 1e-6, 2e-10}}, {{64, 2.2}, {1 << 18, 3}}, 1, 2},
        {"eager and rendezvous", {{0, 1.1e-6, 4.6e-10}, {8192, 5e-6, 1.45e-10}}, {{0}}, 2, 2},
        {"the same, its end in no cache",
         {{0, 1.1e-6, 4.6e-10}, {8192, 5e-6, 1.45e-10}},
         {{1 << 24, 2.6}},
         2,
         2},
        {"the same with two outliers",
         {{0, 1.1e-6, 4.6e-10}, {8192, 5e-6, 1.45e-10}},
         {{128, 2.9}, {1 << 24, 2.6}},
         2,
         2},
        {"three protocols",
         {{0, 9e-7, 0}, {512, 1.3e-6, 2e-10}, {8192, 4e-6, 1.4e-10}},
         {{1 << 24, 2.6}},
         3,
         2},
        {"few sizes", {{0, 1e-6, 5.6e-11}, {2097152, 0, 1.3e-10}}, {{0}}, 2, 4},
        {"few sizes, a protocol's change",
         {{0, 1.1e-6, 4.6e-10}, {8192, 5e-6, 1.45e-10}},
         {{1 << 24, 2.6}},
         2,
         4},
    };
    for (size_t r = 0; r < NEREUS_COUNT_OF(rows); r++) {
        struct nereus_sample samples[64];
        int64_t n = 0;
        for (double bytes = 8; bytes <= 1 << 24;
             bytes = bytes < 1 << 24 ? fmin(1 << 24, bytes * rows[r].step) : INFINITY) {
            double t = message_s(rows[r].piece, bytes) *
                       (1 + scatter[(size_t)n % NEREUS_COUNT_OF(scatter)]);
            for (int o = 0; o < 2; o++)
                t *= rows[r].outliers[o][0] > 0 && bytes == rows[r].outliers[o][0]
                         ? rows[r].outliers[o][1]
                         : 1;
            samples[n] = step_row(NEREUS_STEP_SPAWN, 0, 0, t, false);
            samples[n].kind = NEREUS_SAMPLE_PINGPONG;
            samples[n].pair = NEREUS_PAIR_SAME_WORLD_SAME_NODE;
            samples[n++].bytes = bytes;
        }
        const struct nereus_samples all = {.rows = samples, .count = n};
        struct nereus_profile p;
        cr_assert(nereus_profile_fit(&all, NULL, &p, NULL) == NEREUS_OK);
        const struct nereus_hockney *pair = &p.pairs[NEREUS_PAIR_SAME_WORLD_SAME_NODE];
        cr_expect_eq(pair->pieces, rows[r].pieces, "%s: %d pieces", rows[r].why, pair->pieces);
        for (int k = 1; k < pair->pieces && k < rows[r].pieces; k++)
            cr_expect_eq(pair->from_bytes[k], rows[r].piece[k][0], "%s: a break at %g", rows[r].why,
                         pair->from_bytes[k]);
        for (double bytes = 8; bytes <= 1 << 23; bytes *= 2) {
            const double off = nereus_hockney_s(pair, bytes) / message_s(rows[r].piece, bytes) - 1;
            cr_expect(fabs(off) < 0.08, "%s: %g bytes are off by %g", rows[r].why, bytes, off);
        }
        nereus_profile_fini(&p);
    }
}

/* A time of 0 is "less than the clocks could tell": it counts in the median, and a cell without any
 * other says nothing. */
Test(fit, times_that_could_not_be_told)
{
    static const struct {
        double times_s[5], median_s; /* 0: no cell */
        double first_s;
    } rows[] = {
        {{8e-6, 0, 4e-6, 0, 6e-6}, 4e-6, 2e-6},
        {{0, 0, 4e-6, 0, 6e-6}, 2e-6, 2e-6},
        {{3e-6, 9e-6, 4e-6, 5e-6, 6e-6}, 5e-6, 3e-6},
        {{0, 0, 0, 0, 0}, 0, 0},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_sample samples[6];
        const struct nereus_sample *all[6];
        struct nereus_fit_cells cells;
        memset(samples, 0, sizeof samples);
        for (int r = 0; r < 6;
             r++) { /* the last one is a cell of its own, behind that which may be left out */
            samples[r].kind = NEREUS_SAMPLE_STEP;
            samples[r].step = NEREUS_STEP_COMMIT;
            samples[r].ns = r < 5 ? 7 : 9;
            samples[r].time_s = r < 5 ? rows[i].times_s[r] : 1;
            all[r] = &samples[r];
        }
        const struct nereus_fit_rows of = {.rows = all, .count = 6};
        cr_assert_eq(nereus_fit_cells_make(&of, false, &cells, NULL), NEREUS_OK);
        const bool none = rows[i].median_s == 0;
        cr_assert_eq(cells.count, none ? 1 : 2, "row %zu", i);
        if (!none) {
            cr_expect_float_eq(cells.cells[0].sample.time_s, rows[i].median_s, 1e-12, "row %zu", i);
            cr_expect_float_eq(cells.cells[0].times_s[0], rows[i].first_s, 1e-12, "row %zu", i);
        }
        cr_expect_eq(cells.cells[cells.count - 1].sample.time_s, 1);
        cr_expect_eq(cells.cells[cells.count - 1].sample.ns, 9);
        nereus_fit_cells_fini(&cells);
    }
}

/* Times that agree to the last digit were rounded: the next one may be another, all the same. */
Test(fit, no_spread_is_zero)
{
    double same[10] = {0}, noisy[10], apart[3] = {0};
    for (int i = 0; i < 10; i++)
        noisy[i] = i % 2 == 0 ? 0.1 : -0.1;
    cr_expect(nereus_fit_log_sd(same, 10, 2) == 0.005);
    cr_expect(nereus_fit_log_sd(apart, 3, 2) == 0.04);
    cr_expect(nereus_fit_log_sd(noisy, 10, 2) > 0.1);
}

static void expect_priors(const char *model, const enum nereus_term *terms, int count)
{
    cr_expect(count <= NEREUS_TERMS_MAX, "%s: more than NEREUS_TERMS_MAX terms", model);
    for (int i = 0; i < count; i++)
        cr_expect(nereus_term_prior_of(model, nereus_term_name(terms[i])) != NULL,
                  "model/fit/priors.c has no row of %s, %s", model, nereus_term_name(terms[i]));
}

/* A term without one would end the program that fits it. */
Test(fit, each_term_has_a_prior)
{
    static const char *const groups[] = {"async_plain", "async_single", "async_shrink"};
    static const char *const in_whole_rows[NEREUS_STEP_KIND_COUNT] = {
        [NEREUS_STEP_MERGE] = "merge in whole rows", [NEREUS_STEP_SPLIT] = "shrink"};
    static const struct {
        const char *model;
        struct nereus_method method;
    } methods[] = {{"baseline method", {.process = NEREUS_BASELINE, .strategy = NEREUS_DIFFUSIVE}},
                   {"merge method", {.process = NEREUS_MERGE, .strategy = NEREUS_DIFFUSIVE}},
                   {"ts method", {.process = NEREUS_MERGE, .shrink = NEREUS_TS}}};
    for (int kind = 0; kind < NEREUS_STEP_KIND_COUNT; kind++) {
        const struct nereus_cost_kind *row = nereus_cost_kind_of((enum nereus_step_kind)kind);
        const char *name = nereus_step_name((enum nereus_step_kind)kind);
        expect_priors(name, row->terms, row->term_count);
        expect_priors(in_whole_rows[kind] != NULL ? in_whole_rows[kind] : name, row->whole_terms,
                      row->whole_term_count);
    }
    for (size_t i = 0; i < NEREUS_COUNT_OF(methods); i++) {
        const enum nereus_term *terms;
        const int count = nereus_price_whole_terms(&methods[i].method, &terms);
        expect_priors(methods[i].model, terms, count);
    }
    for (int group = 0; group < 3; group++)
        for (int own = 0; own < 2; own++) {
            const enum nereus_overlap_term *terms;
            const int count =
                nereus_overlap_terms((enum nereus_async_group)group, own == 1, &terms);
            for (int i = 0; i < count; i++)
                cr_expect(nereus_term_prior_of(groups[group], nereus_overlap_term_name(terms[i])) !=
                              NULL,
                          "%s %s", groups[group], nereus_overlap_term_name(terms[i]));
        }
}

/* The more special prior counts, and the scatter of a name is its own. */
Test(fit, priors_and_scatters_by_name)
{
    static const struct {
        const char *model, *term;
        double value; /* priors.c */
    } priors[] = {{"agree", "const", 1e-4},        {"spawn", "const", 0.1},
                  {"decide", "starts", 10},        {"commit", "starts", 0.5},
                  {"async_single", "slice", 0.02}, {"async_shrink", "slice", 0.005}};
    static const struct {
        const char *model;
        bool single_runs;
        double log_sd; /* single runs scatter sqrt(10) / 1.25 times as much as medians of ten */
    } scatters[] = {{"step", false, 0.7},   {"step", true, 0.7},       {"whole", false, 0.1},
                    {"whole", true, 0.253}, {"ts method", false, 0.2}, {"shrink", true, 0.3}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(priors); i++)
        cr_expect(nereus_term_prior_of(priors[i].model, priors[i].term)->value == priors[i].value,
                  "%s %s", priors[i].model, priors[i].term);
    for (size_t i = 0; i < NEREUS_COUNT_OF(scatters); i++)
        cr_expect_float_eq(
            nereus_prior_scatter_of(scatters[i].model, scatters[i].single_runs).log_sd,
            scatters[i].log_sd, 1e-4, "%s", scatters[i].model);
}
