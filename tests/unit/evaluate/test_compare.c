/**
 * @file test_compare.c
 * The tests of `nereus study compare` on published data; letters; the map.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "model/evaluate/best_map.h"
#include "model/statistics/statistics.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static void expect_near(double value, double expected, double relative, const char *what)
{
    cr_expect(fabs(value - expected) <= relative * fabs(expected), "%s: %.12g, expected %.12g",
              what, value, expected);
}

/* W and p of scipy 1.17.1, scipy.stats.shapiro (1.11 or later: AS R94 in double precision). The
 * weights of 11 men are the example of Shapiro and Wilk (1965), section 4.2. */
Test(compare, shapiro_wilk)
{
    static const struct {
        double values[20];
        int count;
        double w, p, tolerance;
    } rows[] = {
        {{148, 154, 158, 160, 161, 162, 166, 170, 182, 195, 236},
         11,
         0.7888146949,
         0.006703814062,
         1e-7},
        {{1.3, 2.9, 3.1}, 3, 0.8321917808, 0.1939175215, 1e-7},
        {{0.21, 0.35, 0.22, 0.24}, 4, 0.7927163062, 0.08978641706, 1e-7},
        {{7.1, 3.2, 5.4, 4.3, 6.5}, 5, 0.9657089849, 0.8470645085, 1e-7},
        {{0.301, 0.298, 0.305, 0.412, 0.299, 0.303}, 6, 0.5504011483, 0.000110338661, 1e-6},
        {{2.07, 1.93, 2.21, 3.4, 1.88, 2.02, 2.11, 1.97, 2.55, 2.3, 1.91, 2.04},
         12,
         0.7064609314,
         0.0009731309681,
         1e-6},
        {{0.139, 0.157, 0.175, 0.256, 0.344, 0.413, 0.503, 0.577, 0.614, 0.655,
          0.954, 1.392, 1.557, 1.648, 1.690, 1.994, 2.174, 2.206, 3.245, 3.510},
         20,
         0.882705496,
         0.01979656037,
         1e-7},
    };
    for (int i = 0; i < COUNT(rows); i++) {
        double sorted[20], p;
        memcpy(sorted, rows[i].values, sizeof sorted);
        nereus_sort(sorted, rows[i].count);
        expect_near(nereus_shapiro_wilk(sorted, rows[i].count, &p), rows[i].w, rows[i].tolerance,
                    "W");
        expect_near(p, rows[i].p, rows[i].tolerance, "p");
    }
}

Test(compare, shapiro_wilk_without_value)
{
    const double equal[] = {2.5, 2.5, 2.5, 2.5}, two[] = {1, 3};
    double p = 0;
    cr_expect(isnan(nereus_shapiro_wilk(equal, 4, &p)) && isnan(p));
    cr_expect(isnan(nereus_shapiro_wilk(two, 2, &p)) && isnan(p));
}

/* Times may be as small or as large as they like: W has no unit. */
Test(compare, shapiro_wilk_scales)
{
    const double scales[] = {1e-160, 1e-9, 1e9, 1e160};
    for (int i = 0; i < COUNT(scales); i++) {
        double sorted[] = {3.2, 4.3, 5.4, 6.5, 7.1}, p;
        for (int k = 0; k < COUNT(sorted); k++)
            sorted[k] *= scales[i];
        expect_near(nereus_shapiro_wilk(sorted, 5, &p), 0.9657089849, 1e-7, "W");
    }
}

/* ---- Kruskal-Wallis and Conover ---- */

enum { GROUPS_MAX = 6, RUNS_MAX = 12 };

struct example {
    const char *name;
    double values[GROUPS_MAX][RUNS_MAX];
    int counts[GROUPS_MAX], groups;
    double h, p;
    /* of groups 0 and 1, 0 and 2, 1 and 2, by correction */
    double conover[3][3];
};

/* H and p of scipy 1.17.1, scipy.stats.kruskal; Conover's p of scikit-posthocs 0.17.1,
 * posthoc_conover(groups, p_adjust=None, "bonferroni", "holm"). */
