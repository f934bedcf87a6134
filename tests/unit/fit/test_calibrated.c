/** @file test_calibrated.c  From a calibration's heavy-tailed step rows to predictions that say how
 * sure they are. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/fit/fit.h"
#include "model/fit/fit_factors.h"
#include "model/price/cost.h"
#include "model/price/cost_sum.h"
#include "model/statistics/statistics.h"
#include "model/util/arith.h"
#include "nereus/predict.h"
#include "nereus/profile.h"
#include "tests/unit/price/price_sum.h"
#include "tests/unit/random.h"

/* Box and Muller. */
static double normal(void)
{
    const double size = sqrt(-2 * log(random_share()));
    return size * cos(6.283185307179586 * random_share());
}

/* Seven of eight times within a factor of about two; else it waits for a core, 7 to 50 times as
 * long. */
static double heavy(double median_s)
{
    const double near_s = median_s * exp(0.37 * normal() - 0.055);
    return random_share() < 0.125 ? near_s * (7 + 43 * random_share()) : near_s;
}

/* What a step takes: the tail belongs to all but spawn. */
static double step_s(const struct nereus_step *step, double spawn_s)
{
    const double log2_processes = log2((double)(step->old_processes + step->new_processes));
    switch (step->kind) {
    case NEREUS_STEP_SPAWN:
        return spawn_s * exp(0.21 * normal());
    case NEREUS_STEP_AGREE:
        return heavy(2.3e-5 + 3.1e-5 * log2_processes);
    case NEREUS_STEP_MERGE:
        return heavy(1.7e-4 + 2.9e-4 * log2_processes);
    case NEREUS_STEP_DECIDE:
        return heavy(2.7e-5);
    default:
        return heavy(6.3e-5);
    }
}

static struct nereus_sample blank(int64_t ns, int64_t nt)
{
    return (struct nereus_sample){.cluster = "synthetic",
                                  .cores_per_node = 16,
                                  .ns = ns,
                                  .nt = nt,
                                  .method = {.process = NEREUS_MERGE},
                                  .t_iter_ns_s = NAN,
                                  .t_iter_nt_s = NAN,
                                  .bytes = NAN,
                                  .rt_s = NAN,
                                  .ct_s = NAN,
                                  .iterations = NAN,
                                  .time_s = NAN,
                                  .n = 1};
}

/* One reconfiguration: rows of its steps, then itself. waits_s: NAN for none.
 * @return its RT */
static double reconfigure(const struct nereus_plan *plan, double spawn_s, double waits_s,
                          struct nereus_sample *rows, int64_t *count)
{
    double rt_s = waits_s > 0 ? waits_s * exp(0.4 * normal()) : 0;
    for (int i = 0; i < plan->step_count; i++) {
        struct nereus_sample row = blank(plan->ns, plan->nt);
        row.kind = NEREUS_SAMPLE_STEP;
        row.step = plan->steps[i].kind;
        row.old_processes = plan->steps[i].old_processes;
        row.new_processes = plan->steps[i].new_processes;
        row.time_s = step_s(&plan->steps[i], spawn_s);
        rt_s += row.time_s;
        if (rows != NULL)
            rows[(*count)++] = row;
    }
    if (rows != NULL) {
        rows[*count] = blank(plan->ns, plan->nt);
        rows[*count].kind = NEREUS_SAMPLE_RECONFIGURATION;
        rows[(*count)++].rt_s = rt_s;
    }
    return rt_s;
}

static void make_plan_by(const struct nereus_method *method, int64_t ns, int64_t nt,
                         struct nereus_plan *plan)
{
    const struct nereus_request request = {.version = NEREUS_RECORD_VERSION,
                                           .number = 1,
                                           .ns = ns,
                                           .nt = nt,
                                           .next_world_id = 1,
                                           .method = *method};
    cr_assert(nereus_plan_make(&request, plan, NULL) == NEREUS_OK);
}

