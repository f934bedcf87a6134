/** @file test_prepared.c  What is worked out once for a profile changes no prediction. */
#include <criterion/criterion.h>
#include <string.h>

#include "model/predict/lookup.h"
#include "model/predict/prepared.h"
#include "model/util/arith.h"
#include "nereus/goal.h"
#include "nereus/predict.h"

static struct nereus_profile fitted(const char *const *files, size_t count)
{
    struct nereus_samples samples = {.rows = NULL};
    struct nereus_profile profile;
    struct nereus_error err = {.text = ""};
    for (size_t i = 0; i < count; i++)
        cr_assert(nereus_samples_read(files[i], i > 0, &samples, &err) == NEREUS_OK, "%s",
                  err.text);
    cr_assert(nereus_profile_fit(&samples, NULL, &profile, &err) == NEREUS_OK, "%s", err.text);
    nereus_samples_fini(&samples);
    return profile;
}

static struct nereus_profile ij120(void)
{
    static const char *const files[] = {NEREUS_SOURCE_DIR
                                        "/tests/unit/data/spawning_tables_1_to_4.csv"};
    return fitted(files, 1);
}

static void forget_terms(struct nereus_linear_model *m)
{
    memset(m->term_numbers, 0, sizeof m->term_numbers);
}

/* The same profile without nereus_profile_prepare; it shares the lists. */
static struct nereus_profile unprepared(const struct nereus_profile *profile)
{
    struct nereus_profile p = *profile;
    p.prepared = NULL;
    for (int k = 0; k < NEREUS_STEP_KIND_COUNT; k++) {
        forget_terms(&p.steps[k]);
        forget_terms(&p.steps_oversubscribed[k]);
    }
    forget_terms(&p.async_plain);
    forget_terms(&p.async_single);
    forget_terms(&p.async_shrink);
    forget_terms(&p.async_plain_oversubscribed);
    forget_terms(&p.async_single_oversubscribed);
    forget_terms(&p.async_shrink_oversubscribed);
    forget_terms(&p.omega);
    forget_terms(&p.omega_by_thread);
    return p;
}

static bool same_figures(const struct nereus_prediction *a, const struct nereus_prediction *b)
{
    const double x[] = {a->rt_s.value, a->rt_s.low,       a->rt_s.high,  a->rt_sync_s,
                        a->alpha,      a->omega,          a->iterations, a->ct_s,
                        a->wait_s,     a->t_ex_expected_s};
    const double y[] = {b->rt_s.value, b->rt_s.low,       b->rt_s.high,  b->rt_sync_s,
                        b->alpha,      b->omega,          b->iterations, b->ct_s,
                        b->wait_s,     b->t_ex_expected_s};
    char a_note[NEREUS_NOTE_TEXT_MAX], b_note[NEREUS_NOTE_TEXT_MAX];
    return memcmp(x, y, sizeof x) == 0 && a->source == b->source &&
           strcmp(nereus_prediction_note(a, a_note), nereus_prediction_note(b, b_note)) == 0;
}

Test(prepared, predictions_are_the_same_without)
{
    struct nereus_profile with = ij120();
    const struct nereus_profile without = unprepared(&with);
    const struct nereus_machine machine = {.cores_per_node = 20};
    int compared = 0, measured = 0;
    static const int64_t sizes[] = {1, 2, 7, 10, 15, 20, 33, 40, 60, 80, 97, 120, 160, 333};
    for (size_t x = 0; x < NEREUS_COUNT_OF(sizes); x++)
        for (size_t y = 0; y < NEREUS_COUNT_OF(sizes); y++)
            for (int64_t i = 0; i < with.method_count; i++) {
                const int64_t ns = sizes[x], nt = sizes[y];
                const struct nereus_scenario s = {.machine = &machine,
                                                  .ns = ns,
                                                  .nt = nt,
                                                  .t_iter_ns_s = 4.0 / (double)ns,
                                                  .t_iter_nt_s = 4.0 / (double)nt,
                                                  .iterations_after = 97};
                struct nereus_prediction a, b;
                const enum nereus_status status =
                    nereus_predict(&with, &s, &with.methods[i], &a, NULL);
                cr_assert(nereus_predict(&without, &s, &with.methods[i], &b, NULL) == status);
                if (status != NEREUS_OK)
                    continue;
                cr_assert(same_figures(&a, &b), "%lld -> %lld", (long long)ns, (long long)nt);
                measured += a.source == NEREUS_MEASURED;
                compared++;
            }
    cr_expect(compared > 1000 && measured > 90, "%d, %d measured", compared, measured);
    nereus_profile_fini(&with);
}

