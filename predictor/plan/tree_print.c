/** @file tree_print.c  Prints a spawn tree as text and as JSON. */

#include "predictor/cli/output.h"
#include "tree.h"

/* A level with more runs than RUNS_SHOWN is printed in one line. */
enum { RUNS_SHOWN = 6, DEPTH_MAX = 40 };

/* Print the groups that the processes of one group (-1: the sources) start, each followed by its
 * children. bars[d]: more groups follow at depth d. */
static void print_children(const struct nereus_tree_view *v, int64_t parent, int depth, bool *bars,
                           FILE *stream)
{
    char size[NEREUS_TREE_TEXT_MAX], node[NEREUS_TREE_TEXT_MAX];
    int64_t last = -1;
    for (int64_t i = 0; i < v->tree->group_count; i++)
        last = v->tree->groups[i].parent == parent ? i : last;
    for (int64_t i = 0; i <= last; i++) {
        const struct nereus_tree_group *group = &v->tree->groups[i];
        struct nereus_tree_run run;
        if (group->parent != parent)
            continue;
        nereus_tree_find_run(v->tree, v->request, i, &run);
        fputs("  ", stream);
        for (int d = 0; d < depth; d++)
            fputs(bars[d] ? "|  " : "   ", stream);
        fprintf(stream, "+- group %lld: %s on %s, level %lld, by %s %lld\n", (long long)i,
                nereus_tree_sizes_text(group->processes, group->processes, size),
                nereus_tree_nodes_text(v->machine, run.node, run.node, node),
                (long long)group->level, parent < 0 ? "source" : "its rank",
                (long long)group->parent_rank);
        if (depth + 1 < DEPTH_MAX) {
            bars[depth] = i < last;
            print_children(v, i, depth + 1, bars, stream);
        }
    }
}

static void print_run(const struct nereus_tree_view *v, const struct nereus_tree_run *run,
                      FILE *stream)
{
    char size[NEREUS_TREE_TEXT_MAX], node[NEREUS_TREE_TEXT_MAX], groups[64];
    snprintf(groups, sizeof groups, run->count == 1 ? "group %lld" : "groups %lld to %lld",
             (long long)run->first, (long long)(run->first + run->count - 1));
    fprintf(stream, "    %s: %s%s, on %s\n", groups,
            nereus_tree_sizes_text(run->processes, run->processes, size),
            run->count == 1 ? "" : " each",
            nereus_tree_nodes_text(v->machine, run->node, run->last_node, node));
}

/* Print the first and the last group of a level with many runs. */
static void print_ends(const struct nereus_tree_view *v, const struct nereus_level_shape *shape,
                       FILE *stream)
{
    struct nereus_tree_run first, last;
    char node[NEREUS_TREE_TEXT_MAX];
    nereus_tree_find_run(v->tree, v->request, shape->first, &first);
    nereus_tree_find_run(v->tree, v->request, shape->first + shape->count - 1, &last);
    fprintf(stream, "    groups %lld to %lld, on %s (%lld resize%s)\n", (long long)shape->first,
            (long long)(shape->first + shape->count - 1),
            nereus_tree_nodes_text(v->machine, first.node, last.node, node),
            (long long)(shape->runs - 1), nereus_plural_s(shape->runs - 1));
}

static void print_level(const struct nereus_tree_view *v, int64_t level, FILE *stream)
{
    struct nereus_level_shape shape;
    char size[NEREUS_TREE_TEXT_MAX], starters[NEREUS_TREE_TEXT_MAX];
    nereus_tree_find_level_shape(v->tree, v->request, level, &shape);
    nereus_print_wrapped(stream, 4, "  level %lld: %lld group%s of %s, started by %s; %lld -> %lld",
                         (long long)level, (long long)shape.count, nereus_plural_s(shape.count),
                         nereus_tree_sizes_text(shape.min, shape.max, size),
                         nereus_tree_starters_text(v->tree, &shape, starters),
                         (long long)shape.existing_processes,
                         (long long)(shape.existing_processes + shape.processes));
    struct nereus_tree_run run;
    if (shape.runs > RUNS_SHOWN)
        print_ends(v, &shape, stream);
    for (int64_t at = shape.first; shape.runs <= RUNS_SHOWN && at < shape.first + shape.count;
         at += run.count) {
        nereus_tree_find_run(v->tree, v->request, at, &run);
        print_run(v, &run, stream);
    }
}