static const struct example examples[] = {
    /* Hollander and Wolfe (1973), page 116; R's kruskal.test: 0.77143, p 0.68 */
    {.name = "mucociliary efficiency",
     .values = {{2.9, 3.0, 2.5, 2.6, 3.2}, {3.8, 2.7, 4.0, 2.4}, {2.8, 3.4, 3.7, 2.2, 2.0}},
     .counts = {5, 4, 5},
     .groups = 3,
     .h = 0.7714285714,
     .p = 0.6799647736,
     .conover = {{0.5553068126, 0.8336365995, 0.4344867618}, {1, 1, 1}, {1, 1, 1}}},
    /* Conover (1999), 5.2, example 1: yields of corn by four methods; all pairs differ at 0.05 */
    {.name = "corn",
     .values = {{83, 91, 94, 89, 89, 96, 91, 92, 90},
                {91, 90, 81, 83, 84, 83, 88, 91, 89, 84},
                {101, 100, 91, 93, 96, 95, 94},
                {78, 82, 81, 77, 79, 81, 80, 81}},
     .counts = {9, 10, 7, 8},
     .groups = 4,
     .h = 25.62883587,
     .p = 1.140572777e-05,
     .conover = {{0.007094926121, 0.00396929304, 1.919793844e-06},
                 {0.04256955673, 0.02381575824, 1.151876307e-05},
                 {0.007938586079, 0.007938586079, 7.679175377e-06}}},
    /* Beall (1942), R's InsectSprays; R's kruskal.test: 54.691, p 1.511e-10 */
    {.name = "insect sprays",
     .values = {{10, 7, 20, 14, 14, 12, 10, 23, 17, 20, 14, 13},
                {11, 17, 21, 11, 16, 14, 17, 17, 19, 21, 7, 13},
                {0, 1, 7, 2, 3, 1, 2, 1, 3, 0, 1, 4},
                {3, 5, 12, 6, 4, 3, 5, 5, 5, 5, 2, 4},
                {3, 5, 3, 5, 3, 6, 1, 1, 3, 2, 6, 4},
                {11, 9, 15, 22, 15, 16, 13, 10, 26, 26, 24, 13}},
     .counts = {12, 12, 12, 12, 12, 12},
     .groups = 6,
     .h = 54.69134462,
     .p = 1.510844439e-10,
     .conover = {{0.5314380417, 3.72441826e-14, 2.968473078e-15},
                 {1, 5.58662739e-13, 4.452709617e-14},
                 {1, 4.841743738e-13, 4.15586231e-14}}},
};

static void runs_of(const struct example *example, struct nereus_runs runs[GROUPS_MAX])
{
    for (int g = 0; g < example->groups; g++)
        runs[g] = (struct nereus_runs){(double *)example->values[g], example->counts[g]};
}

Test(compare, kruskal_wallis_and_conover)
{
    for (int e = 0; e < COUNT(examples); e++) {
        const struct example *example = &examples[e];
        struct nereus_runs runs[GROUPS_MAX];
        struct nereus_kruskal kruskal;
        struct nereus_difference differences[GROUPS_MAX * GROUPS_MAX];
        double ranks[GROUPS_MAX];
        const int k = example->groups, at[] = {1, 2, k + 2};
        runs_of(example, runs);
        cr_assert_eq(nereus_kruskal_wallis(runs, k, ranks, &kruskal, NULL), NEREUS_OK);
        expect_near(kruskal.h, example->h, 1e-9, example->name);
        expect_near(kruskal.p, example->p, 1e-8, example->name);
        for (int c = NEREUS_CORRECTION_NONE; c <= NEREUS_CORRECTION_HOLM; c++) {
            cr_assert_eq(
                nereus_conover(runs, ranks, &kruskal, (enum nereus_correction)c, differences, NULL),
                NEREUS_OK);
            for (int i = 0; i < COUNT(at); i++) {
                expect_near(differences[at[i]].p_adjusted, example->conover[c][i], 1e-7,
                            example->name);
                cr_expect_eq(differences[at[i]].p_adjusted,
                             differences[at[i] % k * k + at[i] / k].p_adjusted);
            }
        }
    }
}

