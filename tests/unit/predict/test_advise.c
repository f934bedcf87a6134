/** @file test_advise.c  Is a resize worth it: sums by hand, and where the answer turns. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "model/util/arith.h"
#include "nereus/advise.h"

static struct nereus_profile profile;
static struct nereus_machine machine;
static const struct nereus_ranking application = NEREUS_RANKING_INIT;

/* The profile of tests/cli: nodes of 4; 3 -> 7 takes merge-single 0.3955 s and baseline 0.730429 s
 * (tests/cli/predict.sh). */
static void read_profile(void)
{
    struct nereus_error err = {.text = ""};
    cr_assert(nereus_profile_read(NEREUS_SOURCE_DIR "/tests/cli/data/profile.json", &profile,
                                  &err) == NEREUS_OK,
              "%s", err.text);
    cr_assert(nereus_machine_equal_nodes(4, 4, &machine, &err) == NEREUS_OK, "%s", err.text);
}

static void forget(void)
{
    nereus_machine_fini(&machine);
    nereus_profile_fini(&profile);
}

/* A question and the room for its answer. */
struct asked {
    struct nereus_scenario scenario;
    struct nereus_scaling scaling;
    int64_t sizes[16];
    struct nereus_method methods[4];
    struct nereus_advice_question question;
    struct nereus_prediction working[4];
    struct nereus_advice_size answers[16];
    struct nereus_advice advice;
};

static void add_methods(const char *const *texts, struct asked *asked)
{
    struct nereus_error err = {.text = ""};
    for (int i = 0; texts[i] != NULL; i++)
        cr_assert(nereus_method_parse(texts[i], &asked->methods[asked->question.method_count++],
                                      &err) == NEREUS_OK,
                  "%s", err.text);
}

/* 3 processes, iterations of 0.21 s, strong scaling. */
static void prepare(struct asked *asked, double left, int64_t first, int64_t last,
                    const char *const *methods)
{
    memset(asked, 0, sizeof *asked);
    asked->scenario = (struct nereus_scenario){
        .machine = &machine, .ns = 3, .t_iter_ns_s = 0.21, .iterations_after = left};
    asked->question = (struct nereus_advice_question){.profile = &profile,
                                                      .scenario = &asked->scenario,
                                                      .scaling = &asked->scaling,
                                                      .sizes = asked->sizes,
                                                      .methods = asked->methods,
                                                      .ranking = &application};
    for (int64_t n = first; n <= last; n++)
        asked->sizes[asked->question.size_count++] = n;
    add_methods(methods, asked);
}

static enum nereus_status advise(struct asked *asked, struct nereus_error *err)
{
    return nereus_advise(&asked->question, asked->working, asked->answers, &asked->advice, err);
}

static void answer(struct asked *asked)
{
    struct nereus_error err = {.text = ""};
    cr_assert(advise(asked, &err) == NEREUS_OK, "%s", err.text);
}

static const char *const single[] = {"merge-single", NULL};
static const char *const several[] = {"merge-single", "baseline", "merge-async", "merge-zs", NULL};

/* T(7) = 0.09 s. T_ex: 0.3955 + K 0.09 against K 0.21. Node-seconds: 2 (0.3955 + K 0.09) against
 * K 0.21 of one node. Weights t_ex = 1, node_hours = 2: each over its value of the one size:
 * 1 + 2 = 3, to stay (K 0.21) / T_ex + 2 (K 0.21) / node_s. */
Test(advise, sums_by_hand, .init = read_profile, .fini = forget)
{
    static const struct nereus_ranking
        node_hours = {.goal = NEREUS_GOAL_NODE_HOURS},
        weights = {.goal = NEREUS_GOAL_WEIGHTS,
                   .weights = {[NEREUS_QUANTITY_T_EX] = 1, [NEREUS_QUANTITY_NODE_HOURS] = 2}};
    const double t_ex = 0.3955 + 97 * 0.09, node_s = 2 * t_ex, stay = 97 * 0.21;
    const struct {
        const struct nereus_ranking *ranking;
        double gain, break_even, tolerance;
    } rows[] = {
        {&application, stay - t_ex, 0.3955 / 0.12, 1e-9},
        {&node_hours, stay - node_s, 2 * 0.3955 / 0.03, 1e-9},
        {&weights, stay / t_ex + 2 * stay / node_s - 3,
         97 - (stay / t_ex + 2 * stay / node_s - 3) /
                  (0.21 / t_ex + 2 * 0.21 / node_s - (0.09 / t_ex + 2 * 0.18 / node_s)),
         1e-9},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct asked asked;
        prepare(&asked, 97, 7, 7, single);
        asked.question.ranking = rows[i].ranking;
        answer(&asked);
        const struct nereus_advice_size *size = &asked.answers[0];
        cr_expect_float_eq(size->gain.value, rows[i].gain, rows[i].tolerance, "row %zu: %.12g", i,
                           size->gain.value);
        cr_expect_float_eq(size->break_even_iterations, rows[i].break_even, 1e-6, "row %zu: %.12g",
                           i, size->break_even_iterations);
        cr_expect(size->gain.low <= size->gain.value && size->gain.value <= size->gain.high);
        cr_expect_eq(asked.advice.best_index, 0, "row %zu", i);
        cr_expect_float_eq(asked.advice.stay_t_ex_s, stay, 1e-9);
    }
}

