/** @file test_tree.c Spawn trees and connection rounds against the numbers and equations of
 * Martín-Álvarez et al. (2025). */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/plan/strategies/strategy.h"
#include "model/util/arith.h"
#include "nereus/tree.h"
#include "tests/unit/plan/equations_parallel.h"
#include "tests/unit/random.h"

#define COUNT(list) ((int64_t)NEREUS_COUNT_OF(list))

static struct nereus_tree parallel(int64_t parents, const int64_t *processes, int64_t groups)
{
    struct nereus_tree tree;
    struct nereus_error err = {NEREUS_OK, ""};
    cr_assert(nereus_tree_make(NEREUS_DIFFUSIVE, parents, processes, groups, &tree, &err) ==
                  NEREUS_OK,
              "%s", err.text);
    return tree;
}

static int64_t *equal_groups(int64_t processes, int64_t groups)
{
    int64_t *sizes = malloc((size_t)(groups + 1) * sizeof *sizes);
    for (int64_t i = 0; i < groups; i++)
        sizes[i] = processes;
    return sizes;
}

/* ---- diffusive: the example of 4.2 ----------------------------------------------------------- */

static const int64_t A[] = {4, 2, 8, 12, 3, 3, 4, 4, 6, 3}, R[] = {2, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                     S[] = {2, 2, 8, 12, 3, 3, 4, 4, 6, 3};

/* Source: Martín-Álvarez et al. (2025), table 2, with its columns as docs/results/errata.md
 * has them. */
static const struct {
    int64_t step, t, g, nodes, new_nodes, first, last;
} table_2[] = {{0, 2, -1, 1, -1, -1, -1},
               {1, 6, 4, 2, 1, 0, 1},
               {2, 40, 34, 8, 6, 2, 7},
               {3, 49, 9, 10, 2, 8, 9}};

Test(tree, table_2_of_the_paper_by_its_equations)
{
    struct nereus_diffusive row;
    nereus_diffusive_begin(A, R, COUNT(A), false, &row);
    for (int64_t i = 0; i < COUNT(table_2); i++) {
        cr_assert(i == 0 || nereus_diffusive_next(&row), "step %lld", (long long)i);
        cr_expect(row.step == table_2[i].step && row.processes == table_2[i].t &&
                      row.occupied == table_2[i].nodes,
                  "step %lld: t %lld, T %lld", (long long)i, (long long)row.processes,
                  (long long)row.occupied);
        if (i > 0)
            cr_expect(row.generated == table_2[i].g && row.new_nodes == table_2[i].new_nodes &&
                          row.first == table_2[i].first && row.last == table_2[i].last,
                      "step %lld: g %lld, G %lld, S [%lld..%lld]", (long long)i,
                      (long long)row.generated, (long long)row.new_nodes, (long long)row.first,
                      (long long)row.last);
    }
    cr_expect(!nereus_diffusive_next(&row) && row.step == 3, "three steps");
}

Test(tree, table_2_of_the_paper_by_the_builder)
{
    struct nereus_tree tree = parallel(2, S, COUNT(S));
    cr_expect(tree.levels == 3);
    for (int64_t i = 0; i < COUNT(table_2); i++) {
        int64_t first, count;
        cr_expect(nereus_tree_processes(&tree, i) == table_2[i].t, "level %lld", (long long)i);
        if (i == 0)
            continue;
        nereus_tree_find_level(&tree, i, &first, &count);
        cr_expect(first == table_2[i].first && first + count - 1 == table_2[i].last,
                  "level %lld: [%lld..%lld]", (long long)i, (long long)first,
                  (long long)(first + count - 1));
    }
    /* Step 2: the two sources start groups 2 and 3, group 0's two processes 4 and 5, group 1's 6
     * and 7. Step 3: the sources again. */
    static const int64_t parents[] = {-1, -1, -1, -1, 0, 0, 1, 1, -1, -1},
                         ranks[] = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
    for (int64_t i = 0; i < tree.group_count; i++)
        cr_expect(tree.groups[i].parent == parents[i] && tree.groups[i].parent_rank == ranks[i],
                  "group %lld", (long long)i);
    nereus_tree_fini(&tree);
    cr_expect(tree.groups == NULL && tree.group_count == 0);
    nereus_tree_fini(&tree); /* twice is fine */
}

/* The same vectors, S = A: node 0 gets 4 new processes beside its old ones, and G does not count
 * it. Source: equations 4 to 8 by hand. */
Test(tree, the_example_by_baseline)
{
    static const int64_t expected[][4] = {{2 + 6, 6, 2, 1}, {8 + 43, 43, 10, 8}};
    struct nereus_diffusive row;
    nereus_diffusive_begin(A, R, COUNT(A), true, &row);
    struct nereus_tree tree = parallel(2, A, COUNT(A));
    for (int64_t i = 0; i < COUNT(expected); i++) {
        cr_assert(nereus_diffusive_next(&row));
        cr_expect(row.processes == expected[i][0] && row.generated == expected[i][1] &&
                      row.occupied == expected[i][2] && row.new_nodes == expected[i][3],
                  "step %lld: t %lld, g %lld, T %lld, G %lld", (long long)i + 1,
                  (long long)row.processes, (long long)row.generated, (long long)row.occupied,
                  (long long)row.new_nodes);
        cr_expect(nereus_tree_processes(&tree, i + 1) == expected[i][0]);
    }
    cr_expect(!nereus_diffusive_next(&row) && tree.levels == 2);
    nereus_tree_fini(&tree);
}

/* Random vectors, also with full nodes (a zero in S): the equations and the builder count the same.
 */
Test(tree, diffusive_equations_and_builder_agree)
{
    for (int n = 0; n < 2000; n++) {
        int64_t a[60], r[60], s[60], groups = 0, parents = 0;
        const int64_t nodes = 2 + random_below(58);
        const bool baseline = n % 2 == 1;
        for (int64_t i = 0; i < nodes; i++) {
            a[i] = 1 + random_below(9);
            r[i] = i == 0 || random_below(3) == 0 ? 1 + random_below(a[i]) : 0;
            parents += r[i];
            const int64_t rest = baseline ? a[i] : a[i] - r[i];
            if (rest > 0)
                s[groups++] = rest;
        }
        struct nereus_tree tree = parallel(parents, s, groups);
        struct nereus_diffusive row;
        nereus_diffusive_begin(a, r, nodes, baseline, &row);
        cr_assert(row.processes == nereus_tree_processes(&tree, 0));
        while (nereus_diffusive_next(&row)) {
            int64_t first, count;
            nereus_tree_find_level(&tree, row.step, &first, &count);
            cr_assert(row.processes == nereus_tree_processes(&tree, row.step) &&
                          row.first == first && row.last == first + count - 1,
                      "case %d, step %lld", n, (long long)row.step);
        }
        cr_assert(row.step == tree.levels && row.occupied == nodes, "case %d: %lld steps", n,
                  (long long)row.step);
        nereus_tree_fini(&tree);
    }
}

/* ---- hypercube: equations 1 to 3, figure 1 --------------------------------------------------- */

Test(tree, hypercube_example_of_the_paper)
{
    cr_expect(nereus_hypercube_steps(1, 1, 8, false) == 3,
              "4.1, figure 1: C = 1, 1 -> 8 in 3 steps");
    static const int64_t nodes[] = {1, 2, 4, 8}, baseline[] = {0, 1, 3, 7};
    for (int64_t s = 0; s < COUNT(nodes); s++) {
        cr_expect(nereus_hypercube_nodes(1, 1, s, false) == nodes[s]);
        cr_expect(nereus_hypercube_nodes(1, 1, s, true) == baseline[s]);
    }
    /* Figure 1: I -> 0; I -> 1, 0 -> 2; I -> 3, 0 -> 4, 1 -> 5, 2 -> 6. */
    static const int64_t parents[] = {-1, -1, 0, -1, 0, 1, 2}, levels[] = {1, 2, 2, 3, 3, 3, 3};
    int64_t *sizes = equal_groups(1, 7);
    struct nereus_tree tree = parallel(1, sizes, 7);
    cr_expect(tree.levels == 3);
    for (int64_t i = 0; i < 7; i++)
        cr_expect(tree.groups[i].parent == parents[i] && tree.groups[i].level == levels[i] &&
                      tree.groups[i].parent_rank == 0,
                  "group %lld: by %lld in step %lld", (long long)i,
                  (long long)tree.groups[i].parent, (long long)tree.groups[i].level);
    nereus_tree_fini(&tree);
    free(sizes);
}

/* The builder grows as equations 1 and 2 say, level by level, and needs the steps of equation 3. */
Test(tree, hypercube_equations_and_builder_agree)
{
    static const int64_t cores[] = {1, 2, 4, 20, 112}, initial[] = {1, 2, 3, 5},
                         factors[] = {2, 3, 7, 16, 100};
    for (int64_t c = 0; c < COUNT(cores); c++)
        for (int64_t i = 0; i < COUNT(initial); i++)
            for (int64_t f = 0; f < COUNT(factors); f++)
                for (int baseline = 0; baseline < 2; baseline++) {
                    const int64_t C = cores[c], I = initial[i], N = I * factors[f] - (f > 1);
                    const int64_t groups = baseline ? N : N - I;
                    int64_t *sizes = equal_groups(C, groups);
                    struct nereus_tree tree = parallel(I * C, sizes, groups);
                    const int64_t steps = nereus_hypercube_steps(C, I, N, baseline);
                    const double exact = log((double)N / (double)I + baseline) / log((double)C + 1);
                    cr_expect(tree.levels == steps && steps == (int64_t)ceil(exact - 1e-9),
                              "C %lld, I %lld, N %lld, B %d: %lld levels, equation 3: %g",
                              (long long)C, (long long)I, (long long)N, baseline,
                              (long long)tree.levels, exact);
                    for (int64_t s = 0; s < steps;
                         s++) /* the last step is cut off where all is spawned */
                        cr_expect(nereus_tree_processes(&tree, s) - (baseline ? I * C : 0) ==
                                      nereus_hypercube_processes(C, I, s, baseline),
                                  "C %lld, I %lld, B %d, step %lld", (long long)C, (long long)I,
                                  baseline, (long long)s);
                    cr_expect(nereus_tree_processes(&tree, steps) == I * C + groups * C);
                    nereus_tree_fini(&tree);
                    free(sizes);
                }
}

Test(tree, hypercube_numbers_worked_out_by_hand)
{
    /* C = 20, I = 1: 21 nodes after one step, 441 after two (equation 1); 420 and 8820 processes
     * (equation 2). */
    cr_expect(nereus_hypercube_nodes(20, 1, 1, false) == 21 &&
              nereus_hypercube_nodes(20, 1, 2, false) == 441);
    cr_expect(nereus_hypercube_processes(20, 1, 1, false) == 420);
    cr_expect(nereus_hypercube_processes(20, 1, 2, false) == 8820);
    cr_expect(nereus_hypercube_processes(20, 3, 1, true) == 20 * (3 * 21 - 3));
    cr_expect(nereus_hypercube_steps(20, 1, 21, false) == 1 &&
              nereus_hypercube_steps(20, 1, 22, false) == 2);
    cr_expect(nereus_hypercube_steps(112, 1, 16, true) == 1 &&
              nereus_hypercube_steps(112, 1, 113, true) == 2);
    cr_expect(nereus_hypercube_steps(4, 5, 5, false) == 0, "nothing to do");
}

/* ---- binomial: the root of every world starts one group -------------------------------------- */

/* Groups of any size. Source: by hand; after r rounds there are 2^r worlds, one of them the
 * sources'. */
Test(tree, binomial_rounds_worked_out_by_hand)
{
    static const int64_t rounds[][2] = {{1, 1}, {2, 2}, {3, 2}, {4, 3}, {7, 3}, {8, 4}, {10, 4}};
    for (int64_t i = 0; i < COUNT(rounds); i++)
        for (int64_t parents = 1; parents < 40; parents += 19) {
            int64_t *ones = equal_groups(1, rounds[i][0]);
            const int64_t *const sizes[] = {A, S, ones};
            for (int64_t k = 0; k < COUNT(sizes); k++) {
                struct nereus_tree tree;
                cr_assert(nereus_tree_make(NEREUS_BINOMIAL, parents, sizes[k], rounds[i][0], &tree,
                                           NULL) == NEREUS_OK);
                cr_expect(tree.levels == rounds[i][1], "%lld groups: %lld rounds",
                          (long long)rounds[i][0], (long long)tree.levels);
                nereus_tree_fini(&tree);
            }
            free(ones);
        }
}

Test(tree, binomial_starters_worked_out_by_hand)
{
    /* Round 1: the sources' root I -> 0; 2: I -> 1, 0 -> 2; 3: I -> 3, 0 -> 4, 1 -> 5, 2 -> 6; 4: I
     * -> 7, 0 -> 8, 1 -> 9. */
    static const int64_t parents[] = {-1, -1, 0, -1, 0, 1, 2, -1, 0, 1},
                         levels[] = {1, 2, 2, 3, 3, 3, 3, 4, 4, 4};
    struct nereus_tree tree;
    cr_assert(nereus_tree_make(NEREUS_BINOMIAL, 5, A, COUNT(A), &tree, NULL) == NEREUS_OK);
    for (int64_t i = 0; i < tree.group_count; i++)
        cr_expect(tree.groups[i].parent == parents[i] && tree.groups[i].parent_rank == 0 &&
                      tree.groups[i].level == levels[i],
                  "group %lld: by %lld of %lld in round %lld", (long long)i,
                  (long long)tree.groups[i].parent_rank, (long long)tree.groups[i].parent,
                  (long long)tree.groups[i].level);
    /* Processes after each round: 5, 5 + 4, + 2 + 8, + 12 + 3 + 3 + 4, + 4 + 6 + 3. */
    static const int64_t processes[] = {5, 9, 19, 41, 54};
    for (int64_t level = 0; level < COUNT(processes); level++)
        cr_expect(nereus_tree_processes(&tree, level) == processes[level], "round %lld",
                  (long long)level);
    nereus_tree_fini(&tree);
}

/* ---- what holds for every tree --------------------------------------------------------------- */

static void check_tree(const struct nereus_tree *tree, int n)
{
    int64_t first = 0, level = 1;
    char *started = calloc((size_t)tree->group_count + 1, 1);
    for (int64_t i = 0; i < tree->group_count; i++) {
        const struct nereus_tree_group *group = &tree->groups[i];
        cr_assert(group->first == first, "case %d, group %lld", n, (long long)i);
        first += group->processes;
        cr_assert(group->level >= level && group->level <= level + 1 &&
                  group->level <= tree->levels);
        level = group->level;
        const bool by_group = group->parent >= 0;
        cr_assert(group->parent >= -1 && group->parent < i);
        cr_assert(!by_group || tree->groups[group->parent].level < group->level,
                  "case %d: group %lld is started by one that is not there yet", n, (long long)i);
        cr_assert(group->parent_rank >= 0 &&
                  group->parent_rank <
                      (by_group ? tree->groups[group->parent].processes : tree->parents));
        const int64_t child =
            nereus_tree_child(tree, group->level, group->parent, group->parent_rank);
        cr_assert(child == i, "case %d: %lld is told to start %lld", n, (long long)i,
                  (long long)child);
        started[child]++;
    }
    for (int64_t i = 0; i < tree->group_count; i++)
        cr_assert(started[i] == 1, "case %d: group %lld is started %d times", n, (long long)i,
                  started[i]);
    free(started);
}

/* Levels are contiguous, hold every group, and nobody starts two groups in one. */
static void check_levels(const struct nereus_tree *tree, int n)
{
    int64_t next = 0;
    for (int64_t level = 1; level <= tree->levels; level++) {
        int64_t first, count;
        nereus_tree_find_level(tree, level, &first, &count);
        cr_assert(first == next && count > 0);
        cr_assert(count <= nereus_tree_processes(tree, level - 1),
                  "case %d: more starts than processes", n);
        for (int64_t i = first; i < first + count; i++)
            cr_assert(tree->groups[i].level == level);
        next = first + count;
    }
    cr_assert(next == tree->group_count);
}

Test(tree, what_holds_for_every_tree)
{
    for (int n = 0; n < 2000; n++) {
        int64_t sizes[200];
        const int64_t groups = random_below(COUNT(sizes)), parents = 1 + random_below(7);
        for (int64_t i = 0; i < groups; i++)
            sizes[i] = 1 + random_below(5);
        for (enum nereus_strategy s = 0; s < NEREUS_STRATEGY_COUNT; s++) {
            struct nereus_tree tree;
            if (!nereus_strategy_is_tree(s))
                continue;
            cr_assert(nereus_tree_make(s, parents, sizes, groups, &tree, NULL) == NEREUS_OK);
            check_tree(&tree, n);
            check_levels(&tree, n);
            cr_assert((groups == 0) == (tree.levels == 0));
            cr_assert(nereus_tree_child(&tree, 1, -1, parents) == -1 || groups > parents);
            nereus_tree_fini(&tree);
        }
    }
}

Test(tree, a_flat_tree_has_one_level_and_one_parent)
{
    struct nereus_tree tree;
    cr_assert(nereus_tree_make(NEREUS_MULTIPLE, 5, S, COUNT(S), &tree, NULL) == NEREUS_OK);
    cr_expect(tree.levels == 1 && tree.group_count == COUNT(S) && tree.parents == 5);
    for (int64_t i = 0; i < tree.group_count; i++)
        cr_expect(tree.groups[i].parent == -1 && tree.groups[i].parent_rank == 0 &&
                  tree.groups[i].level == 1);
    cr_expect(nereus_tree_processes(&tree, 1) == 5 + 47);
    nereus_tree_fini(&tree);
}

Test(tree, refusals)
{
    static const int64_t sizes[] = {3, 0, 2}, negative[] = {3, -1};
    struct nereus_tree tree;
    struct nereus_error err = {NEREUS_OK, ""};
    cr_expect(nereus_tree_make(NEREUS_DIFFUSIVE, 2, sizes, 3, &tree, &err) == NEREUS_ERR_ARGUMENT);
    cr_expect(strstr(err.text, "group 1") != NULL && tree.groups == NULL, "%s", err.text);
    cr_expect(nereus_tree_make(NEREUS_MULTIPLE, 2, negative, 2, &tree, &err) ==
              NEREUS_ERR_ARGUMENT);
    cr_expect(strstr(err.text, "-1 processes") != NULL, "%s", err.text);
    cr_expect(nereus_tree_make(NEREUS_DIFFUSIVE, 0, S, 3, &tree, &err) == NEREUS_ERR_ARGUMENT);
    cr_expect(strstr(err.text, "not 0") != NULL, "%s", err.text);
}

/* A million groups: found in logarithmic time, 40 bytes each. */
Test(tree, a_million_groups)
{
    const int64_t groups = 1000000;
    int64_t *sizes = equal_groups(1, groups);
    struct nereus_tree tree = parallel(1, sizes, groups);
    cr_expect(tree.levels == 20 && sizeof *tree.groups == 40);
    for (int n = 0; n < 200000; n++) {
        const int64_t i = random_below(groups);
        const struct nereus_tree_group *group = &tree.groups[i];
        cr_assert(nereus_tree_child(&tree, group->level, group->parent, group->parent_rank) == i);
    }
    nereus_tree_fini(&tree);
    free(sizes);
}

/* ---- binary connection: 4.4, figure 3 -------------------------------------------------------- */

Test(tree, connection_rounds_of_the_paper)
{
    static const struct {
        int64_t groups, rounds;
        int64_t round[8], to[8];
        const char *source;
    } rows[] = {
        {7,
         3,
         {0, 3, 2, 2, 1, 1, 1},
         {-1, 0, 0, 1, 0, 1, 2},
         "figure 3: seven groups, three steps"},
        {5,
         3,
         {0, 3, 2, 1, 1},
         {-1, 0, 0, 0, 1},
         "4.4 by hand: group 2 waits, then 2 -> 0 of {0, 1, 2}"},
        {1, 0, {0}, {-1}, "nothing to connect"},
        {2, 1, {0, 1}, {-1, 0}, "one pair"},
        {3, 2, {0, 2, 1}, {-1, 0, 0}, "4.4 by hand"},
        {8, 3, {0, 3, 2, 2, 1, 1, 1, 1}, {-1, 0, 0, 1, 0, 1, 2, 3}, "4.4 by hand: a power of two"},
    };
    for (int64_t i = 0; i < COUNT(rows); i++) {
        cr_expect(nereus_connect_rounds(rows[i].groups) == rows[i].rounds, "%s", rows[i].source);
        for (int64_t g = 0; g < rows[i].groups; g++) {
            int64_t round, to;
            nereus_connect_find_partner(rows[i].groups, g, &round, &to);
            cr_expect(round == rows[i].round[g] && to == rows[i].to[g],
                      "%s: group %lld: round %lld, to %lld", rows[i].source, (long long)g,
                      (long long)round, (long long)to);
        }
    }
}

Test(tree, every_group_connects_once_to_one_that_is_still_there)
{
    for (int64_t groups = 1; groups < 700; groups++) {
        int64_t rounds = nereus_connect_rounds(groups), connections = 0;
        cr_assert(rounds == (int64_t)ceil(log2((double)groups) - 1e-9), "%lld groups",
                  (long long)groups);
        for (int64_t g = 0; g < groups; g++) {
            int64_t round, to, partner_round, partner_to;
            nereus_connect_find_partner(groups, g, &round, &to);
            cr_assert((round == 0) == (g == 0) && round <= rounds, "%lld of %lld", (long long)g,
                      (long long)groups);
            if (g == 0)
                continue;
            connections++;
            nereus_connect_find_partner(groups, to, &partner_round, &partner_to);
            cr_assert(to >= 0 && to < g && (partner_round == 0 || partner_round > round),
                      "%lld of %lld connects to %lld, which is gone", (long long)g,
                      (long long)groups, (long long)to);
            /* Nobody else connects to that group in the same round. */
            int64_t other_round, other_to, left = nereus_connect_count_groups(groups, round);
            for (int64_t o = g + 1; o < left; o++) {
                nereus_connect_find_partner(groups, o, &other_round, &other_to);
                cr_assert(other_round != round || other_to != to);
            }
            cr_assert(g < left);
        }
        cr_assert(connections == groups - 1 &&
                  nereus_connect_count_groups(groups, rounds + 1) == 1);
    }
}

/* ---- rank reordering: 4.5 -------------------------------------------------------------------- */

/* Equation 9 is a numbering without holes, and what the tree's `first` holds. */
Test(tree, equation_9)
{
    cr_expect(nereus_parallel_new_rank(1, 2, S, 3) == 1 + 2 + (2 + 2 + 8), "by hand");
    cr_expect(nereus_parallel_new_rank(0, 7, S, 0) == 7);
    struct nereus_tree tree = parallel(2, S, COUNT(S));
    int64_t next = 2;
    for (int64_t g = 0; g < tree.group_count; g++)
        for (int64_t rank = 0; rank < S[g]; rank++, next++) {
            cr_expect(nereus_parallel_new_rank(rank, 2, S, g) == next);
            cr_expect(2 + tree.groups[g].first + rank == next);
        }
    cr_expect(next == 49);
    nereus_tree_fini(&tree);
}
