/**
 * @file equations_parallel.h
 * The equations of Martín-Álvarez et al. (2025) (docs/results/errata.md) as pure functions. They
 * only count; the tree (model/plan/tree.c) decides who starts whom, and must reach the same counts.
 *
 * Hypercube: (1) nodes after a step, I (C + 1)^s - B I; (2) processes on them; (3) steps to so many
 * nodes. Diffusive: (4) to (8), a row of Table 2 a step. (9) the new rank.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/** Equations 4 to 8, one step after the other: a row of the paper's Table 2. */
struct nereus_diffusive {
    const int64_t *cores, *running; /**< A and R, by node; the caller's */
    int64_t nodes;
    bool baseline;       /**< S = A; else S = A - R */
    int64_t step;        /**< s */
    int64_t processes;   /**< t_s (4) */
    int64_t generated;   /**< g_s (5) */
    int64_t first, last; /**< entries of S without zeros that the step takes (6) */
    int64_t occupied;    /**< T_s (7) */
    int64_t new_nodes;   /**< G_s (8) */
    int64_t left, next_node;
};

static inline int64_t nereus_hypercube_nodes(int64_t cores, int64_t nodes, int64_t step,
                                             bool baseline)
{
    int64_t grown = nodes;
    for (int64_t s = 0; s < step; s++)
        grown *= cores + 1;
    return baseline ? grown - nodes : grown;
}

static inline int64_t nereus_hypercube_processes(int64_t cores, int64_t nodes, int64_t step,
                                                 bool baseline)
{
    return cores * nereus_hypercube_nodes(cores, nodes, step, baseline);
}

static inline int64_t nereus_hypercube_steps(int64_t cores, int64_t nodes, int64_t target_nodes,
                                             bool baseline)
{
    /* Integers: floating-point logarithms of exact powers may be off, and a plan depends on the
     * count. */
    int64_t steps = 0;
    while (nereus_hypercube_nodes(cores, nodes, steps, baseline) < target_nodes)
        steps++;
    return steps;
}

/* S of a node. */
static inline int64_t to_spawn(const struct nereus_diffusive *d, int64_t node)
{
    const int64_t rest = d->baseline ? d->cores[node] : d->cores[node] - d->running[node];
    return rest > 0 ? rest : 0;
}

static inline void nereus_diffusive_begin(const int64_t *cores, const int64_t *running,
                                          int64_t nodes, bool baseline, struct nereus_diffusive *d)
{
    *d = (struct nereus_diffusive){.cores = cores,
                                   .running = running,
                                   .nodes = nodes,
                                   .baseline = baseline,
                                   .first = -1,
                                   .last = -1};
    for (int64_t i = 0; i < nodes; i++) {
        d->processes += running[i];
        d->occupied += running[i] > 0;
        d->left += to_spawn(d, i) > 0;
    }
}

static inline bool nereus_diffusive_next(struct nereus_diffusive *d)
{
    const int64_t starters = d->processes; /* t of the step before */
    if (d->left == 0)
        return false;
    d->step++;
    d->generated = d->new_nodes = 0;
    d->first = d->last + 1;
    for (int64_t taken = 0; taken < starters && d->left > 0; d->next_node++) {
        const int64_t here = to_spawn(d, d->next_node);
        if (here == 0)
            continue; /* zero entries of S do not count */
        taken++;
        d->left--;
        d->last++;
        d->generated += here;
        d->new_nodes += d->running[d->next_node] == 0;
    }
    d->processes += d->generated;
    d->occupied += d->new_nodes;
    return true;
}

static inline int64_t nereus_parallel_new_rank(int64_t world_rank, int64_t before,
                                               const int64_t *processes, int64_t group)
{
    int64_t rank = world_rank + before;
    for (int64_t i = 0; i < group; i++)
        rank += processes[i];
    return rank;
}
