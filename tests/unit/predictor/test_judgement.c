/** @file test_judgement.c  Order statistics, coverage, errors, the noise floor and regrets, from
 * rows made by hand. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "model/evaluate/choices.h"
#include "model/evaluate/held_out.h"
#include "model/evaluate/judgement.h"
#include "model/statistics/statistics.h"
#include "model/util/arith.h"
#include "predictor/validate/live_store.h"

#define DATA NEREUS_SOURCE_DIR "/tests/"

static bool near(double a, double b)
{
    return isnan(b) ? isnan(a) : fabs(a - b) <= 1e-6 * fmax(1, fabs(b));
}

/* ---- order statistics ---- */

Test(statistics, quantiles)
{
    const double values[] = {1, 2, 4, 8};
    const struct {
        int count;
        double probability, expected;
    } rows[] = {{4, 0.5, 3}, {4, 0.9, 6.8}, {4, 0, 1},    {4, 1, 8},
                {3, 0.5, 2}, {1, 0.9, 1},   {0, 0.5, NAN}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const double value = nereus_quantile(values, rows[i].count, rows[i].probability);
        cr_expect(near(value, rows[i].expected), "row %zu: %g", i, value);
    }
}

Test(statistics, median_of_the_others)
{
    const double values[] = {1, 2, 4, 8, 16};
    const struct {
        int count, left_out;
        double expected;
    } rows[] = {{4, 0, 4}, {4, 1, 4}, {4, 2, 2}, {4, 3, 2},  {5, 0, 6},
                {5, 2, 5}, {5, 4, 3}, {2, 0, 2}, {1, 0, NAN}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const double value = nereus_median_without(values, rows[i].count, rows[i].left_out);
        cr_expect(near(value, rows[i].expected), "row %zu: %g", i, value);
    }
}

Test(statistics, range_of_a_share)
{
    /* In closed form where all, none, or all but one are inside: (1-p)^n, p^n, and n p^(n-1) -
     * (n-1) p^n is 5 %. */
    const struct {
        int inside, count;
        double low, high;
    } rows[] = {{10, 10, 0.741134449106, 1},
                {0, 10, 0, 0.258865550894},
                {9, 10, 0.605836698, 0.994883803},
                {0, 0, 0, 1}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        double low, high;
        nereus_binomial_interval(rows[i].inside, rows[i].count, &low, &high);
        cr_expect(near(low, rows[i].low) && near(high, rows[i].high), "row %zu: %.9g to %.9g", i,
                  low, high);
    }
    const double tail = 10 * pow(0.605836698, 9) - 9 * pow(0.605836698, 10);
    cr_expect(fabs(tail - 0.05) < 1e-6, "the table's own arithmetic: %g", tail);
}

/* ---- coverage, errors, floor ---- */

static struct nereus_method method_of(const char *text)
{
    struct nereus_method method;
    struct nereus_error err;
    cr_assert_eq(nereus_method_parse(text, &method, &err), NEREUS_OK, "%s", err.text);
    return method;
}

static const struct nereus_judgement_row *find(const struct nereus_judgement *judgement,
                                               enum nereus_judgement_cores cores,
                                               const char *quantity, const char *name)
{
    for (int i = 0; i < judgement->count; i++) {
        const struct nereus_judgement_row *row = &judgement->rows[i];
        if (row->cores == cores && strcmp(row->quantity, quantity) == 0 &&
            strcmp(row->name, name) == 0)
            return row;
    }
    return NULL;
}

static double spawn_s[] = {0.09, 0.1, 0.2}, plain_rt_s[] = {0.18, 0.21, 0.295},
              async_rt_s[] = {0.25}, beside[] = {8, 12}, t_ex_s[] = {1.95, 2.05, 2.5};

#define SPAWN_ROW                                                                                  \
    {                                                                                              \
        .what = "spawn", .number = 1, .prediction = {0.1, 0.08, 0.13}, .measured_s = spawn_s,      \
        .count = 3                                                                                 \
    }

