/**
 * @file mix.h
 * Which processes of a heterogeneous machine: so many of each class that together they have enough
 * power, at the least price or with the least power to spare (mappingSimplex of algorithm 1). By
 * GLPK: the simplex method on real numbers, rounded, as the paper does; and the integer problem by
 * branch and bound, which is exact where the tree stays small. Private to model/policy.
 */
#ifndef NEREUS_MIX_H
#define NEREUS_MIX_H

#include "nereus/computational_model.h"
#include "nereus/policy.h"

enum nereus_mix_aim {
    NEREUS_MIX_LEAST_POWER, /**< power nearest to what is needed, from above */
    NEREUS_MIX_LEAST_PRICE  /**< price per hour; of equal ones the least power */
};

struct nereus_mix_question {
    int class_count;
    const struct nereus_node_class *classes;
    const int64_t *most; /**< of each class; at least 0 */
    int64_t count;       /**< processes together */
    double needed_power; /**< at least so much of them together */
    enum nereus_mix_aim aim;
};

/**
 * @param[out] exact    the integer optimum, or where the tree grew beyond NEREUS_MIX_NODES_MAX the
 *     rounded simplex solution
 * @param[out] solution both, to be compared
 * @return NEREUS_ERR_ILLEGAL: even the most powerful do not have the power (without a sentence);
 *     NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_mix_find(const struct nereus_mix_question *question,
                                   struct nereus_allocation *exact,
                                   struct nereus_mix_solution *solution, struct nereus_error *err);

/** The most powerful `count` processes out of `most`. */
void nereus_mix_strongest(int class_count, const struct nereus_node_class *classes,
                          const int64_t *most, int64_t count, struct nereus_allocation *strongest);

/** Nodes of the branch and bound tree. */
enum { NEREUS_MIX_NODES_MAX = 2000 };

#endif
