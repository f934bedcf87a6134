/**
 * @file tree_shape.h
 * Summarises a spawn tree: levels, runs of equal groups, their parents, rounds of connections.
 * Text, JSON and picture of `nereus plan` are made from this summary, which is small for any number
 * of groups.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/layout.h"
#include "nereus/request.h"
#include "nereus/tree.h"

/** A tree with more groups than this is shown by levels, a smaller one group by group. */
enum { NEREUS_TREE_SMALL = 32 };

/** Consecutive groups of one level, of equal size, on consecutive nodes or all on one node. */
struct nereus_tree_run {
    int64_t first, count;
    int64_t processes;       /**< processes of each group */
    int64_t node, last_node; /**< nodes of the first and of the last group */
    int64_t parent_group;    /**< parent of the first group; -1: a source */
    int64_t parent_rank;     /**< rank of the process that starts the first group */
};

struct nereus_level_shape {
    int64_t level, first, count; /**< groups */
    int64_t existing_processes;  /**< processes that exist before the level */
    int64_t processes, min, max; /**< started processes: in total, and per group */
    int64_t runs;                /**< number of runs in the level */
};

/**
 * Groups of a round: [from, from + pairs) connect to [0, pairs); with an odd number the middle one
 * waits.
 */
struct nereus_tree_round {
    int64_t round, groups_left, pairs, from;
    int64_t waits; /**< the group that waits; -1: none */
};

void nereus_tree_find_level_shape(const struct nereus_tree *tree,
                                  const struct nereus_request *request, int64_t level,
                                  struct nereus_level_shape *shape);
/** @return the run that begins with a group */
void nereus_tree_find_run(const struct nereus_tree *tree, const struct nereus_request *request,
                          int64_t first, struct nereus_tree_run *run);
void nereus_tree_find_round_shape(const struct nereus_tree *tree, int64_t round,
                                  struct nereus_tree_round *shape);

enum { NEREUS_TREE_TEXT_MAX = 2 * NEREUS_NODE_NAME_MAX + 32 };

/** Name the first to the last whose processes start groups: "source 0", "sources 0 to 3", "sources
 * 0 to 3 and groups 0 to 4".
 * @return text, NEREUS_TREE_TEXT_MAX long */
char *nereus_tree_starters_text(const struct nereus_tree *tree,
                                const struct nereus_level_shape *shape, char *text);
/** Name nodes by the machine's names, "n1", "n1 to n7", else "node 1". */
char *nereus_tree_nodes_text(const struct nereus_machine *machine, int64_t first, int64_t last,
                             char *text);
/** Print sizes: "1 process", "3 processes", "3 to 7 processes". */
char *nereus_tree_sizes_text(int64_t min, int64_t max, char *text);