static void print_rounds(const struct nereus_tree_view *v, FILE *stream)
{
    const int64_t rounds = nereus_connect_rounds(v->tree->group_count);
    if (rounds > 0)
        fprintf(stream, "Connections: %lld round%s\n", (long long)rounds, nereus_plural_s(rounds));
    for (int64_t r = 1; r <= rounds; r++) {
        struct nereus_tree_round round;
        nereus_tree_find_round_shape(v->tree, r, &round);
        if (round.pairs == 1) {
            fprintf(stream, "  round %lld: %lld -> 0", (long long)r, (long long)round.from);
        } else {
            fprintf(stream, "  round %lld: %lld..%lld -> 0..%lld", (long long)r,
                    (long long)round.from, (long long)(round.from + round.pairs - 1),
                    (long long)(round.pairs - 1));
        }
        if (round.waits >= 0)
            fprintf(stream, "; group %lld waits", (long long)round.waits);
        fputc('\n', stream);
    }
}

void nereus_tree_print(const struct nereus_tree_view *view, FILE *stream)
{
    char size[NEREUS_TREE_TEXT_MAX];
    bool bars[DEPTH_MAX] = {false};
    if (view->tree->group_count == 0)
        return;
    fprintf(stream, "\nSpawn tree: %lld group%s in %lld level%s\n",
            (long long)view->tree->group_count, nereus_plural_s(view->tree->group_count),
            (long long)view->tree->levels, nereus_plural_s(view->tree->levels));
    for (int64_t level = 1; level <= view->tree->levels; level++)
        print_level(view, level, stream);
    if (view->tree->group_count <= NEREUS_TREE_SMALL) {
        fprintf(stream, "  sources: %s\n",
                nereus_tree_sizes_text(view->tree->parents, view->tree->parents, size));
        print_children(view, -1, 0, bars, stream);
    }
    print_rounds(view, stream);
}

static json_t *make_run_json(const struct nereus_tree_view *v, const struct nereus_tree_run *run)
{
    char first[NEREUS_TREE_TEXT_MAX], last[NEREUS_TREE_TEXT_MAX];
    return nereus_json_pack(
        "{s:I, s:I, s:I, s:s, s:s, s:I, s:I}", "first_group", (json_int_t)run->first, "groups",
        (json_int_t)run->count, "processes", (json_int_t)run->processes, "first_node",
        nereus_tree_nodes_text(v->machine, run->node, run->node, first), "last_node",
        nereus_tree_nodes_text(v->machine, run->last_node, run->last_node, last), "parent_group",
        (json_int_t)run->parent_group, "parent_rank", (json_int_t)run->parent_rank);
}

/* In small trees each group is a run, so that each is listed with its parent. */
static json_t *make_level_json(const struct nereus_tree_view *v, int64_t level)
{
    struct nereus_level_shape shape;
    struct nereus_tree_run run;
    char starters[NEREUS_TREE_TEXT_MAX];
    json_t *runs = json_array();
    nereus_tree_find_level_shape(v->tree, v->request, level, &shape);
    for (int64_t at = shape.first; at < shape.first + shape.count; at += run.count) {
        nereus_tree_find_run(v->tree, v->request, at, &run);
        if (v->tree->group_count <= NEREUS_TREE_SMALL) {
            run.count = 1;
            run.last_node = run.node;
        }
        json_array_append_new(runs, make_run_json(v, &run));
    }
    return nereus_json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:s, s:o}", "level",
                            (json_int_t)level, "first_group", (json_int_t)shape.first, "groups",
                            (json_int_t)shape.count, "least_processes", (json_int_t)shape.min,
                            "most_processes", (json_int_t)shape.max, "processes_before",
                            (json_int_t)shape.existing_processes, "processes_after",
                            (json_int_t)(shape.existing_processes + shape.processes), "started_by",
                            nereus_tree_starters_text(v->tree, &shape, starters), "runs", runs);
}

static json_t *make_round_json(const struct nereus_tree_view *v, int64_t number)
{
    struct nereus_tree_round round;
    nereus_tree_find_round_shape(v->tree, number, &round);
    return nereus_json_pack("{s:I, s:I, s:I, s:I, s:o}", "round", (json_int_t)number, "pairs",
                            (json_int_t)round.pairs, "first_from", (json_int_t)round.from,
                            "first_to", (json_int_t)0, "waits",
                            round.waits < 0 ? json_null() : json_integer(round.waits));
}

json_t *nereus_tree_json(const struct nereus_tree_view *view)
{
    if (view->tree->group_count == 0)
        return json_null();
    json_t *levels = json_array(), *rounds = json_array();
    for (int64_t level = 1; level <= view->tree->levels; level++)
        json_array_append_new(levels, make_level_json(view, level));
    for (int64_t round = 1; round <= nereus_connect_rounds(view->tree->group_count); round++)
        json_array_append_new(rounds, make_round_json(view, round));
    return nereus_json_pack("{s:I, s:I, s:o, s:o}", "groups", (json_int_t)view->tree->group_count,
                            "parents", (json_int_t)view->tree->parents, "levels", levels, "rounds",
                            rounds);
}
