/** @file tree_shape.c  Finds the levels, runs and rounds of a spawn tree. */
#include "tree_shape.h"

/* @return node of a group. Without groups in the request all new processes are one group, on node
 * 0. */
static int64_t get_node(const struct nereus_request *request, int64_t group)
{
    return group < request->group_count ? request->groups[group].node : 0;
}

static bool continues_run(const struct nereus_tree *tree, const struct nereus_request *request,
                          const struct nereus_tree_run *run, int64_t group)
{
    const int64_t step = get_node(request, group) - run->last_node,
                  usual = run->last_node > run->node ? 1 : 0;
    return group < tree->group_count &&
           tree->groups[group].level == tree->groups[run->first].level &&
           tree->groups[group].processes == run->processes &&
           (run->count == 1 ? step == 0 || step == 1 : step == usual);
}

void nereus_tree_find_run(const struct nereus_tree *tree, const struct nereus_request *request,
                          int64_t first, struct nereus_tree_run *run)
{
    const struct nereus_tree_group *group = &tree->groups[first];
    *run = (struct nereus_tree_run){.first = first,
                                    .count = 1,
                                    .processes = group->processes,
                                    .node = get_node(request, first),
                                    .last_node = get_node(request, first),
                                    .parent_group = group->parent,
                                    .parent_rank = group->parent_rank};
    while (continues_run(tree, request, run, first + run->count))
        run->last_node = get_node(request, first + run->count++);
}

void nereus_tree_find_level_shape(const struct nereus_tree *tree,
                                  const struct nereus_request *request, int64_t level,
                                  struct nereus_level_shape *shape)
{
    struct nereus_tree_run run;
    *shape = (struct nereus_level_shape){
        .level = level, .existing_processes = nereus_tree_processes(tree, level - 1)};
    nereus_tree_find_level(tree, level, &shape->first, &shape->count);
    for (int64_t at = shape->first; at < shape->first + shape->count;
         at += run.count, shape->runs++) {
        nereus_tree_find_run(tree, request, at, &run);
        shape->min = shape->runs == 0 || run.processes < shape->min ? run.processes : shape->min;
        shape->max = run.processes > shape->max ? run.processes : shape->max;
        shape->processes += run.count * run.processes;
    }
}

void nereus_tree_find_round_shape(const struct nereus_tree *tree, int64_t round,
                                  struct nereus_tree_round *shape)
{
    const int64_t left = nereus_connect_count_groups(tree->group_count, round);
    *shape = (struct nereus_tree_round){.round = round,
                                        .groups_left = left,
                                        .pairs = left / 2,
                                        .from = left - left / 2,
                                        .waits = left % 2 != 0 ? left / 2 : -1};
}

/* Append a range: "WHAT 3", "WHATs 3 to 7". */
static size_t format_range(const char *what, int64_t first, int64_t last, char *text, size_t bytes)
{
    const int length = first == last ? snprintf(text, bytes, "%s %lld", what, (long long)first)
                                     : snprintf(text, bytes, "%ss %lld to %lld", what,
                                                (long long)first, (long long)last);
    return length > 0 ? (size_t)length : 0;
}

char *nereus_tree_starters_text(const struct nereus_tree *tree,
                                const struct nereus_level_shape *shape, char *text)
{
    const struct nereus_tree_group *const first = &tree->groups[shape->first], *const end =
                                                                                   first +
                                                                                   shape->count;
    const struct nereus_tree_group *by_group =
        first; /* sources start those before it: parents are in ascending order */
    size_t used = 0;
    while (by_group < end && by_group->parent < 0)
        by_group++;
    if (by_group > first) {
        used = format_range("source", first->parent_rank, by_group[-1].parent_rank, text,
                            NEREUS_TREE_TEXT_MAX);
    }
    if (by_group > first && by_group < end)
        used += (size_t)snprintf(text + used, NEREUS_TREE_TEXT_MAX - used, " and ");
    if (by_group < end) {
        format_range("group", by_group->parent, end[-1].parent, text + used,
                     NEREUS_TREE_TEXT_MAX - used);
    }
    return text;
}

static size_t format_node(const struct nereus_machine *machine, int64_t node, char *text,
                          size_t bytes)
{
    const int length = node < machine->node_count
                           ? snprintf(text, bytes, "%s", machine->nodes[node].name)
                           : snprintf(text, bytes, "node %lld", (long long)node);
    return length > 0 ? (size_t)length : 0;
}

char *nereus_tree_nodes_text(const struct nereus_machine *machine, int64_t first, int64_t last,
                             char *text)
{
    size_t used = format_node(machine, first, text, NEREUS_TREE_TEXT_MAX);
    if (last != first) {
        used += (size_t)snprintf(text + used, NEREUS_TREE_TEXT_MAX - used, " to ");
        format_node(machine, last, text + used, NEREUS_TREE_TEXT_MAX - used);
    }
    return text;
}

char *nereus_tree_sizes_text(int64_t min, int64_t max, char *text)
{
    if (min == max) {
        snprintf(text, NEREUS_TREE_TEXT_MAX, "%lld process%s", (long long)min,
                 nereus_plural_es(min));
    } else {
        snprintf(text, NEREUS_TREE_TEXT_MAX, "%lld to %lld process%s", (long long)min,
                 (long long)max, nereus_plural_es(max));
    }
    return text;
}
