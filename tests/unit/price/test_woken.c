/** @file test_woken.c  Steps take longer where processes are started than where they are only
 * woken: two populations of one step. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/fit/fit.h"
#include "model/fit/fit_cells.h"
#include "model/plan/placement.h"
#include "model/util/arith.h"
#include "nereus/predict.h"
#include "nereus/profile.h"
#include "tests/unit/price/price_sum.h"

enum { ROWS_MAX = 2048, REPEATS = 7 };

static const double decide_s = 2.7e-5, decide_start_s = 3.1e-4, allocate_s = 6.1e-6,
                    allocate_start_s = 1.9e-5;
static const double bytes = 1e6;
static const struct nereus_method merge = {
    .process = NEREUS_MERGE, .has_data = true, .data = NEREUS_COLL};

static struct nereus_sample rows[ROWS_MAX];
static int64_t count;

static double step_s(enum nereus_step_kind kind, bool starts)
{
    switch (kind) {
    case NEREUS_STEP_DECIDE:
        return decide_s + (starts ? decide_start_s : 0);
    case NEREUS_STEP_ALLOCATE:
        return allocate_s + (starts ? allocate_start_s : 0);
    case NEREUS_STEP_SPAWN:
        return 0.083;
    default:
        return 7.3e-5;
    }
}

static void make_plan(int64_t ns, int64_t nt, int64_t zombies, struct nereus_plan *plan)
{
    struct nereus_data_entry entry = {
        .name = "data", .element_bytes = 1, .count = (int64_t)bytes, .kind = NEREUS_CONSTANT};
    const struct nereus_request request = {.version = NEREUS_RECORD_VERSION,
                                           .number = 1,
                                           .ns = ns,
                                           .nt = nt,
                                           .zombies = zombies,
                                           .next_world_id = 1,
                                           .method = merge,
                                           .data_count = 1,
                                           .data = &entry};
    cr_assert_eq(nereus_plan_make(&request, plan, NULL), NEREUS_OK);
}

static struct nereus_sample *add_row(int64_t ns, int64_t nt, bool oversubscribed)
{
    cr_assert(count < ROWS_MAX);
    rows[count] = (struct nereus_sample){.cluster = "synthetic",
                                         .cores_per_node = 16,
                                         .ns = ns,
                                         .nt = nt,
                                         .method = merge,
                                         .t_iter_ns_s = NAN,
                                         .t_iter_nt_s = NAN,
                                         .bytes = bytes,
                                         .rt_s = NAN,
                                         .ct_s = NAN,
                                         .iterations = NAN,
                                         .time_s = NAN,
                                         .oversubscribed = oversubscribed,
                                         .n = 1};
    return &rows[count++];
}

/* As a calibration writes it: the steps, and the reconfiguration unless zombies were woken. */
static void reconfigure(int64_t ns, int64_t nt, int64_t zombies, bool oversubscribed)
{
    struct nereus_plan plan;
    double rt_s = 0;
    make_plan(ns, nt, zombies, &plan);
    for (int i = 0; i < plan.step_count; i++) {
        struct nereus_sample *row = add_row(ns, nt, oversubscribed);
        row->kind = NEREUS_SAMPLE_STEP;
        row->step = plan.steps[i].kind;
        row->old_processes = plan.steps[i].old_processes;
        row->new_processes = plan.steps[i].new_processes;
        row->time_s = step_s(row->step, plan.spawned > 0) * (1 + 0.02 * (double)(count % 5 - 2));
        rt_s += row->time_s;
    }
    if (plan.woken == 0)
        add_row(ns, nt, oversubscribed)->rt_s = rt_s;
    nereus_plan_fini(&plan);
}

static void fit(struct nereus_profile *p)
{
    const struct nereus_samples samples = {.rows = rows, .count = count};
    struct nereus_error err = {.text = ""};
    cr_assert_eq(nereus_profile_fit(&samples, NULL, p, &err), NEREUS_OK, "%s", err.text);
}

