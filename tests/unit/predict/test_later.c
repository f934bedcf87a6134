/** @file test_later.c  Expansions with the shrink that they make possible: sums worked out by hand,
 * and what it changes. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/util/arith.h"
#include "nereus/goal.h"

#define DATA NEREUS_SOURCE_DIR "/tests/unit/data/"

static const struct nereus_machine mn5 = {.cores_per_node = 112};
static const struct nereus_machine twenty = {.cores_per_node = 20};
static struct nereus_profile profile;

static void fit_file(const char *file)
{
    struct nereus_samples samples = {.rows = NULL};
    struct nereus_error err = {.text = ""};
    cr_assert(nereus_samples_read(file, false, &samples, &err) == NEREUS_OK, "%s", err.text);
    cr_assert(nereus_profile_fit(&samples, NULL, &profile, &err) == NEREUS_OK, "%s", err.text);
    nereus_samples_fini(&samples);
}

static void fit_mn5(void)
{
    fit_file(DATA "parallel_mn5.csv");
}

static void fit_tables(void)
{
    fit_file(DATA "spawning_tables_1_to_4.csv");
}

static void forget(void)
{
    nereus_profile_fini(&profile);
}

static struct nereus_method method_of(const char *text)
{
    struct nereus_method method;
    struct nereus_error err = {.text = ""};
    cr_assert(nereus_method_parse(text, &method, &err) == NEREUS_OK, "%s: %s", text, err.text);
    return method;
}

/* 3 iterations before, 97 after; strong scaling, 11.2 s on one process. */
static struct nereus_scenario strong(int64_t ns, int64_t nt)
{
    return (struct nereus_scenario){.machine = &mn5,
                                    .ns = ns,
                                    .nt = nt,
                                    .t_iter_ns_s = 11.2 / (double)ns,
                                    .t_iter_nt_s = 11.2 / (double)nt,
                                    .iterations_before = 3,
                                    .iterations_after = 97};
}

/* 40 of the 97 iterations are on NT processes. */
static struct nereus_later_shrink to(int64_t processes)
{
    return (struct nereus_later_shrink){
        .processes = processes, .iterations = 40, .t_iter_s = 11.2 / (double)processes};
}

/* 112 -> 448 -> 224 processes on nodes of 112: 1, 4 and 2 nodes. Times of parallel_mn5.csv: 448 ->
 * 224 takes merge-ts 0.156055 s and baseline-hypercube 11.3009 s, before baseline-diffusive
 * (12.3812 s). The iterations take 0.1, 0.025 and 0.05 s. */
Test(later, sums_worked_out_by_hand, .init = fit_mn5, .fini = forget)
{
    static const struct {
        const char *method, *shrink;
        double expand_s, shrink_s;
    } rows[] = {
        {"merge", "baseline-hypercube", 9.70923,
         11.3009}, /* one world of 336: only a respawn gives two nodes back */
        {"merge-diffusive", "merge-ts", 9.72614, 0.156055}, /* a world per node: two of them end */
        {"merge-hypercube", "merge-ts", 9.95918, 0.156055},
        {"baseline-hypercube", "merge-ts", 11.4999, 0.156055},
    };
    const struct nereus_scenario s = strong(112, 448);
    const struct nereus_later_shrink later = to(224);
    const struct nereus_ranking ranking = NEREUS_RANKING_INIT;
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct nereus_method method = method_of(rows[i].method),
                                   shrink = method_of(rows[i].shrink);
        const double rt_s = rows[i].expand_s, later_s = rows[i].shrink_s;
        struct nereus_prediction p;
        struct nereus_later_prediction both;
        struct nereus_error err = {.text = ""};
        cr_assert(nereus_predict_later(&(struct nereus_goal_question){&profile, &s, &ranking},
                                       &method, &later, &p, &both, &err) == NEREUS_OK,
                  "%s", err.text);
        cr_expect(nereus_method_equal(&both.shrink.method, &shrink), "%s", rows[i].method);
        cr_expect_float_eq(p.rt_s.value, rt_s, 1e-9, "%s: %g", rows[i].method, p.rt_s.value);
        cr_expect_float_eq(p.wait_s, rt_s + later_s, 1e-9);
        cr_expect_float_eq(p.t_ex_s, 3 * 0.1 + rt_s + 40 * 0.025 + later_s + 57 * 0.05, 1e-9);
        cr_expect_float_eq(p.t_ex_expected_s, p.t_ex_s, 1e-12);
        cr_expect_float_eq(p.node_s, 1 * 0.3 + 4 * rt_s + 4 * 1.0 + 4 * later_s + 2 * 2.85, 1e-9);
        cr_expect(p.source == NEREUS_MEASURED);
    }
}