static void make_plan(int64_t ns, int64_t nt, struct nereus_plan *plan)
{
    const struct nereus_method merge = {.process = NEREUS_MERGE};
    make_plan_by(&merge, ns, nt, plan);
}

static const int64_t sizes[][2] = {{1, 2}, {1, 3}, {2, 3}, {2, 5}, {3, 5}, {3, 7}, {5, 7}};
enum { REPEATS = 18, ROWS_MAX = 4096, FRESH = 4000 };

/* A calibration of merge expansions. */
static void calibrate(double spawn_s, double waits_s, struct nereus_profile *profile)
{
    static struct nereus_sample rows[ROWS_MAX];
    struct nereus_error err = {.text = ""};
    int64_t count = 0;
    for (int repeat = 0; repeat < REPEATS; repeat++)
        for (size_t i = 0; i < NEREUS_COUNT_OF(sizes); i++) {
            struct nereus_plan plan;
            make_plan(sizes[i][0], sizes[i][1], &plan);
            cr_assert(count + plan.step_count + 1 < ROWS_MAX);
            reconfigure(&plan, spawn_s, waits_s, rows, &count);
            nereus_plan_fini(&plan);
        }
    const struct nereus_samples samples = {.rows = rows, .count = count};
    cr_assert(nereus_profile_fit(&samples, NULL, profile, &err) == NEREUS_OK, "%s", err.text);
}

static const struct nereus_machine machine = {.cores_per_node = 16};

Test(calibrated, medians_and_intervals_of_steps)
{
    struct nereus_profile p;
    double true_s[NEREUS_COUNT_OF(sizes)];
    random_state = 88172645463325252ULL;
    calibrate(0.07, 0.002, &p);
    for (size_t i = 0; i < NEREUS_COUNT_OF(sizes); i++) {
        const struct nereus_scenario scenario = {
            .machine = &machine, .ns = sizes[i][0], .nt = sizes[i][1]};
        struct nereus_step_price prices[32];
        struct nereus_plan plan;
        struct nereus_interval rt;
        make_plan(sizes[i][0], sizes[i][1], &plan);
        cr_assert(nereus_price_plan(&p, &scenario, &plan, prices, &rt, NULL) == NEREUS_OK);
        for (int s = 0; s < plan.step_count; s++) {
            double fresh_s[FRESH];
            size_t inside = 0;
            for (int f = 0; f < FRESH; f++) {
                fresh_s[f] = step_s(&plan.steps[s], 0.07);
                inside += fresh_s[f] >= prices[s].time_s.low && fresh_s[f] <= prices[s].time_s.high;
            }
            const double median_s = nereus_median(fresh_s, FRESH), share = (double)inside / FRESH;
            const char *name = nereus_step_name(plan.steps[s].kind);
            cr_expect(fabs(log(prices[s].time_s.value / median_s)) < log(1.25),
                      "%zu, %s: median %g predicted %g", i, name, median_s, prices[s].time_s.value);
            cr_expect(share > 0.85 && share < 0.95, "%zu, %s: %g of fresh draws inside", i, name,
                      share);
        }
        nereus_plan_fini(&plan);
        true_s[i] = rt.value;
    }
    cr_expect(true_s[0] > 0.066 && true_s[0] < 0.079, "%g", true_s[0]); /* a spawn and 2 ms */
    nereus_profile_fini(&p);
}