/* The price of a step of a kind, of an expansion or a shrink of a job with zombies. */
static struct nereus_interval price_of(const struct nereus_profile *p, enum nereus_step_kind kind,
                                       int64_t ns, int64_t nt, int64_t zombies)
{
    const struct nereus_machine machine = {.cores_per_node = 16};
    const struct nereus_request sleep = {
        .ns = ns + zombies, .nt = ns, .method = {.process = NEREUS_MERGE, .shrink = NEREUS_ZS}};
    struct nereus_jobstate state;
    struct nereus_step_price prices[32];
    struct nereus_interval rt, found = {NAN, NAN, NAN};
    struct nereus_plan plan;
    double closed_s = NAN;
    cr_assert_eq(nereus_jobstate_initial(&machine, ns + zombies, &state, NULL), NEREUS_OK);
    if (zombies > 0)
        cr_assert_eq(nereus_jobstate_apply(&machine, &sleep, &state, NULL), NEREUS_OK);
    const struct nereus_scenario scenario = {
        .machine = &machine, .state = &state, .ns = ns, .nt = nt, .constant_bytes = bytes};
    make_plan(ns, nt, zombies, &plan);
    cr_assert_eq(nereus_price_plan(p, &scenario, &plan, prices, &rt, NULL), NEREUS_OK);
    cr_assert_eq(price_sum(p, &scenario, &merge, &closed_s, NULL), NEREUS_OK);
    cr_expect(fabs(closed_s / rt.value - 1) < 1e-9, "%g walked, %g closed", rt.value, closed_s);
    for (int i = 0; i < plan.step_count; i++)
        if (plan.steps[i].kind == kind)
            found = prices[i].time_s;
    nereus_plan_fini(&plan);
    nereus_jobstate_fini(&state);
    return found;
}

Test(woken, each_has_the_price_of_its_own)
{
    static const int64_t sizes[][2] = {{1, 2}, {2, 4}, {3, 5}};
    struct nereus_profile p;
    for (int repeat = 0; repeat < REPEATS; repeat++)
        for (size_t i = 0; i < NEREUS_COUNT_OF(sizes); i++) {
            reconfigure(sizes[i][0], sizes[i][1], 0, false);
            reconfigure(sizes[i][1], sizes[i][0], 0, false);
            reconfigure(sizes[i][0], sizes[i][1], sizes[i][1] - sizes[i][0], false);
        }
    fit(&p);
    const struct {
        const char *why;
        int64_t ns, nt, zombies;
        bool starts;
    } cases[] = {{"all are started", 2, 4, 0, true},
                 {"all are woken", 2, 4, 2, false},
                 {"one is woken, one started", 2, 4, 1, true},
                 {"more sleep than are needed", 1, 2, 3, false},
                 {"a shrink", 4, 2, 0, false}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(cases); i++)
        for (int k = 0; k < 2; k++) {
            const enum nereus_step_kind kind = k == 0 ? NEREUS_STEP_DECIDE : NEREUS_STEP_ALLOCATE;
            const double expected = step_s(kind, cases[i].starts);
            const double found =
                price_of(&p, kind, cases[i].ns, cases[i].nt, cases[i].zombies).value;
            cr_expect(fabs(found / expected - 1) < 0.1, "%s: %s takes %g, not %g", cases[i].why,
                      nereus_step_name(kind), expected, found);
        }
    nereus_profile_fini(&p);
}

/* Without measurements of reconfigurations that start nobody, what a start adds is known by its
 * prior: most of the time; the price of one with a start is that of the rows. */
Test(woken, one_population_is_divided_by_the_prior)
{
    struct nereus_profile p;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        reconfigure(1, 2, 0, false);
        reconfigure(3, 5, 0, false);
    }
    fit(&p);
    const struct nereus_interval start = price_of(&p, NEREUS_STEP_DECIDE, 1, 2, 0),
                                 woken = price_of(&p, NEREUS_STEP_DECIDE, 1, 2, 2);
    cr_expect_float_eq(start.value, decide_s + decide_start_s, 3e-5);
    cr_expect(woken.value < 0.3 * start.value, "%g and %g", woken.value, start.value);
    cr_expect(woken.low < decide_s && woken.high > decide_s, "%g to %g", woken.low, woken.high);
    nereus_profile_fini(&p);
}

/* Not oversubscribed, only a shrink was measured: a start keeps its prior there, with a larger
 * error, whatever was measured above the cores. */
