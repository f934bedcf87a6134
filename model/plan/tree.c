/* Trees of groups, and the rounds in which these become one: see tree.h. */
#include "nereus/tree.h"

#include <stdlib.h>
#include <string.h>

/* The groups with their places in the numbering; level and parent are still to be filled in. */
static enum nereus_status list_groups(int64_t parents, const int64_t *processes, int64_t group_count,
                                      struct nereus_tree *tree, struct nereus_error *err)
{
    memset(tree, 0, sizeof *tree);
    if (parents < 1)
        return nereus_fail(err, NEREUS_ERR_ARGUMENT, "a spawn tree needs a process to begin with, not %lld",
                           (long long)parents);
    tree->groups = calloc((size_t)group_count + 1, sizeof *tree->groups);
    if (tree->groups == NULL)
        return nereus_fail(err, NEREUS_ERR_MEMORY, "no memory for a tree of %lld groups",
                           (long long)group_count);
    tree->group_count = group_count;
    tree->parents = parents;
    for (int64_t i = 0, first = 0; i < group_count; i++) {
        tree->groups[i].processes = processes[i];
        tree->groups[i].first = first;
        first += processes[i];
        if (processes[i] < 1) {
            nereus_tree_fini(tree);
            return nereus_fail(err, NEREUS_ERR_ARGUMENT, "group %lld of a spawn tree has %lld processes",
                               (long long)i, (long long)processes[i]);
        }
    }
    return NEREUS_OK;
}

enum nereus_status nereus_tree_parallel(int64_t parents, const int64_t *processes, int64_t group_count,
                                        struct nereus_tree *tree, struct nereus_error *err)
{
    const enum nereus_status status = list_groups(parents, processes, group_count, tree, err);
    if (status != NEREUS_OK)
        return status;
    int64_t existing = parents; /* t of the step before */
    for (int64_t next = 0, level = 1; next < group_count; level++) {
        /* Process p starts group next + p. Its own group is found by walking along with p. */
        int64_t own = -1, own_end = parents, added = 0;
        for (int64_t p = 0; p < existing && next < group_count; p++, next++) {
            while (p >= own_end)
                own_end += tree->groups[++own].processes;
            struct nereus_tree_group *group = &tree->groups[next];
            group->level = level;
            group->parent = own;
            group->parent_rank = own < 0 ? p : p - parents - tree->groups[own].first;
            added += group->processes;
        }
        existing += added;
        tree->levels = level;
    }
    return NEREUS_OK;
}

enum nereus_status nereus_tree_flat(int64_t parents, const int64_t *processes, int64_t group_count,
                                    struct nereus_tree *tree, struct nereus_error *err)
{
    const enum nereus_status status = list_groups(parents, processes, group_count, tree, err);
    for (int64_t i = 0; status == NEREUS_OK && i < group_count; i++) {
        tree->groups[i].level = 1;
        tree->groups[i].parent = -1;
    }
    if (status == NEREUS_OK)
        tree->levels = group_count > 0;
    return status;
}

void nereus_tree_fini(struct nereus_tree *tree)
{
    free(tree->groups);
    memset(tree, 0, sizeof *tree);
}

/* First group whose level is above `level`: levels never fall from group to group. */
static int64_t first_above(const struct nereus_tree *tree, int64_t level)
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
    const int64_t end = first_above(tree, level);
    if (end == 0)
        return tree->parents;
    return tree->parents + tree->groups[end - 1].first + tree->groups[end - 1].processes;
}

void nereus_tree_level(const struct nereus_tree *tree, int64_t level, int64_t *first, int64_t *count)
{
    *first = first_above(tree, level - 1);
    *count = first_above(tree, level) - *first;
}

int64_t nereus_tree_child(const struct nereus_tree *tree, int64_t level, int64_t group, int64_t rank)
{
    int64_t first, count;
    nereus_tree_level(tree, level, &first, &count);
    const int64_t number = group < 0 ? rank : tree->parents + tree->groups[group].first + rank;
    return number < count ? first + number : -1;
}

int64_t nereus_connect_rounds(int64_t groups)
{
    int64_t rounds = 0;
    for (; groups > 1; groups = (groups + 1) / 2)
        rounds++;
    return rounds;
}

void nereus_connect_partner(int64_t groups, int64_t group, int64_t *round, int64_t *to)
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

int64_t nereus_connect_left(int64_t groups, int64_t round)
{
    for (int64_t r = 1; r < round; r++)
        groups = (groups + 1) / 2;
    return groups;
}