/* Whatever dominates: RT's interval is that of a sum, not the sum of intervals. */
Test(calibrated, interval_of_rt)
{
    static const struct {
        double spawn_s, waits_s;
    } rows[] = {{0.071, 0.0023}, {0.0013, 0.0023}, {0.00031, 0.00037}, {0.0041, 0.031}};
    for (size_t r = 0; r < NEREUS_COUNT_OF(rows); r++) {
        struct nereus_profile p;
        random_state = 9876543210123ULL + 7919 * r;
        calibrate(rows[r].spawn_s, rows[r].waits_s, &p);
        for (size_t i = 0; i < NEREUS_COUNT_OF(sizes); i += 2) {
            const struct nereus_scenario scenario = {
                .machine = &machine, .ns = sizes[i][0], .nt = sizes[i][1]};
            const struct nereus_method merge = {.process = NEREUS_MERGE};
            struct nereus_plan plan;
            struct nereus_interval rt, waits;
            double closed_s = NAN;
            size_t inside = 0, below = 0;
            make_plan(sizes[i][0], sizes[i][1], &plan);
            cr_assert(nereus_price_plan(&p, &scenario, &plan, NULL, &rt, NULL) == NEREUS_OK);
            cr_assert(price_sum(&p, &scenario, &merge, &closed_s, NULL) == NEREUS_OK);
            cr_expect(fabs(closed_s / rt.value - 1) < 1e-9);
            cr_expect(nereus_price_unattributed_time(&p, &scenario, &merge, &waits) &&
                      waits.value > 0.5 * rows[r].waits_s);
            for (int f = 0; f < FRESH; f++) {
                const double rt_s =
                    reconfigure(&plan, rows[r].spawn_s, rows[r].waits_s, NULL, NULL);
                inside += rt_s >= rt.low && rt_s <= rt.high;
                below += rt_s < rt.value;
            }
            const double share = (double)inside / FRESH, half = (double)below / FRESH;
            cr_expect(share > 0.85 && share < 0.95, "row %zu, size %zu: %g inside %g to %g", r, i,
                      share, rt.low, rt.high);
            cr_expect(half > 0.35 && half < 0.65, "row %zu, size %zu: %g below %g", r, i, half,
                      rt.value);
            nereus_plan_fini(&plan);
        }
        nereus_profile_fini(&p);
    }
}

Test(calibrated, without_step_rows_nothing_lies_beyond_them)
{
    static struct nereus_sample rows[64];
    struct nereus_profile p;
    int64_t count = 0;
    random_state = 1234567ULL;
    for (size_t i = 0; i < NEREUS_COUNT_OF(sizes); i++) {
        rows[count] = blank(sizes[i][0], sizes[i][1]);
        rows[count++].rt_s = 0.37 + 0.013 * random_share();
    }
    const struct nereus_samples samples = {.rows = rows, .count = count};
    const struct nereus_scenario scenario = {.machine = &machine, .ns = 2, .nt = 11};
    const struct nereus_method merge = {.process = NEREUS_MERGE};
    struct nereus_interval waits;
    cr_assert(nereus_profile_fit(&samples, NULL, &p, NULL) == NEREUS_OK);
    cr_expect(!nereus_price_unattributed_time(&p, &scenario, &merge, &waits) && waits.value == 0);
    cr_expect(p.steps[NEREUS_STEP_SPAWN].high_factor == 0);
    nereus_profile_fini(&p);
}

/* A few reconfigurations by a method, with the steps' rows or as wholes alone. */
static void calibrate_by(const struct nereus_method *method, bool steps,
                         struct nereus_profile *profile)
{
    static struct nereus_sample rows[ROWS_MAX];
    struct nereus_error err = {.text = ""};
    int64_t count = 0;
    for (size_t i = 0; i < NEREUS_COUNT_OF(sizes); i++) {
        struct nereus_plan plan;
        make_plan_by(method, sizes[i][0], sizes[i][1], &plan);
        const double rt_s = reconfigure(&plan, 0.07, 0, steps ? rows : NULL, &count);
        if (!steps) {
            rows[count] = blank(plan.ns, plan.nt);
            rows[count++].rt_s = rt_s;
        }
        rows[count - 1].method = *method;
        nereus_plan_fini(&plan);
    }
    const struct nereus_samples samples = {.rows = rows, .count = count};
    cr_assert(nereus_profile_fit(&samples, NULL, profile, &err) == NEREUS_OK, "%s", err.text);
}

/* Steps that have rows of their own are better founded than a model of the few sizes that were
 * measured as a whole. */