Test(woken, a_start_that_was_not_measured_keeps_its_prior)
{
    struct nereus_profile p;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        reconfigure(2, 1, 0, false);
        reconfigure(4, 3, 0, false);
        reconfigure(16, 19, 0, true);
        reconfigure(19, 16, 0, true);
        reconfigure(16, 24, 0, true);
    }
    fit(&p);
    const struct nereus_interval shrink = price_of(&p, NEREUS_STEP_DECIDE, 4, 3, 0),
                                 start = price_of(&p, NEREUS_STEP_DECIDE, 3, 4, 0);
    cr_expect_float_eq(shrink.value, decide_s, 3e-6);
    cr_expect(start.low < decide_s + decide_start_s && start.high > decide_s + decide_start_s,
              "%g to %g", start.low, start.high);
    cr_expect(start.high > 2 * start.value && shrink.high < 1.5 * shrink.value, "up to %g and %g",
              start.high, shrink.high);
    nereus_profile_fini(&p);
}

/* Rows that belong to a start: by the rows around them, and expansions by themselves. */
Test(woken, rows_tell_by_their_neighbours)
{
    static const struct {
        int64_t ns, nt;
        enum nereus_step_kind step;
        bool whole, starts;
    } given[] = {
        {2, 4, NEREUS_STEP_DECIDE, false, false},  {2, 4, NEREUS_STEP_WAKE, false, false},
        {2, 4, NEREUS_STEP_COMMIT, false, false},  {2, 4, NEREUS_STEP_DECIDE, false, true},
        {2, 4, NEREUS_STEP_WAKE, false, true},     {2, 4, NEREUS_STEP_SPAWN, false, true},
        {2, 4, NEREUS_STEP_COMMIT, false, true},   {2, 4, NEREUS_STEP_DECIDE, true, true},
        {4, 2, NEREUS_STEP_DECIDE, false, false},  {2, 5, NEREUS_STEP_DECIDE, false, true},
        {2, 5, NEREUS_STEP_ALLOCATE, false, true}, {2, 4, NEREUS_STEP_ALLOCATE, false, true},
        {2, 6, NEREUS_STEP_WAKE, false, false},    {2, 6, NEREUS_STEP_COMMIT, false, false}};
    const struct nereus_sample *list[NEREUS_COUNT_OF(given)];
    for (size_t i = 0; i < NEREUS_COUNT_OF(given); i++) {
        struct nereus_sample *row = add_row(given[i].ns, given[i].nt, false);
        row->kind = given[i].whole ? NEREUS_SAMPLE_RECONFIGURATION : NEREUS_SAMPLE_STEP;
        row->step = given[i].step;
        list[i] = row;
    }
    const struct nereus_fit_rows all = {list, NEREUS_COUNT_OF(given)};
    for (size_t i = 0; i < NEREUS_COUNT_OF(given); i++)
        cr_expect_eq(nereus_fit_starts_processes(&all, i), given[i].starts, "row %zu", i);
    rows[3].method.process = rows[8].method.process = NEREUS_BASELINE;
    cr_expect(nereus_fit_starts_processes(&all, 3) && nereus_fit_starts_processes(&all, 8),
              "baseline always starts");
}

static int cells_of(const struct nereus_fit_cells *cells, enum nereus_step_kind kind)
{
    int found = 0;
    for (size_t i = 0; i < cells->count; i++)
        found += cells->cells[i].sample.step == kind;
    return found;
}

/* Rows of a step without a term for starts stay in one cell: two cells would have fewer rows
 * each. */
Test(woken, cells_are_apart_where_there_is_a_term)
{
    static const struct nereus_sample *list[ROWS_MAX];
    struct nereus_fit_cells cells;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        reconfigure(2, 4, 0, false);
        reconfigure(2, 4, 2, false);
    }
    for (int64_t i = 0; i < count; i++)
        list[i] = &rows[i];
    const struct nereus_fit_rows all = {list, (size_t)count};
    cr_assert_eq(nereus_fit_cells_make(&all, false, &cells, NULL), NEREUS_OK);
    cr_expect_eq(cells_of(&cells, NEREUS_STEP_DECIDE), 2);
    cr_expect_eq(cells_of(&cells, NEREUS_STEP_ALLOCATE), 2);
    cr_expect_eq(cells_of(&cells, NEREUS_STEP_COMMIT), 1);
    nereus_fit_cells_fini(&cells);
}
