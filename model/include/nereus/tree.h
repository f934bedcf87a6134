/**
 * @file tree.h
 * The spawn tree: who starts whom when new processes come as several groups, each a world of its
 * own.
 *
 * Existing processes are numbered: the parents (sources and woken zombies) by rank, then the groups
 * in order, each by rank. In each round some of them start one of the remaining groups each; the
 * strategy decides which (model/plan/strategies): in parallel strategies all (parallel-spawning 4.1
 * and 4.2), in binomial the root of each world, in flat ones (multiple, launch) the root starts all
 * groups in one round.
 *
 * Connecting (parallel-spawning 4.4): in a round with n groups left, group i of the upper half
 * connects to group i - ceil(n / 2), which keeps its number; the middle group of an odd n waits.
 * ceil(n / 2) groups are left.
 */
#ifndef NEREUS_TREE_H
#define NEREUS_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "method.h"
#include "status.h"

NEREUS_BEGIN_C

/** One new group. */
struct nereus_tree_group {
    int64_t processes;
    int64_t first;       /**< processes of the groups before it: equation 9 without the parents */
    int64_t level;       /**< round in which it starts, from 1 */
    int64_t parent;      /**< group of the process that starts it; -1: the parents */
    int64_t parent_rank; /**< rank of that process in its group, or among the parents */
};

struct nereus_tree {
    int64_t group_count, levels;
    int64_t parents;                  /**< processes before the first round */
    struct nereus_tree_group *groups; /**< owned */
};

/**
 * The tree of a strategy that starts several worlds.
 * @param[in]  parents    processes before the first round, >= 1
 * @param[in]  processes  of each group, in order, all >= 1
 * @param[out] tree       free with nereus_tree_fini after NEREUS_OK
 * @return NEREUS_ERR_ARGUMENT for other numbers, or a strategy that starts one world;
 *         NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_tree_make(enum nereus_strategy strategy, int64_t parents,
                                    const int64_t *processes, int64_t group_count,
                                    struct nereus_tree *tree, struct nereus_error *err);
void nereus_tree_fini(struct nereus_tree *tree);

/** Processes after a level (0: the parents): t_s of equation 4. */
int64_t nereus_tree_processes(const struct nereus_tree *tree, int64_t level);
/** Groups of a level: [*first, *first + *count). */
void nereus_tree_level(const struct nereus_tree *tree, int64_t level, int64_t *first,
                       int64_t *count);
/** The group that a process starts at a level, the first if it starts several (flat trees); -1:
 * none. @param group its own group; -1: a parent */
int64_t nereus_tree_child(const struct nereus_tree *tree, int64_t level, int64_t group,
                          int64_t rank);

/** Rounds that connect `groups` groups to one: ceil(log2(groups)). */
int64_t nereus_connect_rounds(int64_t groups);
/**
 * When and to which group a group connects: round *round (from 1), group *to. *round 0: it is group
 * 0.
 */
void nereus_connect_partner(int64_t groups, int64_t group, int64_t *round, int64_t *to);
/** Groups left before a round (from 1). */
int64_t nereus_connect_left(int64_t groups, int64_t round);

NEREUS_END_C
#endif