/* Where break-even says: with as many iterations left the gain is not below 0, with one less it
 * is; for each size, goal and method. */
Test(advise, turns_at_the_break_even, .init = read_profile, .fini = forget)
{
    static const enum nereus_goal goals[] = {NEREUS_GOAL_APPLICATION, NEREUS_GOAL_NODE_HOURS};
    int turned = 0;
    for (size_t g = 0; g < NEREUS_COUNT_OF(goals); g++) {
        const struct nereus_ranking ranking = {.goal = goals[g], .system_threshold = 0.1};
        for (int64_t nt = 4; nt <= 12; nt++) {
            struct asked far, at, below;
            prepare(&far, 5000, nt, nt, single);
            far.question.ranking = &ranking;
            answer(&far);
            const double from = ceil(far.answers[0].break_even_iterations * (1 - 1e-12));
            if (!isfinite(from))
                continue;
            prepare(&at, from, nt, nt, single);
            prepare(&below, from - 1, nt, nt, single);
            at.question.ranking = below.question.ranking = &ranking;
            answer(&at);
            answer(&below);
            cr_expect(at.answers[0].gain.value >= -1e-9 && below.answers[0].gain.value < 1e-9,
                      "goal %zu, to %lld: from %g on: %g, and one less: %g", g, (long long)nt, from,
                      at.answers[0].gain.value, below.answers[0].gain.value);
            cr_expect(below.advice.best_index == -1 && below.advice.second_index == 0);
            turned++;
        }
    }
    cr_expect(turned > 9, "only %d pairs pay at all", turned);
}

/* Each size has the method and T_ex that a prediction of it by itself has; the best has the largest
 * gain; to stay is never among the sizes. */
Test(advise, says_what_predictions_say, .init = read_profile, .fini = forget)
{
    struct asked asked;
    struct nereus_prediction room[4], best;
    prepare(&asked, 60, 1, 12, several);
    answer(&asked);
    cr_expect_eq(asked.advice.possible_count, 11);
    cr_expect_not(asked.answers[2].possible, "3 processes are what there is");
    for (int64_t i = 0; i < 12; i++) {
        const struct nereus_advice_size *size = &asked.answers[i];
        struct nereus_scenario scenario = asked.scenario;
        if (!size->possible)
            continue;
        scenario.nt = size->nt;
        scenario.t_iter_nt_s = 0.21 * 3 / (double)size->nt;
        cr_assert(nereus_predict_for_goal(
                      &(struct nereus_goal_question){&profile, &scenario, &application},
                      asked.methods, 4, room, &best) > 0);
        cr_expect(nereus_method_equal(&best.method, &size->prediction.method));
        cr_expect_float_eq(best.t_ex_expected_s, size->t_ex_s.value, 1e-12);
        cr_expect(size->gain.value <= asked.answers[asked.advice.best_index].gain.value);
    }
}

/* What does not scale never pays, and nothing that would end after the last iteration is best. */
Test(advise, to_stay, .init = read_profile, .fini = forget)
{
    static const char *const slow[] = {"merge-async", NULL};
    struct asked asked;
    prepare(&asked, 1e6, 4, 12, several);
    asked.scaling.law = NEREUS_SCALING_WEAK;
    answer(&asked);
    cr_expect_eq(asked.advice.best_index, -1);
    for (int i = 0; i < 9; i++)
        cr_expect(isinf(asked.answers[i].break_even_iterations));
    prepare(&asked, 1, 7, 7, slow);
    answer(&asked);
    cr_expect(asked.advice.best_index == -1 && asked.advice.second_index == -1 &&
              asked.answers[0].prediction.iterations_capped);
    cr_expect(asked.answers[0].break_even_iterations >= asked.answers[0].prediction.iterations);
}

/* An expansion that is rolled back: what must be enough are the iterations between. */
Test(advise, with_a_later_shrink, .init = read_profile, .fini = forget)
{
    struct nereus_later_shrink later = {.processes = 3, .iterations = 40, .any_nodes = true};
    struct asked asked;
    prepare(&asked, 97, 2, 7, single);
    asked.question.later_shrink = &later;
    answer(&asked);
    cr_expect_not(asked.answers[0].possible, "to 2 is no expansion");
    const struct nereus_advice_size *size = &asked.answers[5];
    const double both_s = 0.3955 + size->later_rt_s;
    cr_expect_gt(size->later_rt_s, 0);
    cr_expect_float_eq(size->gain.value, 40 * 0.12 - both_s, 1e-9);
    cr_expect_float_eq(size->break_even_iterations, both_s / 0.12, 1e-6);
}