Test(calibrated, steps_win_over_wholes)
{
    static const char *const methods[] = {"merge-diffusive", "merge-launch", "baseline-hypercube"};
    for (size_t m = 0; m < NEREUS_COUNT_OF(methods); m++) {
        struct nereus_method method;
        struct nereus_profile p;
        cr_assert_eq(nereus_method_parse(methods[m], &method, NULL), NEREUS_OK);
        random_state = 4321987ULL + m;
        calibrate_by(&method, false, &p);
        cr_expect_eq(p.whole_count, 1, "%s", methods[m]);
        nereus_profile_fini(&p);
        calibrate_by(&method, true, &p);
        cr_expect_eq(p.whole_count, 0, "%s", methods[m]);
        nereus_profile_fini(&p);
    }
}

/* One asynchronous reconfiguration says something of RT_async, and little of its scatter: a factor
 * of 3 or so, not of 1000. */
Test(calibrated, a_single_asynchronous_row)
{
    static struct nereus_sample rows[ROWS_MAX];
    struct nereus_profile p;
    int64_t count = 0;
    random_state = 777123ULL;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        struct nereus_plan plan;
        make_plan(2, 5, &plan);
        reconfigure(&plan, 0.07, 0.002, rows, &count);
        nereus_plan_fini(&plan);
    }
    rows[count] = blank(2, 5);
    rows[count].method.async = true;
    rows[count].t_iter_ns_s = 0.013;
    rows[count].iterations = 7;
    rows[count].ct_s = 7 * 0.017;
    rows[count++].rt_s = 0.11;
    const struct nereus_samples samples = {.rows = rows, .count = count};
    cr_assert_eq(nereus_profile_fit(&samples, NULL, &p, NULL), NEREUS_OK);
    const struct nereus_scenario scenario = {.machine = &machine,
                                             .ns = 3,
                                             .nt = 8,
                                             .t_iter_ns_s = 0.013,
                                             .t_iter_nt_s = 0.005,
                                             .iterations_after = 1000};
    const struct nereus_method async = {.process = NEREUS_MERGE, .async = true};
    struct nereus_prediction prediction;
    cr_assert_eq(nereus_predict(&p, &scenario, &async, &prediction, NULL), NEREUS_OK);
    cr_expect(prediction.rt_s.value > 0.05 && prediction.rt_s.value < 0.25, "%g",
              prediction.rt_s.value);
    const double reach = prediction.rt_s.high / prediction.rt_s.low;
    cr_expect(reach > 3 && reach < 50, "%g to %g", prediction.rt_s.low, prediction.rt_s.high);
    nereus_profile_fini(&p);
}

/* A row of a spawn by itself, on a node of two cores. */
static struct nereus_sample spawn_row(int64_t old, int64_t new_processes, bool single)
{
    struct nereus_sample row = blank(old, old + new_processes);
    const double awake = (double)((single ? 1 : old) + new_processes) / 2;
    row.kind = NEREUS_SAMPLE_STEP;
    row.step = NEREUS_STEP_SPAWN;
    row.cores_per_node = 2;
    row.oversubscribed = true;
    row.old_processes = old;
    row.new_processes = new_processes;
    row.method.strategy = single ? NEREUS_SINGLE : NEREUS_PLAIN;
    row.time_s = 0.0713 + 0.0531 * sqrt(fmax(0, awake - 1));
    return row;
}