static const char *choice(const struct nereus_scenario *s,
                          const struct nereus_later_shrink *later_shrink, enum nereus_goal goal,
                          char *text)
{
    struct nereus_prediction p[16];
    struct nereus_later_prediction predictions;
    struct nereus_ranking ranking = NEREUS_RANKING_INIT;
    int count = 0;
    ranking.goal = goal;
    for (int64_t i = 0; i < profile.method_count; i++) {
        const struct nereus_method *method = &profile.methods[i];
        const enum nereus_status status =
            later_shrink == NULL
                ? nereus_predict(&profile, s, method, &p[count], NULL)
                : nereus_predict_later(&(struct nereus_goal_question){&profile, s, &ranking},
                                       method, later_shrink, &p[count], &predictions, NULL);
        if (status == NEREUS_OK &&
            (later_shrink != NULL || nereus_predict_nodes(s, NULL, &p[count], NULL) == NEREUS_OK))
            count++;
    }
    nereus_rank_by_goal(&ranking, p, count);
    for (int i = 0; i < count; i++)
        if (p[i].rank == 1)
            return nereus_method_format(&p[i].method, text);
    return "none";
}

/* The trade-off of Martín-Álvarez et al. (2025), section 5.2: a merge is the quickest way to grow,
 * and what it leaves cannot shrink by termination. */
Test(later, a_shrink_by_termination_pays_for_a_parallel_expansion, .init = fit_mn5, .fini = forget)
{
    static const struct {
        int64_t ns, nt, later;
        const char *alone, *with;
    } rows[] = {
        {112, 448, 224, "merge", "merge-diffusive"},
        {112, 448, 112, "merge",
         "merge"}, /* all that came with it goes: the new world ends as a whole */
        {224, 1792, 896, "merge", "merge-diffusive"},
    };
    static const enum nereus_goal goals[] = {NEREUS_GOAL_APPLICATION, NEREUS_GOAL_NODE_HOURS};
    char text[NEREUS_METHOD_TEXT_MAX];
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++)
        for (size_t g = 0; g < NEREUS_COUNT_OF(goals); g++) {
            const struct nereus_scenario s = strong(rows[i].ns, rows[i].nt);
            const struct nereus_later_shrink later = to(rows[i].later);
            cr_expect_str_eq(choice(&s, NULL, goals[g], text), rows[i].alone);
            cr_expect_str_eq(choice(&s, &later, goals[g], text), rows[i].with, "%d -> %d -> %d: %s",
                             (int)rows[i].ns, (int)rows[i].nt, (int)rows[i].later, text);
        }
}

/* Where zombies may keep their nodes, merge ends with zs, which is immediate; the same where the
 * node stays in use anyway. */
Test(later, nodes_that_are_kept, .init = fit_tables, .fini = forget)
{
    struct nereus_scenario s = strong(20, 60);
    s.machine = &twenty;
    const struct nereus_method merge = method_of("merge");
    const struct nereus_ranking ranking = NEREUS_RANKING_INIT;
    struct nereus_later_shrink later = to(40);
    struct nereus_prediction p;
    struct nereus_later_prediction both;
    cr_assert(nereus_predict_later(&(struct nereus_goal_question){&profile, &s, &ranking}, &merge,
                                   &later, &p, &both, NULL) == NEREUS_OK);
    cr_expect(both.shrink.method.process == NEREUS_BASELINE && both.shrink.nodes.after == 2);
    later.any_nodes = true;
    cr_assert(nereus_predict_later(&(struct nereus_goal_question){&profile, &s, &ranking}, &merge,
                                   &later, &p, &both, NULL) == NEREUS_OK);
    cr_expect(both.shrink.method.shrink == NEREUS_ZS && both.shrink.nodes.after == 3);
    later = to(55); /* 3 nodes with 60, and with 55 */
    cr_assert(nereus_predict_later(&(struct nereus_goal_question){&profile, &s, &ranking}, &merge,
                                   &later, &p, &both, NULL) == NEREUS_OK);
    cr_expect(both.shrink.method.shrink == NEREUS_ZS && both.shrink.nodes.after == 3);
    /* It of an asynchronous expansion is at most what comes before the shrink. */
    later = to(40);
    later.iterations = 1;
    const struct nereus_method async = method_of("merge-async");
    cr_assert(nereus_predict_later(&(struct nereus_goal_question){&profile, &s, &ranking}, &async,
                                   &later, &p, &both, NULL) == NEREUS_OK);
    cr_expect(p.iterations == 1 && p.iterations_capped);
}

Test(later, refusals, .init = fit_mn5, .fini = forget)
{
    static const struct {
        int64_t ns, nt, later;
        double iterations;
        const char *word;
    } rows[] = {
        {448, 112, 56, 40, "is none"},       {448, 448, 112, 40, "is none"},
        {112, 448, 448, 40, "1 to 447"},     {112, 448, 0, 40, "1 to 447"},
        {112, 448, 224, 98, "0 to the 97"},  {112, 448, 224, -1, "0 to the 97"},
        {112, 448, 224, NAN, "0 to the 97"},
    };
    const struct nereus_ranking ranking = NEREUS_RANKING_INIT;
    const struct nereus_method merge = method_of("merge");
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct nereus_scenario s = strong(rows[i].ns, rows[i].nt);
        struct nereus_later_shrink later = to(rows[i].later);
        struct nereus_prediction p;
        struct nereus_later_prediction both;
        struct nereus_error err = {.text = ""};
        later.iterations = rows[i].iterations;
        cr_expect(nereus_predict_later(&(struct nereus_goal_question){&profile, &s, &ranking},
                                       &merge, &later, &p, &both, &err) == NEREUS_ERR_ARGUMENT);
        cr_expect(strstr(err.text, rows[i].word) != NULL, "row %zu: %s", i, err.text);
    }
}