/* Mean ranks of the corn example as printed there: 196.5 / 9, 153 / 10, 207 / 7, 38.5 / 8. */
Test(compare, mean_ranks)
{
    static const double expected[] = {196.5 / 9, 153.0 / 10, 207.0 / 7, 38.5 / 8};
    struct nereus_runs runs[GROUPS_MAX];
    struct nereus_kruskal kruskal;
    double ranks[GROUPS_MAX];
    runs_of(&examples[1], runs);
    cr_assert_eq(nereus_kruskal_wallis(runs, 4, ranks, &kruskal, NULL), NEREUS_OK);
    for (int g = 0; g < 4; g++)
        expect_near(ranks[g], expected[g], 1e-12, "mean rank");
}

/* Groups of one value each are told apart without any doubt, and without dividing by zero. */
Test(compare, perfectly_separated)
{
    double a[] = {0.7, 0.7, 0.7}, b[] = {0.9, 0.9, 0.9, 0.9}, c[] = {0.7, 0.7};
    const struct nereus_runs runs[] = {{a, 3}, {b, 4}, {c, 2}};
    struct nereus_kruskal kruskal;
    struct nereus_difference differences[9];
    double ranks[3];
    cr_assert_eq(nereus_kruskal_wallis(runs, 3, ranks, &kruskal, NULL), NEREUS_OK);
    expect_near(kruskal.h, 8, 1e-12, "H");
    cr_assert_eq(nereus_conover(runs, ranks, &kruskal, NEREUS_CORRECTION_HOLM, differences, NULL),
                 NEREUS_OK);
    cr_expect_eq(differences[1].p_adjusted, 0);
    cr_expect_eq(differences[2].p_adjusted, 1);
    cr_expect_eq(differences[3 * 1 + 2].p_adjusted, 0);
}

Test(compare, all_equal_is_refused)
{
    double a[] = {0.25, 0.25, 0.25};
    const struct nereus_runs runs[] = {{a, 3}, {a, 2}};
    struct nereus_kruskal kruskal;
    struct nereus_error err;
    double ranks[2];
    cr_expect_eq(nereus_kruskal_wallis(runs, 2, ranks, &kruskal, &err), NEREUS_ERR_ARGUMENT);
    cr_expect_str_eq(err.text, "all 5 values are equal");
}

/* ---- letters ---- */

static void expect_letters(const char *differing, int count, const char *const expected[])
{
    uint64_t differ[64] = {0}, letters[64];
    char text[NEREUS_LETTERS_TEXT_MAX];
    for (; *differing != '\0'; differing += differing[2] == '\0' ? 2 : 3) {
        const int i = differing[0] - '0', j = differing[1] - '0';
        differ[i] |= UINT64_C(1) << j;
        differ[j] |= UINT64_C(1) << i;
    }
    cr_assert_gt(nereus_equivalent_groups(differ, count, letters), 0);
    for (int i = 0; i < count; i++)
        cr_expect_str_eq(nereus_letters_text(letters[i], text), expected[i]);
}

Test(compare, letters)
{
    expect_letters("", 3, (const char *const[]){"a", "a", "a"});
    expect_letters("01", 2, (const char *const[]){"a", "b"});
    expect_letters("02", 3, (const char *const[]){"a", "ab", "b"});
    expect_letters("01 02 12", 3, (const char *const[]){"a", "b", "c"});
    /* by hand: a holds 0 1 2, b holds 0 2 3 4 5, c holds 4 5 6 7 */
    expect_letters("06 07 13 14 15 16 17 26 27 36 37", 8,
                   (const char *const[]){"ab", "a", "ab", "b", "bc", "bc", "c", "c"});
}

/* All pairs by their definition, for graphs that are no intervals: a circle of seven. */
Test(compare, letters_of_a_circle)
{
    enum { N = 7 };
    uint64_t differ[N], letters[N];
    for (int i = 0; i < N; i++)
        differ[i] = UINT64_C(1) << (i + 1) % N | UINT64_C(1) << (i + N - 1) % N;
    cr_assert_gt(nereus_equivalent_groups(differ, N, letters), 0);
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++)
            cr_expect_eq((letters[i] & letters[j]) == 0, (differ[i] >> j & 1) != 0, "%d, %d", i, j);
}

