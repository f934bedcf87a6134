/**
 * @file tree.h
 * Computes the spawn tree: which process starts which of several groups of new processes, each a
 * world of its own.
 *
 * Processes are numbered: parents (sources and woken zombies) by rank, then the groups in order,
 * each by rank. In each round some of them start one of the remaining groups each (Martín-Álvarez
 * et al. (2025), sections 4.1 and 4.2); in flat strategies all groups start in one round.
 *
 * Connecting (Martín-Álvarez et al. (2025), section 4.4): in a round with n groups, group i of the
 * upper half connects to group i - ceil(n / 2), which keeps its number; the middle group of an odd
 * n waits.
 */
#ifndef NEREUS_TREE_H
#define NEREUS_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "method.h"
#include "status.h"

NEREUS_BEGIN_C

struct nereus_tree_group {
    int64_t processes;
    int64_t first;       /**< number of processes in earlier groups (equation 9, no parents) */
    int64_t level;       /**< round in which the group starts, from 1 */
    int64_t parent;      /**< group of its starter; -1: the parents */
    int64_t parent_rank; /**< rank of its starter in that group */
};

struct nereus_tree {
    int64_t group_count, levels;
    int64_t parents;                  /**< number of sources and woken zombies */
    struct nereus_tree_group *groups; /**< owned */
};

/**
 * Make the tree of a strategy that starts several worlds.
 * @param[in]  processes  number of processes of each group, >= 1
 * @param[out] tree       to be freed with nereus_tree_fini
 * @return NEREUS_ERR_ARGUMENT for other numbers or strategies
 */
enum nereus_status nereus_tree_make(enum nereus_strategy strategy, int64_t parents,
                                    const int64_t *processes, int64_t group_count,
                                    struct nereus_tree *tree, struct nereus_error *err);
/** Free the groups, and zero the struct. */
void nereus_tree_fini(struct nereus_tree *tree);

/** Number of processes after a level (0: the parents): t_s of equation 4. */
int64_t nereus_tree_processes(const struct nereus_tree *tree, int64_t level);
/**
 * The groups of a level: *first .. *first + *count - 1.
 * @param[out] first, count  groups
 */
void nereus_tree_find_level(const struct nereus_tree *tree, int64_t level, int64_t *first,
                            int64_t *count);
/**
 * The first group that a process starts at a level; -1: none.
 * @param[in] group  group of that process; -1: it is a parent
 */
int64_t nereus_tree_child(const struct nereus_tree *tree, int64_t level, int64_t group,
                          int64_t rank);

/** Number of rounds to connect all groups: ceil(log2(groups)). */
int64_t nereus_connect_rounds(int64_t groups);
/**
 * Round, from 1, in which a group connects to group *to; *round 0: `group` is group 0.
 * @param[out] round, to  may not be NULL
 */
void nereus_connect_find_partner(int64_t groups, int64_t group, int64_t *round, int64_t *to);
/** Groups left before a round (from 1). */
int64_t nereus_connect_count_groups(int64_t groups, int64_t round);

NEREUS_END_C
#endif