/* Groups hold each row once, in the profile's order, and only such as belong together. */
Test(prepared, groups_partition_the_rows)
{
    struct nereus_profile p = ij120();
    int64_t rows = 0;
    for (int64_t i = 0; i < p.measured_count; i++) {
        const struct nereus_measurement *m = &p.measurements[i];
        const struct nereus_measurement_span span = nereus_prepared_span(
            &p, &m->method, nereus_measurement_nodes(m), m->oversubscribed, m->nt < m->ns);
        bool found = false;
        cr_assert(span.index != NULL && span.count < p.measured_count);
        for (int64_t k = 0; k < span.count; k++) {
            found = found || nereus_span_at(&span, k) == i;
            cr_assert(k == 0 || span.index[k] > span.index[k - 1]);
        }
        cr_assert(found, "row %lld", (long long)i);
        rows += span.index[0] == i ? span.count : 0;
    }
    cr_expect(rows == p.measured_count, "%lld of %lld rows", (long long)rows,
              (long long)p.measured_count);
    nereus_profile_fini(&p);
}

/* A replaced or shortened list of rows is not looked up in the groups of the former one. */
Test(prepared, other_rows_are_not_looked_up)
{
    struct nereus_profile p = ij120();
    const struct nereus_method method = p.measurements[0].method;
    const struct nereus_nodes_key nodes = {0, 20, 0};
    p.measured_count = 5;
    const struct nereus_measurement_span span =
        nereus_prepared_span(&p, &method, nodes, false, false);
    cr_expect(span.index == NULL && span.count == 5);
    cr_assert(nereus_profile_prepare(&p, NULL) == NEREUS_OK);
    cr_expect(nereus_prepared_span(&p, &method, nodes, false, false).count <= 5);
    nereus_profile_fini(&p);
}

/* Every way to start and to end processes that is legal. */
static int all_methods(struct nereus_method *methods, int max)
{
    int count = 0;
    for (int i = 0; i < NEREUS_PROCESS_COUNT * NEREUS_STRATEGY_COUNT * NEREUS_SHRINK_COUNT * 2;
         i++) {
        const struct nereus_method m = {
            .process = (enum nereus_process)(i % NEREUS_PROCESS_COUNT),
            .strategy = (enum nereus_strategy)(i / NEREUS_PROCESS_COUNT % NEREUS_STRATEGY_COUNT),
            .async = i / NEREUS_PROCESS_COUNT / NEREUS_STRATEGY_COUNT % 2 != 0,
            .shrink = (enum nereus_shrink)(i / NEREUS_PROCESS_COUNT / NEREUS_STRATEGY_COUNT / 2)};
        if (count < max && nereus_method_check(&m, NULL) == NEREUS_OK)
            methods[count++] = m;
    }
    return count;
}

static int same_one_by_one(const struct nereus_profile *profile, const struct nereus_scenario *s)
{
    enum { MAX = 128 };
    static const struct nereus_ranking ranking = NEREUS_RANKING_INIT;
    struct nereus_method methods[MAX];
    struct nereus_prediction together[MAX], best[2], alone;
    const int method_count = all_methods(methods, MAX);
    const int count = nereus_predict_all(&(struct nereus_goal_question){profile, s, &ranking},
                                         methods, method_count, together);
    for (int i = 0; i < count; i++) {
        cr_assert(nereus_predict(profile, s, &together[i].method, &alone, NULL) == NEREUS_OK);
        cr_assert(same_figures(&together[i], &alone), "%lld -> %lld", (long long)s->ns,
                  (long long)s->nt);
    }
    if (!s->values_only && nereus_predict_best(&(struct nereus_goal_question){profile, s, &ranking},
                                               methods, method_count, together, best) > 0)
        for (int g = 0; g < 2; g++) {
            cr_assert(nereus_predict(profile, s, &best[g].method, &alone, NULL) == NEREUS_OK);
            cr_assert(same_figures(&best[g], &alone), "%lld -> %lld", (long long)s->ns,
                      (long long)s->nt);
        }
    return count;
}