static struct nereus_comparison_row plain_rows[] = {SPAWN_ROW,
                                                    {.what = "RT",
                                                     .prediction = {0.2, 0.15, 0.3},
                                                     .measured_s = plain_rt_s,
                                                     .count = 3,
                                                     .median_s = 0.21}};
static struct nereus_comparison_row async_rows[] = {SPAWN_ROW,
                                                    {.what = "RT",
                                                     .prediction = {0.2, 0.15, 0.3},
                                                     .measured_s = async_rt_s,
                                                     .count = 1,
                                                     .median_s = 0.25}};

/* A plain method and an asynchronous, oversubscribed one; of the first `count`. */
static struct nereus_judgement judge(int count)
{
    struct nereus_comparison comparisons[] = {{.ns = 2,
                                               .nt = 4,
                                               .method = method_of("merge/coll"),
                                               .rows = plain_rows,
                                               .row_count = 2,
                                               .rt = &plain_rows[1],
                                               .successful_jobs = 3},
                                              {.ns = 2,
                                               .nt = 4,
                                               .method = method_of("merge-async/coll"),
                                               .rows = async_rows,
                                               .row_count = 2,
                                               .rt = &async_rows[1],
                                               .successful_jobs = 2,
                                               .is_overlapped = true,
                                               .oversubscribed = true}};
    comparisons[1].figures[NEREUS_FIGURE_IT] = (struct nereus_comparison_row){
        .what = "It", .prediction = {10, NAN, NAN}, .measured_s = beside, .count = 2};
    comparisons[0].figures[NEREUS_FIGURE_T_EX] = (struct nereus_comparison_row){
        .what = "T_ex", .prediction = {2, 1.9, 2.1}, .measured_s = t_ex_s, .count = 3};
    struct nereus_judgement judgement;
    struct nereus_error err;
    cr_assert_eq(nereus_judgement_make(comparisons, count, &judgement, &err), NEREUS_OK, "%s",
                 err.text);
    return judgement;
}

/* T_ex is judged by method, as RT is. */
Test(judgement, t_ex)
{
    struct nereus_judgement judgement = judge(2);
    const struct nereus_judgement_row *all = find(&judgement, NEREUS_JUDGED_ALL, "T_ex", "all"),
                                      *merge = find(&judgement, NEREUS_JUDGED_WITHIN, "T_ex",
                                                    "merge/coll");
    cr_assert(all != NULL && merge != NULL);
    cr_expect(all->observations == 3 && merge->inside_count == 2, "%d, %d", all->observations,
              merge->inside_count);
    nereus_judgement_fini(&judgement);
}

/* The others' medians are 0.2525, 0.2375, 0.195: the floor's intervals end at 0.189 below the
 * first, 0.2925 above the last. */
Test(judgement, single_runs_against_intervals_and_floor)
{
    struct nereus_judgement judgement = judge(2);
    const struct nereus_judgement_row *rt =
        find(&judgement, NEREUS_JUDGED_WITHIN, "RT", "merge/coll");
    cr_assert_not_null(rt);
    cr_expect_eq(rt->cells, 1);
    cr_expect_eq(rt->observations, 3);
    cr_expect_eq(rt->inside_count, 3);
    cr_expect(near(rt->model.coverage, 1), "%g", rt->model.coverage);
    cr_expect(near(rt->model.median, 0.02 / 0.18), "%g", rt->model.median);
    cr_expect(near(rt->model.p90, 0.02 / 0.18 + 0.8 * (0.095 / 0.295 - 0.02 / 0.18)), "%g",
              rt->model.p90);
    cr_expect(near(rt->ratio, 1.05), "%g", rt->ratio);
    cr_expect(near(rt->floor.median, 0.1 / 0.295), "%g", rt->floor.median);
    cr_expect(near(rt->floor.p90, 0.1 / 0.295 + 0.8 * (0.0725 / 0.18 - 0.1 / 0.295)), "%g",
              rt->floor.p90);
    cr_expect(near(rt->floor.coverage, 1.0 / 3), "%g", rt->floor.coverage);
    cr_expect_eq(find(&judgement, NEREUS_JUDGED_WITHIN, "step", "spawn")->inside_count, 2);

    const struct nereus_judgement_row *medians =
        find(&judgement, NEREUS_JUDGED_ALL, "median RT", "all");
    cr_assert_not_null(medians);
    cr_expect_eq(medians->observations, 2);
    cr_expect_eq(medians->inside_count, 2);
    cr_expect(near(medians->model.median, 0.5 * (0.01 / 0.21 + 0.2)), "%g", medians->model.median);
    cr_expect(isnan(medians->floor.median));
    nereus_judgement_fini(&judgement);
}