/* While the root of `single` spawns, the other sources nap: they take nothing from what starts. */
Test(calibrated, who_naps_is_no_load)
{
    static const int64_t plain[][2] = {{1, 2}, {2, 1}, {2, 2}, {1, 3}, {2, 3}, {4, 2}, {4, 4}};
    static struct nereus_sample rows[64];
    struct nereus_profile p;
    struct nereus_error err = {.text = ""};
    int64_t count = 0;
    for (int repeat = 0; repeat < 3; repeat++) {
        for (size_t i = 0; i < NEREUS_COUNT_OF(plain); i++)
            rows[count++] = spawn_row(plain[i][0], plain[i][1], false);
        rows[count++] = spawn_row(2, 1, true);
    }
    const struct nereus_samples samples = {.rows = rows, .count = count};
    cr_assert(nereus_profile_fit(&samples, NULL, &p, &err) == NEREUS_OK, "%s", err.text);
    struct nereus_node node = {.cores = 2};
    const struct nereus_machine two = {.cores_per_node = 2, .node_count = 1, .nodes = &node};
    for (int single = 0; single < 2; single++) {
        const struct nereus_method method = {.strategy = single ? NEREUS_SINGLE : NEREUS_PLAIN,
                                             .process = NEREUS_MERGE};
        const struct nereus_step step = {.kind = NEREUS_STEP_SPAWN,
                                         .repeat = 1,
                                         .times = 1,
                                         .old_processes = 5,
                                         .new_processes = 2,
                                         .first_new = 5};
        struct nereus_cost_context context;
        struct nereus_cost_input input;
        nereus_cost_context_init(&p, &two, 5, 7, &method, &context);
        nereus_cost_input_make(&context, &step, &input);
        const double expected_s = 0.0713 + 0.0531 * (single ? sqrt(0.5) : sqrt(2.5));
        const double value_s =
            nereus_cost_value(&p.steps_oversubscribed[NEREUS_STEP_SPAWN], &input, NULL);
        cr_expect(fabs(value_s / expected_s - 1) < 0.04, "%s: %g, not %g",
                  single ? "single" : "plain", value_s, expected_s);
    }
    nereus_profile_fini(&p);
}

/* An asynchronous shrink: the synchronous one, until all have come to a point, and what its thread
 * waits for. */
static struct nereus_sample async_shrink(double t_iter_s, double rt_sync_s, bool oversubscribed)
{
    struct nereus_sample row = blank(5, 2);
    row.method.async = true;
    row.t_iter_ns_s = t_iter_s;
    row.iterations = 4;
    row.ct_s = 4 * t_iter_s;
    row.oversubscribed = oversubscribed;
    row.rt_s = rt_sync_s + 2 * t_iter_s + 0.0073;
    return row;
}

Test(calibrated, an_asynchronous_shrink_stops_at_a_point)
{
    for (int over = 0; over < 2; over++) {
        static struct nereus_sample rows[ROWS_MAX];
        struct nereus_profile p;
        struct nereus_plan plan;
        struct nereus_prediction sync, async;
        struct nereus_error err = {.text = ""};
        int64_t count = 0;
        random_state = 5551212ULL;
        make_plan(5, 2, &plan);
        for (int repeat = 0; repeat < REPEATS; repeat++)
            reconfigure(&plan, 0.07, 0, rows, &count);
        const int64_t within = count;
        for (int64_t i = 0; over && i < within; i++) { /* the same above the cores */
            rows[count] = rows[i];
            rows[count++].oversubscribed = true;
        }
        double rts_s[REPEATS];
        for (int repeat = 0; repeat < REPEATS; repeat++)
            rts_s[repeat] = rows[(repeat + 1) * (plan.step_count + 1) - 1].rt_s;
        const double rt_sync_s = nereus_median(rts_s, REPEATS);
        for (int repeat = 0; repeat < 6; repeat++)
            rows[count++] = async_shrink(repeat % 2 ? 0.002 : 0.021, rt_sync_s, over == 1);
        const struct nereus_samples samples = {.rows = rows, .count = count};
        cr_assert(nereus_profile_fit(&samples, NULL, &p, &err) == NEREUS_OK, "%s", err.text);
        struct nereus_scenario scenario = {.machine = &machine,
                                           .ns = 5,
                                           .nt = 2,
                                           .t_iter_ns_s = 0.0047,
                                           .t_iter_nt_s = 0.011,
                                           .iterations_after = 1000};
        const struct nereus_method method = {.process = NEREUS_MERGE, .async = true};
        const struct nereus_method twin = {.process = NEREUS_MERGE};
        cr_assert_eq(nereus_predict(&p, &scenario, &method, &async, NULL), NEREUS_OK);
        cr_assert_eq(nereus_predict(&p, &scenario, &twin, &sync, NULL), NEREUS_OK);
        const double expected_s = sync.rt_s.value + 2 * 0.0047 + 0.0073;
        cr_expect(fabs(async.rt_s.value / expected_s - 1) < 0.05, "%g, not %g", async.rt_s.value,
                  expected_s);
        cr_expect_eq(p.async_shrink.basis, over ? NEREUS_BASIS_PRIOR : NEREUS_BASIS_FITTED);
        cr_expect(async.rt_s.high / async.rt_s.low < (over ? 12 : 3), "%g to %g", async.rt_s.low,
                  async.rt_s.high);
        nereus_plan_fini(&plan);
        nereus_profile_fini(&p);
    }
}