Test(compare, letters_behind_z)
{
    uint64_t differ[64], letters[64];
    char text[NEREUS_LETTERS_TEXT_MAX];
    for (int i = 0; i < 64; i++)
        differ[i] = ~(UINT64_C(1) << i);
    cr_assert_eq(nereus_equivalent_groups(differ, 64, letters), 64);
    cr_expect_str_eq(nereus_letters_text(letters[25], text), "z");
    cr_expect_str_eq(nereus_letters_text(letters[27], text), "b1");
    cr_expect_str_eq(nereus_letters_text(letters[63], text), "l2");
}

/* ---- the map ---- */

/* The map of a grid of pairs, each with its set of best methods and the fastest of them. */
static void make_map(const uint64_t *best, const int *fastest, int rows, int columns,
                     enum nereus_tie_rule rule, struct nereus_best_map *map)
{
    struct nereus_compare_pair pairs[25];
    struct nereus_compare_group groups[25];
    struct nereus_compare compare = {
        .options.ties = rule, .pairs = pairs, .pair_count = rows * columns};
    struct nereus_error err;
    for (int i = 0; i < rows * columns; i++) {
        groups[i] = (struct nereus_compare_group){.method = fastest[i]};
        pairs[i] = (struct nereus_compare_pair){.ns = 1 + i / columns,
                                                .nt = 1 + i % columns,
                                                .groups = &groups[i],
                                                .tested_groups = best[i] != 0,
                                                .best_set = best[i]};
    }
    cr_assert_eq(nereus_best_map_init(&compare, map, &err), NEREUS_OK, "%s", err.text);
    for (int i = 0; i < rows * columns; i++)
        cr_expect_eq(pairs[i].chosen_method, best[i] != 0 ? map->cells[i].chosen_method : -1,
                     "pair %d", i);
}

/* Methods 0, 1, 2 as bits 1, 2, 4. The tie in the middle: its neighbours say 1, all others 2. */
Test(compare, ties_of_a_map)
{
    static const struct {
        enum nereus_tie_rule rule;
        int chosen;
    } rows[] = {{NEREUS_TIE_NEAREST, 1}, {NEREUS_TIE_REMAINING, 2}, {NEREUS_TIE_MEDIAN, 0}};
    static const uint64_t best[25] = {4, 4, 4, 4, 4, 4, 0, 2, 1, 4, 4, 2, 7,
                                      2, 4, 4, 1, 6, 4, 4, 4, 4, 4, 4, 4};
    for (int i = 0; i < COUNT(rows); i++) {
        int fastest[25];
        struct nereus_best_map map;
        for (int c = 0; c < 25; c++)
            fastest[c] = best[c] == 0 ? 0 : __builtin_ctzll(best[c]);
        make_map(best, fastest, 5, 5, rows[i].rule, &map);
        cr_expect_eq(map.cells[12].chosen_method, rows[i].chosen, "rule %d: %d", i,
                     map.cells[12].chosen_method);
        cr_expect_eq(map.cells[6].chosen_method, -1);
        cr_expect_eq(map.cells[8].chosen_method, 0);
        cr_expect_eq(map.cells[0].chosen_method, 2);
        nereus_best_map_fini(&map);
    }
}

/* What the other cells do not settle goes to the least median. */
Test(compare, ties_that_stay)
{
    static const uint64_t best[3] = {1, 3, 2};
    static const enum nereus_tie_rule rules[] = {NEREUS_TIE_REMAINING, NEREUS_TIE_NEAREST};
    for (int fastest = 0; fastest < 2; fastest++) {
        struct nereus_best_map map;
        make_map(best, (const int[]){0, fastest, 1}, 1, 3, rules[fastest], &map);
        cr_expect_eq(map.cells[1].chosen_method, fastest);
        nereus_best_map_fini(&map);
    }
}
