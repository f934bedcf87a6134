/** @file test_tree_shape.c  How a spawn tree is told: its levels, runs of like groups, who starts
 * them, rounds. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "model/util/arith.h"
#include "predictor/plan/tree_shape.h"

#define COUNT(list) ((int64_t)NEREUS_COUNT_OF(list))

/* Groups 2 and 3 are alike, but not on consecutive nodes; 4 and 5 are; 6 is of another level. */
static struct nereus_group groups[] = {{1, 2}, {2, 3}, {4, 5}, {6, 5},
                                       {7, 4}, {8, 4}, {9, 4}, {10, 4}};
static const struct nereus_request request = {.group_count = COUNT(groups), .groups = groups};

static struct nereus_tree make(enum nereus_strategy strategy, int64_t parents)
{
    struct nereus_tree tree;
    int64_t sizes[COUNT(groups)];
    for (int64_t i = 0; i < COUNT(groups); i++)
        sizes[i] = groups[i].processes;
    cr_assert(nereus_tree_make(strategy, parents, sizes, COUNT(groups), &tree, NULL) == NEREUS_OK);
    return tree;
}

/* t = 1, 3, 3 + 3 + 5 + 5 = 16: levels of one, three and four groups. */
Test(tree_shape, levels)
{
    static const struct {
        int64_t first, count, before, processes, min, max, runs;
        const char *starters;
    } expected[] = {
        {0, 1, 1, 2, 2, 2, 1, "source 0"},
        {1, 3, 3, 13, 3, 5, 3, "source 0 and group 0"},
        {4, 4, 16, 16, 4, 4, 1, "source 0 and groups 0 to 1"},
    };
    struct nereus_tree tree = make(NEREUS_DIFFUSIVE, 1);
    cr_assert(tree.levels == COUNT(expected));
    for (int64_t i = 0; i < COUNT(expected); i++) {
        struct nereus_level_shape shape;
        char text[NEREUS_TREE_TEXT_MAX];
        nereus_tree_find_level_shape(&tree, &request, i + 1, &shape);
        cr_expect(shape.first == expected[i].first && shape.count == expected[i].count &&
                      shape.existing_processes == expected[i].before &&
                      shape.processes == expected[i].processes && shape.min == expected[i].min &&
                      shape.max == expected[i].max && shape.runs == expected[i].runs,
                  "level %lld: %lld runs, %lld processes", (long long)i + 1, (long long)shape.runs,
                  (long long)shape.processes);
        cr_expect_str_eq(nereus_tree_starters_text(&tree, &shape, text), expected[i].starters);
    }
    nereus_tree_fini(&tree);
}

Test(tree_shape, runs)
{
    struct nereus_tree tree = make(NEREUS_DIFFUSIVE, 1);
    struct nereus_tree_run run;
    nereus_tree_find_run(&tree, &request, 2, &run);
    cr_expect(run.count == 1 && run.processes == 5 && run.node == 4 && run.parent_group == 0 &&
              run.parent_rank == 0);
    nereus_tree_find_run(&tree, &request, 4, &run);
    cr_expect(run.count == 4 && run.processes == 4 && run.node == 7 && run.parent_group == -1);
    nereus_tree_fini(&tree);
}

Test(tree_shape, a_flat_tree_is_started_by_one)
{
    struct nereus_tree tree = make(NEREUS_MULTIPLE, 3);
    struct nereus_level_shape shape;
    char text[NEREUS_TREE_TEXT_MAX];
    nereus_tree_find_level_shape(&tree, &request, 1, &shape);
    cr_expect(shape.count == 8 && shape.existing_processes == 3 && shape.processes == 31);
    cr_expect_str_eq(nereus_tree_starters_text(&tree, &shape, text), "source 0");
    nereus_tree_fini(&tree);
}

/* Not one process after the other: the roots of worlds. */
Test(tree_shape, starters_are_those_of_the_tree)
{
    static const char *const expected[] = {"source 0", "source 0 and group 0",
                                           "source 0 and groups 0 to 2", "source 0"};
    struct nereus_tree tree = make(NEREUS_BINOMIAL, 3);
    cr_assert(tree.levels == COUNT(expected));
    for (int64_t i = 0; i < COUNT(expected); i++) {
        struct nereus_level_shape shape;
        char text[NEREUS_TREE_TEXT_MAX];
        nereus_tree_find_level_shape(&tree, &request, i + 1, &shape);
        cr_expect_str_eq(nereus_tree_starters_text(&tree, &shape, text), expected[i]);
    }
    nereus_tree_fini(&tree);
}

Test(tree_shape, rounds_of_an_odd_number)
{
    struct nereus_tree tree = {.group_count = 7};
    static const int64_t expected[][4] = {{7, 3, 4, 3}, {4, 2, 2, -1}, {2, 1, 1, -1}};
    for (int64_t i = 0; i < COUNT(expected); i++) {
        struct nereus_tree_round round;
        nereus_tree_find_round_shape(&tree, i + 1, &round);
        cr_expect(round.groups_left == expected[i][0] && round.pairs == expected[i][1] &&
                      round.from == expected[i][2] && round.waits == expected[i][3],
                  "round %lld", (long long)i + 1);
    }
}

Test(tree_shape, words)
{
    struct nereus_node nodes[] = {{.name = "alpha", .cores = 4}, {.name = "beta", .cores = 2}};
    const struct nereus_machine finite = {.node_count = 2, .nodes = nodes},
                                unbounded = {.cores_per_node = 4};
    char text[NEREUS_TREE_TEXT_MAX];
    cr_expect_str_eq(nereus_tree_nodes_text(&finite, 0, 1, text), "alpha to beta");
    cr_expect_str_eq(nereus_tree_nodes_text(&finite, 1, 1, text), "beta");
    cr_expect_str_eq(nereus_tree_nodes_text(&unbounded, 3, 5, text), "node 3 to node 5");
    cr_expect_str_eq(nereus_tree_sizes_text(1, 1, text), "1 process");
    cr_expect_str_eq(nereus_tree_sizes_text(3, 7, text), "3 to 7 processes");
}