/* Asynchronous expansions above the cores say what those cost; elsewhere they stand in, by name,
 * and never say what omega is. */
Test(calibrated, asynchronous_rows_above_the_cores)
{
    for (int steps = 0; steps < 2; steps++) {
        static struct nereus_sample rows[ROWS_MAX];
        struct nereus_profile p;
        struct nereus_plan plan;
        struct nereus_error err = {.text = ""};
        int64_t count = 0;
        random_state = 31337ULL;
        make_plan(16, 24, &plan);
        for (int repeat = 0; repeat < REPEATS; repeat++) {
            const double rt_s = reconfigure(&plan, 0.07, 0, steps ? rows : NULL, &count);
            if (!steps) {
                rows[count] = blank(16, 24);
                rows[count++].rt_s = rt_s;
            }
        }
        for (int repeat = 0; repeat < 4; repeat++) {
            rows[count] = blank(16, 24);
            rows[count].method.async = true;
            rows[count].t_iter_ns_s = 0.003;
            rows[count].iterations = 9;
            rows[count].ct_s = 0.11;
            rows[count++].rt_s = 0.117;
        }
        for (int64_t i = 0; i < count; i++)
            rows[i].oversubscribed = true;
        const struct nereus_samples samples = {.rows = rows, .count = count};
        cr_assert(nereus_profile_fit(&samples, NULL, &p, &err) == NEREUS_OK, "%s", err.text);
        cr_expect(p.async_plain_oversubscribed.basis == NEREUS_BASIS_FITTED);
        cr_expect_eq(p.async_plain_oversubscribed.rows, 4, "%d rows",
                     (int)p.async_plain_oversubscribed.rows);
        cr_expect(p.async_plain.basis == NEREUS_BASIS_PRIOR && p.async_plain.rows == 0);
        cr_expect_str_eq(p.async_plain.source, "asynchronous as when oversubscribed");
        const double alpha_sd =
            sqrt(p.async_plain.covariance[0][0]) / p.async_plain.coefficients[0];
        cr_expect(alpha_sd >= 0.7, "%g", alpha_sd); /* a factor of 3 at 90 % */
        cr_expect(p.async_single_oversubscribed.basis == NEREUS_BASIS_PRIOR);
        cr_expect(p.omega.basis == NEREUS_BASIS_PRIOR);
        nereus_plan_fini(&plan);
        nereus_profile_fini(&p);
    }
}

/* The same steps within the cores and above them; beside iterations a start takes so much longer
 * than its synchronous twin. */
static int64_t rows_of_two_loads(bool within, bool above, double within_s, double above_s,
                                 struct nereus_sample *rows)
{
    struct nereus_plan plan;
    int64_t count = 0;
    random_state = 27182818ULL;
    make_plan(3, 5, &plan);
    for (int over = 0; over < 2; over++) {
        const int64_t first = count;
        for (int repeat = 0; repeat < REPEATS; repeat++)
            reconfigure(&plan, 0.07, 0, rows, &count);
        for (int repeat = 0; repeat < 6 && (over ? above : within); repeat++) {
            rows[count] = blank(3, 5);
            rows[count].method.async = true;
            rows[count].t_iter_ns_s = 0.003;
            rows[count++].rt_s = over ? above_s : within_s;
        }
        for (int64_t i = first; i < count; i++) {
            rows[i].oversubscribed = over == 1;
            if (over) /* of a node that is full with the sources */
                rows[i].cores_per_node = 3;
        }
    }
    nereus_plan_fini(&plan);
    return count;
}