Test(judgement, an_interval_without_width_is_none)
{
    plain_rows[1].prediction = (struct nereus_interval){0.2, 0.2, 0.2};
    struct nereus_judgement judgement = judge(1);
    const struct nereus_judgement_row *rt =
        find(&judgement, NEREUS_JUDGED_WITHIN, "RT", "merge/coll");
    cr_expect(rt->observations == 3 && rt->with_interval == 0 && rt->inside_count == 0);
    nereus_judgement_fini(&judgement);
}

/* Steps beside the application are no observations; It has no interval, and no floor from two. */
Test(judgement, loads_are_apart)
{
    struct nereus_judgement judgement = judge(2);
    cr_expect_eq(find(&judgement, NEREUS_JUDGED_ALL, "step", "all")->observations, 3);
    cr_expect_null(find(&judgement, NEREUS_JUDGED_OVERSUBSCRIBED, "step", "all"));
    cr_expect_eq(find(&judgement, NEREUS_JUDGED_ALL, "RT", "all")->observations, 4);
    const struct nereus_judgement_row *row =
        find(&judgement, NEREUS_JUDGED_OVERSUBSCRIBED, "overlap", "It");
    cr_assert_not_null(row);
    cr_expect(near(row->model.median, 0.5 * (0.25 + 1.0 / 6)), "%g", row->model.median);
    cr_expect(isnan(row->model.coverage) && isnan(row->floor.median));
    nereus_judgement_fini(&judgement);
}

/* ---- regrets ---- */

static struct nereus_comparison candidate(const char *method, double predicted_s,
                                          double predicted_t_ex_s, struct nereus_live_run *runs)
{
    struct nereus_comparison comparison = {.ns = 1,
                                           .nt = 2,
                                           .method = method_of(method),
                                           .predicted = true,
                                           .runs = runs,
                                           .successful_jobs = 4,
                                           .t_iter_ns_s = 0.01,
                                           .t_iter_nt_s = 0.005,
                                           .iterations_before = 4,
                                           .iterations_after = 100};
    comparison.prediction.method = comparison.method;
    comparison.prediction.wait_s = comparison.prediction.rt_s.value = predicted_s;
    comparison.prediction.t_ex_s = comparison.prediction.t_ex_expected_s = predicted_t_ex_s;
    return comparison;
}

static void fill(struct nereus_live_run runs[4], double a, double b, double c, double d,
                 double iterations)
{
    const double rt_s[] = {a, b, c, d};
    for (int i = 0; i < 4; i++)
        runs[i] = (struct nereus_live_run){.rt_s = rt_s[i], .iterations = iterations};
}