/* Values shared by the methods of a pair are computed once, with and without errors: bit-identical
 * to separate predictions. */
Test(prepared, many_methods_are_predicted_as_each_by_itself)
{
    static const char *const files[] = {NEREUS_SOURCE_DIR "/tests/unit/data/calibrated.json",
                                        NEREUS_SOURCE_DIR "/tests/cli/data/profile.json"};
    int compared = 0;
    for (int f = 0; f < 2; f++) {
        struct nereus_profile profile;
        cr_assert(nereus_profile_read(files[f], &profile, NULL) == NEREUS_OK);
        struct nereus_node node = {.name = "a", .cores = profile.cores_per_node};
        const struct nereus_machine machines[] = {
            {.cores_per_node = profile.cores_per_node},
            {.cores_per_node = profile.cores_per_node, .node_count = 1, .nodes = &node}};
        for (int pair = 0; pair < 200; pair++) {
            const struct nereus_scenario s = {.machine = &machines[pair % 2],
                                              .ns = 1 + pair * 7 % 19,
                                              .nt = 1 + pair * 11 % 23,
                                              .variable_bytes = pair % 3 == 0 ? 1e6 : 0,
                                              .t_iter_ns_s = 0.1,
                                              .t_iter_nt_s = 0.1,
                                              .iterations_after = 97,
                                              .values_only = pair / 2 % 2 == 0};
            compared += same_one_by_one(&profile, &s);
        }
        nereus_profile_fini(&profile);
    }
    cr_expect(compared > 4000, "%d", compared);
}

/* A failed estimate leaves the remembered ones intact. */
Test(prepared, what_fails_leaves_no_estimate_behind)
{
    static struct nereus_estimates estimates;
    static struct nereus_profile profile;
    const struct nereus_machine machine = {.cores_per_node = 2};
    const struct nereus_scenario s = {.machine = &machine, .ns = 5, .nt = 11, .t_iter_ns_s = 0.1};
    const struct nereus_method launch = {.process = NEREUS_BASELINE_INTRA,
                                         .strategy = NEREUS_LAUNCH};
    struct nereus_process_estimate found, alone;
    cr_assert(nereus_profile_read(NEREUS_SOURCE_DIR "/tests/unit/data/calibrated.json", &profile,
                                  NULL) == NEREUS_OK);
    profile.steps[NEREUS_STEP_LAUNCH].basis = NEREUS_BASIS_NONE;
    nereus_estimates_init(&estimates);
    /* Which of them are legal does not matter here. */
    for (int i = 0; i < NEREUS_PROCESS_COUNT * NEREUS_STRATEGY_COUNT * NEREUS_SHRINK_COUNT &&
                    estimates.count < NEREUS_ESTIMATES_MAX;
         i++) {
        const struct nereus_method method = {
            .process = (enum nereus_process)(i % NEREUS_PROCESS_COUNT),
            .strategy = (enum nereus_strategy)(i / NEREUS_PROCESS_COUNT % NEREUS_STRATEGY_COUNT),
            .shrink = (enum nereus_shrink)(i / NEREUS_PROCESS_COUNT / NEREUS_STRATEGY_COUNT)};
        nereus_lookup_estimate_once(&profile, &s, &method, &estimates, &found, NULL);
    }
    cr_assert_eq(estimates.count, NEREUS_ESTIMATES_MAX);
    cr_assert(nereus_lookup_estimate_once(&profile, &s, &launch, &estimates, &found, NULL) ==
              NEREUS_ERR_NO_BASIS);
    for (int i = 0; i < estimates.count; i++) {
        cr_assert(nereus_lookup_estimate(&profile, &s, &estimates.items[i].method, &alone, NULL) ==
                  NEREUS_OK);
        cr_expect_eq(estimates.items[i].estimate.sum.value_s, alone.sum.value_s, "%d", i);
    }
    nereus_profile_fini(&profile);
}