/* RT_async of 3 -> 5 by merge-async, on a node of so many cores. */
static struct nereus_prediction async_on(const struct nereus_profile *profile, int64_t cores)
{
    struct nereus_node node = {.cores = cores};
    const struct nereus_machine here = {.cores_per_node = cores, .node_count = 1, .nodes = &node};
    const struct nereus_scenario scenario = {.machine = &here,
                                             .ns = 3,
                                             .nt = 5,
                                             .t_iter_ns_s = 0.0117,
                                             .t_iter_nt_s = 0.0071,
                                             .iterations_after = 1000};
    const struct nereus_method method = {.process = NEREUS_MERGE, .async = true};
    struct nereus_prediction prediction;
    cr_assert_eq(nereus_predict(profile, &scenario, &method, &prediction, NULL), NEREUS_OK);
    return prediction;
}

/*
 * Six rows of one load leave little to the other's: what a start above the cores took hardly
 * changes prices within them, nor the other way round. Where only the other load was measured, its
 * model stands in: the note says so, and the interval is wide.
 */
Test(calibrated, asynchronous_prices_of_two_loads)
{
    static const struct {
        bool within, above;
        double within_s, above_s;
    } cases[] = {{true, true, 0.097, 0.31},
                 {true, true, 0.097, 0.62},
                 {true, true, 0.19, 0.31},
                 {true, false, 0.097, 0},
                 {false, true, 0, 0.31}};
    const double pooled = 0.02;
    struct nereus_prediction at[NEREUS_COUNT_OF(cases)][2];
    char notes[NEREUS_COUNT_OF(cases)][2]
              [NEREUS_NOTE_TEXT_MAX]; /* in words while their profile exists */
    for (size_t i = 0; i < NEREUS_COUNT_OF(cases); i++) {
        static struct nereus_sample rows[ROWS_MAX];
        struct nereus_profile p;
        struct nereus_error err = {.text = ""};
        const int64_t count = rows_of_two_loads(cases[i].within, cases[i].above, cases[i].within_s,
                                                cases[i].above_s, rows);
        const struct nereus_samples samples = {.rows = rows, .count = count};
        cr_assert(nereus_profile_fit(&samples, NULL, &p, &err) == NEREUS_OK, "%s", err.text);
        for (int over = 0; over < 2; over++) {
            at[i][over] = async_on(&p, over ? 3 : 16);
            nereus_prediction_note(&at[i][over], notes[i][over]);
        }
        nereus_profile_fini(&p);
    }
    cr_expect(fabs(at[0][0].rt_s.value / at[1][0].rt_s.value - 1) < pooled,
              "%g and %g within the cores", at[0][0].rt_s.value, at[1][0].rt_s.value);
    cr_expect(fabs(at[0][1].rt_s.value / at[2][1].rt_s.value - 1) < pooled, "%g and %g above",
              at[0][1].rt_s.value, at[2][1].rt_s.value);
    cr_expect(at[1][1].rt_s.value > 1.3 * at[0][1].rt_s.value &&
              at[2][0].rt_s.value > 1.3 * at[0][0].rt_s.value);
    cr_expect(strstr(notes[3][1], "asynchronous as within the cores") != NULL, "'%s'", notes[3][1]);
    cr_expect(strstr(notes[4][0], "asynchronous as when oversubscribed") != NULL, "'%s'",
              notes[4][0]);
    for (int over = 0; over < 2; over++) {
        const struct nereus_interval *known = &at[0][over].rt_s,
                                     *other = &at[over ? 3 : 4][over].rt_s;
        cr_expect(other->high / other->value > 2.5 &&
                      other->high / other->value > 1.5 * known->high / known->value,
                  "%g and %g", other->high / other->value, known->high / known->value);
    }
}