Test(choices, regrets_against_the_best_measured)
{
    struct nereus_live_run merge[4], single[4], async[4];
    struct nereus_choices choices;
    struct nereus_error err;
    fill(merge, 0.3, 0.3, 0.3, 0.3, NAN);
    fill(single, 0.2, 0.2, 0.2, 0.2, NAN);
    fill(async, 0.4, 0.4, 0.4, 0.4, 50);
    const struct nereus_comparison comparisons[] = {
        candidate("merge/coll", 0.1, 0.64, merge),
        candidate("merge-single/coll", 0.2, 0.74, single),
        candidate("merge-async/coll", 0.3, 0.84, async)};
    cr_assert_eq(nereus_choices_make(comparisons, 3, &choices, &err), NEREUS_OK, "%s", err.text);
    cr_assert_eq(choices.count, 2);
    const struct nereus_choice *system = &choices.items[0], *application = &choices.items[1];
    cr_expect_eq(system->chosen_comparison, &comparisons[0]);
    cr_expect_eq(system->best_comparison, &comparisons[1]);
    cr_expect(near(system->regret, 0.5), "%g", system->regret);
    cr_expect(near(system->merge_regret, 0.5));
    cr_expect(near(system->floor_regret, 0), "%g", system->floor_regret);
    /* T_ex: 0.04 + RT + 100 or 50 times 0.005: 0.84, 0.74, 0.69. */
    cr_expect_eq(application->best_comparison, &comparisons[2]);
    cr_expect(near(application->regret, 0.84 / 0.69 - 1), "%g", application->regret);
    const struct nereus_regret *predicted =
        &choices.regrets[0][NEREUS_CHOICE_SYSTEM].predicted_choice;
    cr_expect_eq(predicted->pairs, 1);
    cr_expect_eq(predicted->exact_count, 0);
    cr_expect(near(predicted->mean, 0.5) && near(predicted->max, 0.5));
    cr_expect(isnan(choices.regrets[1][NEREUS_CHOICE_SYSTEM].predicted_choice.mean),
              "nothing is above the cores");
    nereus_choices_fini(&choices);
}

Test(choices, floor_is_who_knows_the_other_half)
{
    struct nereus_live_run merge[4], single[4];
    struct nereus_choices choices;
    struct nereus_error err;
    /* By the even runs single is best (odd ones: 0.4 against 0.3), by the odd ones merge (even
     * ones: 0.3 against 0.2). */
    fill(merge, 0.3, 0.3, 0.3, 0.3, NAN);
    fill(single, 0.2, 0.4, 0.2, 0.4, NAN);
    struct nereus_comparison comparisons[] = {candidate("merge/coll", 0.1, 0.64, merge),
                                              candidate("merge-single/coll", 0.2, 0.74, single),
                                              candidate("baseline/coll", 0.3, 0.84, single)};
    comparisons[2].nt = 3; /* alone: no choice */
    cr_assert_eq(nereus_choices_make(comparisons, 3, &choices, &err), NEREUS_OK, "%s", err.text);
    cr_assert_eq(choices.count, 2);
    cr_expect(near(choices.items[0].floor_regret, 0.5 * (1.0 / 3 + 0.5)), "%g",
              choices.items[0].floor_regret);
    nereus_choices_fini(&choices);
}

/* ---- pairs that are held out ---- */

Test(held_out, pairs_that_nobody_named)
{
    struct nereus_sample rows[] = {
        {.cluster = "here", .kind = NEREUS_SAMPLE_RECONFIGURATION, .ns = 1, .nt = 2},
        {.cluster = "there", .kind = NEREUS_SAMPLE_RECONFIGURATION, .ns = 2, .nt = 1},
        {.cluster = "here",
         .kind = NEREUS_SAMPLE_STEP,
         .ns = 3,
         .nt = 1}, /* of a bare call: no method */
        {.cluster = "here",
         .kind = NEREUS_SAMPLE_STEP,
         .ns = 4,
         .nt = 2,
         .method = method_of("merge/coll")}};
    const struct nereus_samples samples = {.rows = rows, .count = 4};
    struct nereus_size_pair pairs[64];
    cr_expect_eq(nereus_pairs_list_held_out(2, 3, &samples, "here", pairs, 64), 6);
    cr_expect_eq(pairs[5].ns * 10 + pairs[5].nt, 12, "what was measured comes last");
    cr_expect_eq(nereus_pairs_list_held_out(2, 0, &samples, "here", pairs, 64), 12);
    cr_expect_eq(pairs[10].ns * 10 + pairs[10].nt, 12);
    cr_expect_eq(pairs[11].ns * 10 + pairs[11].nt, 42);
    cr_expect_eq(nereus_pairs_list_held_out(20, 0, &samples, "here", pairs, 64), 42);
}

