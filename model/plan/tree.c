/**
 * @file tree.c
 * Makes spawn trees (which group starts which, by level), and the rounds of their binary
 * connection.
 */
#include "nereus/tree.h"

#include "strategies/strategy.h"

/* Set the sizes and first ranks of the groups; levels and parents are set later. */
static enum nereus_status list_groups(int64_t parents, const int64_t *processes,
                                      int64_t group_count, struct nereus_tree *tree,
                                      struct nereus_error *err)
{
    memset(tree, 0, sizeof *tree);
    if (parents < 1)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "a spawn tree needs a process to begin with, not %lld",
                           (long long)parents);
    tree->groups = calloc((size_t)group_count + 1, sizeof *tree->groups);
    NEREUS_TRY_MEMORY(tree->groups, err, "for a tree of %lld groups", (long long)group_count);
    tree->group_count = group_count;
    tree->parents = parents;
    for (int64_t i = 0, first = 0; i < group_count; i++) {
        tree->groups[i].processes = processes[i];
        tree->groups[i].first = first;
        first += processes[i];
        if (processes[i] < 1) {
            nereus_tree_fini(tree);
            return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                               "group %lld of a spawn tree has %lld process%s", (long long)i,
                               (long long)processes[i], nereus_plural_es(processes[i]));
        }
    }
    return NEREUS_OK;
}

/* Set the parents of a level's groups; the numbers of the starters never decrease. */
static void set_round_parents(const struct nereus_strategy_ops *strategy,
                              const struct nereus_growth *old_growth, int64_t count,
                              struct nereus_tree *tree)
{
    /* group_end: number after the last process of that group */
    int64_t starter_group = -1, group_end = old_growth->parents;
    for (int64_t i = 0; i < count; i++) {
        struct nereus_tree_group *group = &tree->groups[old_growth->groups + i];
        const int64_t starter = strategy->find_starter(tree, old_growth, i);
        while (starter >= group_end)
            group_end += tree->groups[++starter_group].processes;
        group->level = tree->levels;
        group->parent = starter_group;
        group->parent_rank =
            starter_group < 0 ? starter
                              : starter - old_growth->parents - tree->groups[starter_group].first;
    }
}

enum nereus_status nereus_tree_make(enum nereus_strategy strategy, int64_t parents,
                                    const int64_t *processes, int64_t group_count,
                                    struct nereus_tree *tree, struct nereus_error *err)
{
    const struct nereus_strategy_ops *const ops =
        (unsigned)strategy < NEREUS_STRATEGY_COUNT ? nereus_strategy_ops_of(strategy) : NULL;
    if (ops == NULL || !ops->several_worlds)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT,
                           "a strategy that starts one world has no spawn tree");
    NEREUS_TRY(list_groups(parents, processes, group_count, tree, err));
    struct nereus_growth growth = nereus_growth_begin(parents);
    while (growth.groups < group_count) {
        const int64_t count =
            nereus_min(group_count - growth.groups, nereus_max(1, ops->count_startable(&growth)));
        tree->levels++;
        set_round_parents(ops, &growth, count, tree);
        const struct nereus_tree_group *last = &tree->groups[growth.groups + count - 1];
        nereus_growth_add(&growth, count,
                          parents + last->first + last->processes - growth.processes);
    }
    return NEREUS_OK;
}

void nereus_tree_fini(struct nereus_tree *tree)
{
    free(tree->groups);
    memset(tree, 0, sizeof *tree);
}

/* Find the first group above a level, by binary search: levels never decrease with the index. */
static int64_t find_first_above(const struct nereus_tree *tree, int64_t level)
{
    int64_t low = 0, high = tree->group_count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (tree->groups[middle].level > level)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

int64_t nereus_tree_processes(const struct nereus_tree *tree, int64_t level)
{
    const int64_t end = find_first_above(tree, level);
    if (end == 0)
        return tree->parents;
    return tree->parents + tree->groups[end - 1].first + tree->groups[end - 1].processes;
}

void nereus_tree_find_level(const struct nereus_tree *tree, int64_t level, int64_t *first,
                            int64_t *count)
{
    *first = find_first_above(tree, level - 1);
    *count = find_first_above(tree, level) - *first;
}

int64_t nereus_tree_child(const struct nereus_tree *tree, int64_t level, int64_t group,
                          int64_t rank)
{
    int64_t low, count;
    nereus_tree_find_level(tree, level, &low, &count);
    const int64_t end = low + count;
    for (int64_t high = end; low < high;) { /* binary search: starters are sorted by number */
        const int64_t middle = low + (high - low) / 2;
        const struct nereus_tree_group *g = &tree->groups[middle];
        if (g->parent < group || (g->parent == group && g->parent_rank < rank))
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && tree->groups[low].parent == group && tree->groups[low].parent_rank == rank
               ? low
               : -1;
}

int64_t nereus_connect_rounds(int64_t groups)
{
    int64_t rounds = 0;
    for (; groups > 1; groups = (groups + 1) / 2)
        rounds++;
    return rounds;
}

void nereus_connect_find_partner(int64_t groups, int64_t group, int64_t *round, int64_t *to)
{
    *round = 0;
    *to = -1;
    for (int64_t left = groups, r = 1; left > 1; left = (left + 1) / 2, r++) {
        if (group >= (left + 1) / 2) {
            *round = r;
            *to = group - (left + 1) / 2;
            return;
        }
    }
}

int64_t nereus_connect_count_groups(int64_t groups, int64_t round)
{
    for (int64_t r = 1; r < round; r++)
        groups = (groups + 1) / 2;
    return groups;
}