/* Of many rows the factors are their quantiles; of one or two, of which one was late, they stay
 * within belief. */
Test(calibrated, factors_of_few_rows_are_no_guesses)
{
    static const struct {
        size_t n;
        double late, time_s, low_min, low_max, high_min, high_max;
    } rows[] = {{400, 0, 1e-4, 0.78, 0.86, 1.16, 1.28},
                {2, 4.5, 1e-4, 1.0 / 20, 1.0 / 2, 3, 300},
                {1, 0, 1e-4, 1.0 / 20, 1.0 / 2, 2, 20},
                {2, 0.1, 0.1, 1.0 / 2, 0.95, 1.05, 2}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        double logs[400];
        struct nereus_linear_model m = {.terms = 1};
        for (size_t k = 0; k < rows[i].n; k++) /* even from -0.222 to 0.222: 90 % within 0.2 */
            logs[k] = rows[i].n < 3 ? 0 : 0.444 * ((double)k + 0.5) / (double)rows[i].n - 0.222;
        if (rows[i].late > 0)
            logs[0] = rows[i].late;
        nereus_fit_factors(logs, rows[i].n, 1, rows[i].time_s, &m);
        cr_expect(m.low_factor > rows[i].low_min && m.low_factor < rows[i].low_max, "row %zu: %g",
                  i, m.low_factor);
        cr_expect(m.high_factor > rows[i].high_min && m.high_factor < rows[i].high_max,
                  "row %zu: %g", i, m.high_factor);
    }
}

/* Steps of 10 us of which one in eight comes 3 ms late, and steps of a second, within 20 %: the
 * delay is no factor of the second. */
Test(calibrated, delays_of_short_steps_do_not_grow_with_the_step)
{
    enum { SHORT = 200, LONG = 40, ROWS = SHORT + LONG };
    struct nereus_fit_single singles[ROWS];
    double logs[ROWS], scratch[ROWS];
    struct nereus_linear_model m = {.basis = NEREUS_BASIS_FITTED, .terms = 1, .names = {"const"}};
    for (int i = 0; i < ROWS; i++) {
        const double value_s = i < SHORT ? 1e-5 : 1;
        const double late_s = i < SHORT && i % 8 == 0 ? 0.003 : 0;
        const double own = 0.4 * (((double)i + 0.5) / ROWS - 0.5); /* -0.2 to 0.2 */
        singles[i] = (struct nereus_fit_single){value_s * exp(own) + late_s, value_s};
        logs[i] = log(singles[i].time_s / value_s);
    }
    nereus_fit_factors(logs, ROWS, 1, 1e-4, &m);
    nereus_fit_set_long_and_short(singles, ROWS, 1, scratch, &m);
    cr_expect(m.high_factor > 200, "%g", m.high_factor);
    cr_expect(m.long_high_factor > 1.15 && m.long_high_factor < 1.35, "%g", m.long_high_factor);
    cr_expect(m.late_s > 0.0028 && m.late_s < 0.0032, "%g", m.late_s);
    static const struct {
        double value_s, high_min_s, high_max_s;
    } rows[] = {{1e-5, 0.002, 0.004}, {0.01, 0.012, 0.018}, {1, 1.15, 1.4}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_cost_sum sum = NEREUS_COST_SUM_INIT;
        const struct nereus_cost_input input = {.load.core_load = 1};
        const struct nereus_cost_context context = {.ns = 1, .nt = 2};
        m.coefficients[0] = rows[i].value_s;
        nereus_cost_add(&sum, &m, &context, &input);
        const double high_s = nereus_cost_interval(&sum).high;
        cr_expect(high_s > rows[i].high_min_s && high_s < rows[i].high_max_s, "%g s: to %g s",
                  rows[i].value_s, high_s);
    }
}
