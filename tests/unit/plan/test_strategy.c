/**
 * @file test_strategy.c
 * What every strategy holds to: rows are not by name, so that one that is added is tested without a
 * line here.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "model/plan/emit.h"
#include "model/plan/strategies/strategy.h"
#include "model/util/arith.h"

static const int64_t sizes[] = {3, 5, 2, 7, 1, 4, 6, 3, 2, 5, 1, 1, 8, 2, 3, 9, 4};
enum { GROUPS = NEREUS_COUNT_OF(sizes) };

/* A strategy has what its kind of worlds needs. */
Test(strategy, operations_are_complete)
{
    for (int s = 0; s < NEREUS_STRATEGY_COUNT; s++) {
        const struct nereus_strategy_ops *ops = nereus_strategy_ops_of((enum nereus_strategy)s);
        cr_assert(ops != NULL && ops->emit != NULL && ops->starter != NEREUS_STARTER_NONE &&
                      ops->channel != NEREUS_CHANNEL_NONE,
                  "strategy %d", s);
        cr_assert((ops->count_startable != NULL) == ops->several_worlds &&
                      (ops->find_starter != NULL) == ops->several_worlds,
                  "strategy %d", s);
        cr_assert(!ops->several_worlds || ops->channel != NEREUS_CHANNEL_SPAWN,
                  "strategy %d: no way to connect", s);
        cr_assert(!ops->several_worlds || ops->starter != NEREUS_STARTER_ROOT ||
                      ops->channel == NEREUS_CHANNEL_LINES,
                  "strategy %d: the root alone spawns one world", s);
        cr_assert(ops->several_worlds || s == NEREUS_PLAIN || ops->refuses_ss != NULL,
                  "strategy %d: one world leaves no world a node", s);
    }
}

#define WORD(e, name, token) #name,
static const char *const words[] = {NEREUS_STRATEGY_LIST(WORD)};

/* Every group is started once, by a process that exists, in an order that nereus_tree_child finds
 * again. */
static void check_tree(enum nereus_strategy strategy, int64_t parents, int64_t groups)
{
    struct nereus_tree tree;
    cr_assert(nereus_tree_make(strategy, parents, sizes, groups, &tree, NULL) == NEREUS_OK);
    for (int64_t i = 0; i < groups; i++) {
        const struct nereus_tree_group *g = &tree.groups[i];
        cr_assert(g->level >= 1 && g->level <= tree.levels &&
                  (i == 0 || g->level >= tree.groups[i - 1].level));
        if (g->parent < 0)
            cr_assert(g->parent_rank >= 0 && g->parent_rank < parents);
        else
            cr_assert(g->parent_rank >= 0 && g->parent_rank < sizes[g->parent] &&
                          tree.groups[g->parent].level < g->level,
                      "%s: group %d is started by one that is not there yet", words[strategy],
                      (int)i);
        if (nereus_strategy_is_tree(strategy))
            cr_assert(nereus_tree_child(&tree, g->level, g->parent, g->parent_rank) == i,
                      "%s: a process starts two groups in a round, of which %d is one",
                      words[strategy], (int)i);
    }
    cr_assert(nereus_tree_child(&tree, 1, -1, parents) == -1 &&
              nereus_tree_child(&tree, tree.levels + 1, -1, 0) == -1);
    nereus_tree_fini(&tree);
}

Test(strategy, trees_start_every_group_once)
{
    for (int s = 0; s < NEREUS_STRATEGY_COUNT; s++)
        for (int64_t parents = 1; parents < 6; parents++)
            for (int64_t groups = 1; groups <= GROUPS && nereus_strategies[s]->several_worlds;
                 groups++)
                check_tree((enum nereus_strategy)s, parents, groups);
}

Test(strategy, one_world_has_no_tree)
{
    struct nereus_tree tree;
    cr_expect(nereus_tree_make(NEREUS_PLAIN, 2, sizes, 3, &tree, NULL) == NEREUS_ERR_ARGUMENT);
    cr_expect(nereus_tree_make(NEREUS_STRATEGY_COUNT, 2, sizes, 3, &tree, NULL) ==
              NEREUS_ERR_ARGUMENT);
}

/* A word that no list has is refused before anybody looks it up. */
Test(strategy, a_strategy_that_is_none_is_refused)
{
    struct nereus_error err;
    const struct nereus_method method = {.process = NEREUS_MERGE,
                                         .strategy = NEREUS_STRATEGY_COUNT};
    cr_expect(nereus_method_check(&method, &err) == NEREUS_ERR_ARGUMENT);
    cr_expect(nereus_method_check_direction(&method, 2, 5, &err) == NEREUS_ERR_ARGUMENT);
    cr_expect(strstr(err.text, "a spawn strategy") != NULL, "%s", err.text);
}

Test(strategy, a_plan_without_room_for_a_step_is_an_error)
{
    static struct nereus_step steps[NEREUS_PLAN_STEPS_MAX];
    struct nereus_plan plan = {.ns = 3, .nt = 7, .steps = steps};
    const struct nereus_step step = {.kind = NEREUS_STEP_AGREE, .repeat = 1, .times = 1};
    struct nereus_error err;
    for (int i = 0; i < NEREUS_PLAN_STEPS_MAX; i++)
        cr_assert(nereus_plan_append(&plan, &step, &err) == NEREUS_OK);
    cr_expect(nereus_plan_append(&plan, &step, &err) == NEREUS_ERR_UNSUPPORTED);
    cr_expect(plan.step_count == NEREUS_PLAN_STEPS_MAX);
    cr_expect(strstr(err.text, "3 to 7") != NULL && strstr(err.text, "256") != NULL, "%s",
              err.text);
}
