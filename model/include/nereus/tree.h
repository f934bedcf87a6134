/**
 * @file tree.h
 * Who starts whom when new processes come as several groups, each a world of its own.
 *
 * The processes that exist are numbered: the parents (sources and woken zombies) by rank, then the groups in the order of
 * their numbers, each by rank. In each round some of them start one group each of those that are left; which do is the strategy's matter
 * (model/plan/strategies): all (parallel-spawning 4.1 and 4.2), the root of each world (binomial), or in flat trees (multiple, launch)
 * the root, which starts all groups in one round.
 *
 * Connecting (parallel-spawning 4.4): in a round with n groups left, group i of the upper half connects to group
 * i - ceil(n / 2), which keeps its number; the middle one of an odd n waits. ceil(n / 2) groups are left.
 */
#ifndef NEREUS_TREE_H
#define NEREUS_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "method.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One new group. */
struct nereus_tree_group {
    int64_t processes;
    int64_t first;       /**< processes in groups with a smaller number: eq. 9 less what existed before */
    int64_t level;       /**< the step of the spawning in which it starts, from 1 */
    int64_t parent;      /**< the group of the process that starts it; -1: one of the parents */
    int64_t parent_rank; /**< rank of that process in its group, or among the parents */
};

struct nereus_tree {
    int64_t group_count, levels;
    int64_t parents;                  /**< processes that exist before the first step */
    struct nereus_tree_group *groups; /**< owned */
};

/**
 * The tree of a strategy that starts several worlds.
 * @param parents    processes before the first step, >= 1
 * @param processes  of each group, in the order of their numbers, all >= 1
 * @return NEREUS_ERR_ARGUMENT for other numbers, or a strategy that starts one world; NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_tree_make(enum nereus_strategy strategy, int64_t parents, const int64_t *processes,
                                    int64_t group_count, struct nereus_tree *tree, struct nereus_error *err);
void nereus_tree_fini(struct nereus_tree *tree);

/** Processes after level s (s = 0: the parents): t_s of equation 4. */
int64_t nereus_tree_processes(const struct nereus_tree *tree, int64_t level);
/** Groups of a level: [*first, *first + *count). */
void nereus_tree_level(const struct nereus_tree *tree, int64_t level, int64_t *first, int64_t *count);
/** The group that a process starts at a level; -1: none. Where one process starts several (flat trees), the first. @param group its own, -1: a
 *  parent. */
int64_t nereus_tree_child(const struct nereus_tree *tree, int64_t level, int64_t group, int64_t rank);

/** Rounds in which `groups` groups become one: ceil(log2(groups)). */
int64_t nereus_connect_rounds(int64_t groups);
/** What a group does: connects once in round *round (from 1) to *to. *round 0: never, it is group 0. */
void nereus_connect_partner(int64_t groups, int64_t group, int64_t *round, int64_t *to);
/** Groups left before a round (from 1). */
int64_t nereus_connect_left(int64_t groups, int64_t round);

/* The equations of parallel-spawning (restored in papers/ERRATA.md) as pure functions. */

/** Equation 1: nodes after a step, I (C + 1)^s - B I; of baseline, those of the new processes alone. */
int64_t nereus_hypercube_nodes(int64_t cores, int64_t nodes, int64_t step, bool baseline);
/** Equation 2: processes on them. */
int64_t nereus_hypercube_processes(int64_t cores, int64_t nodes, int64_t step, bool baseline);
/** Equation 3: steps to so many nodes, ceil(ln(N / I + B) / ln(C + 1)). */
int64_t nereus_hypercube_steps(int64_t cores, int64_t nodes, int64_t target_nodes, bool baseline);

/** Equations 4 to 8, one step after the other: a row of the paper's Table 2. */
struct nereus_diffusive {
    const int64_t *cores, *running; /**< A and R, by node; the caller's */
    int64_t nodes;
    bool baseline;       /**< S = A; else S = A - R */
    int64_t step;        /**< s */
    int64_t processes;   /**< t_s (4) */
    int64_t generated;   /**< g_s (5) */
    int64_t first, last; /**< entries of S, without its zeros, that the step takes (6) */
    int64_t occupied;    /**< T_s (7) */
    int64_t new_nodes;   /**< G_s (8) */
    int64_t left, next_node;
};
/** Step 0. */
void nereus_diffusive_begin(const int64_t *cores, const int64_t *running, int64_t nodes, bool baseline,
                            struct nereus_diffusive *row);
/** The next step; false: all is spawned, and nothing changed. */
bool nereus_diffusive_next(struct nereus_diffusive *row);

/** Equation 9: rank in its world, processes that existed before, and those of the groups with smaller numbers. */
int64_t nereus_parallel_new_rank(int64_t world_rank, int64_t before, const int64_t *processes, int64_t group);

#ifdef __cplusplus
}
#endif
#endif