Test(held_out, fit_without_a_pair)
{
    struct nereus_samples samples = {.rows = NULL};
    struct nereus_error err;
    struct nereus_profile base = {.cluster = "small",
                                  .host = "node7",
                                  .cores_per_node = 4,
                                  .nodes = 3},
                          profile;
    const struct nereus_size_pair pair = {2, 8};
    cr_assert_eq(nereus_samples_read(DATA "cli/data/samples.csv", false, &samples, &err), NEREUS_OK,
                 "%s", err.text);
    for (int out = 0; out < 2; out++) {
        int of_pair = 0, others = 0;
        cr_assert_eq(nereus_held_out_fit(&samples, &pair, out, &base, &profile, &err), NEREUS_OK,
                     "%s", err.text);
        for (int64_t i = 0; i < profile.measured_count; i++) {
            const bool is = profile.measurements[i].ns == 2 && profile.measurements[i].nt == 8;
            of_pair += is ? 1 : 0;
            others += is ? 0 : 1;
        }
        cr_expect_eq(of_pair, out == 1 ? 0 : 2, "%d rows of the pair", of_pair);
        cr_expect_eq(others, 14, "%d other rows", others);
        cr_expect_str_eq(profile.host, "node7");
        cr_expect_eq(profile.nodes, 3);
        nereus_profile_fini(&profile);
    }
    nereus_samples_fini(&samples);
}

/* ---- results that are kept ---- */

Test(live_store, rows_say_what_the_trace_said)
{
    struct nereus_trace trace, again;
    struct nereus_samples rows;
    struct nereus_error err;
    cr_assert_eq(nereus_trace_read(DATA "cli/data/trace.jsonl", &trace, &err), NEREUS_OK, "%s",
                 err.text);
    const struct nereus_trace_event pace = {.kind = NEREUS_TRACE_ITERATIONS,
                                            .reconfiguration = 1,
                                            .t_iter_s = 0.02,
                                            .overlapped_s = NAN,
                                            .t_iter_after_s = 0.01};
    cr_assert_eq(nereus_trace_append(&trace, &pace, &err), NEREUS_OK, "%s", err.text);
    const struct nereus_machine machine = {.cores_per_node = 2, .cores_per_process = 2};
    cr_assert_eq(nereus_live_make_rows(&trace, 1, "here", &machine, &rows, &err), NEREUS_OK, "%s",
                 err.text);
    cr_assert_eq(rows.count, 10, "%lld rows: nine steps and the whole", (long long)rows.count);
    cr_expect(rows.rows[9].cores_per_node == 4 && rows.rows[9].cores_per_process == 2);
    cr_expect(near(rows.rows[9].rt_s, 0.389) && near(rows.rows[9].t_iter_nt_s, 0.01));

    /* Of what stands in front, no more than the plan has steps; here all but the first two. */
    cr_assert_eq(nereus_live_make_trace(&rows, 9, 7, &again, &err), NEREUS_OK, "%s", err.text);
    cr_assert_eq(again.count, 9);
    cr_expect_eq(again.events[0].step_kind, NEREUS_STEP_JOIN);
    cr_expect(near(again.events[0].time_s, 0.0071), "%g", again.events[0].time_s);
    const struct nereus_trace_event *whole = nereus_trace_reconfiguration(&again, 1);
    cr_assert_not_null(whole);
    cr_expect(near(whole->rt_s, 0.389) && isnan(whole->waits_s));
    cr_expect_eq(whole->ns * 10 + whole->nt, 37);
    cr_expect(near(nereus_trace_iterations(&again, 1)->t_iter_s, 0.02));
    nereus_trace_fini(&again);
    nereus_trace_fini(&trace);
    nereus_samples_fini(&rows);
}