Test(advise, refusals, .init = read_profile, .fini = forget)
{
    const struct nereus_later_shrink later = {.processes = 2, .iterations = 1};
    const struct {
        int64_t first, last;
        double left, t_iter_s;
        const struct nereus_later_shrink *later;
        const char *const *methods;
        const char *sentence;
    } rows[] = {
        {3, 3, 9, 0.21, NULL, single, "the job has 3 processes: name other sizes"},
        {5, 4, 9, 0.21, NULL, single, "advice needs a size and a method"},
        {7, 7, -1, 0.21, NULL, single, "iterations from 0 on"},
        {7, 7, 9, 0, NULL, single, "an iteration time above 0"},
        {7, 7, 9, 0.21, &later, single, "must end at 3 or more"},
        {7, 7, 9, 0.21, NULL, (const char *const[]){"merge-ts", NULL}, "fewer targets"},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct asked asked;
        struct nereus_error err = {.text = ""};
        prepare(&asked, rows[i].left, rows[i].first, rows[i].last, rows[i].methods);
        asked.scenario.t_iter_ns_s = rows[i].t_iter_s;
        asked.question.later_shrink = rows[i].later;
        asked.advice.best_index = 77;
        cr_expect_neq(advise(&asked, &err), NEREUS_OK, "row %zu", i);
        cr_expect(strstr(err.text, rows[i].sentence) != NULL, "row %zu: %s", i, err.text);
        cr_expect_eq(asked.advice.best_index, 77, "written on an error");
    }
}

/* ---- either of two scenarios ---- */

/* T_ex or energy of a method where iterations take t_iter_nt_s afterwards. */
static double figure_of(const struct nereus_ranking *ranking,
                        const struct nereus_scenario *scenario, const struct nereus_method *method)
{
    struct nereus_prediction p;
    cr_assert(nereus_predict(&profile, scenario, method, &p, NULL) == NEREUS_OK);
    cr_assert(nereus_predict_nodes(scenario, &ranking->power, &p, NULL) == NEREUS_OK);
    return ranking->goal == NEREUS_GOAL_ENERGY ? p.energy_j : p.t_ex_expected_s;
}

/* From 7 to 3 processes with iterations of 20 ms, of which 60 are left: an overlap keeps some
 * iterations on 7 processes. It pays if those on 3 take longer, and costs if they are faster. The
 * one that loses less of both is taken: worked out from both methods in both scenarios. */
static void check_least_regret(const struct nereus_ranking *ranking)
{
    static const struct {
        double first_s, second_s; /* T(3) in either scenario */
    } rows[] = {{0.0467, 0.02},  {0.02, 0.0467},  {0.02, 0.01},   {0.0201, 0.005}, {0.06, 0.019},
                {0.03, 0.00857}, {0.021, 0.0199}, {0.021, 0.019}, {0.05, 0.06},    {0.01, 0.005}};
    struct nereus_method methods[2];
    struct nereus_prediction room[2], best_prediction;
    int taken[2] = {0, 0}, differ = 0;
    cr_assert(nereus_method_parse("merge", &methods[0], NULL) == NEREUS_OK);
    cr_assert(nereus_method_parse("merge-async", &methods[1], NULL) == NEREUS_OK);
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        struct nereus_scenario of[2];
        double figure[2][2];
        for (int k = 0; k < 2; k++) {
            of[k] = (struct nereus_scenario){
                .machine = &machine, .ns = 7, .nt = 3, .t_iter_ns_s = 0.02, .iterations_after = 60};
            of[k].t_iter_nt_s = k == 0 ? rows[i].first_s : rows[i].second_s;
            for (int m = 0; m < 2; m++)
                figure[k][m] = figure_of(ranking, &of[k], &methods[m]);
        }
        const int a = figure[0][1] < figure[0][0], b = figure[1][1] < figure[1][0];
        const bool second = figure[0][b] - figure[0][a] < figure[1][a] - figure[1][b];
        const int expected = second ? b : a;
        cr_assert_eq(
            nereus_predict_minimax_regret(&(struct nereus_goal_question){&profile, &of[0], ranking},
                                          &of[1], methods, 2, room, &best_prediction),
            2);
        cr_expect(nereus_method_equal(&best_prediction.method, &methods[expected]), "row %zu", i);
        cr_expect_float_eq(ranking->goal == NEREUS_GOAL_ENERGY ? best_prediction.energy_j
                                                               : best_prediction.t_ex_expected_s,
                           figure[0][expected], 1e-9, "row %zu", i);
        taken[expected]++;
        differ += a != b;
    }
    cr_expect(taken[0] > 0 && taken[1] > 0 && differ > 2, "%d %d, %d differ", taken[0], taken[1],
              differ);
}

Test(either, least_regret, .init = read_profile, .fini = forget)
{
    check_least_regret(&application);
}

/* Processors that wait draw less: an overlap has to save more time. */
Test(either, least_regret_in_energy, .init = read_profile, .fini = forget)
{
    check_least_regret(&(struct nereus_ranking){
        .goal = NEREUS_GOAL_ENERGY, .power = {.busy_w = 400, .idle_w = 100, .resize_w = 200}});
}
