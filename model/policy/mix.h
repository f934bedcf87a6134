/**
 * @file mix.h
 * Finds how many processes of each class have enough power together, at the least price or with the
 * least excess of power (mappingSimplex of algorithm 1, Martín et al. (2015)). GLPK solves it: the
 * simplex on real numbers, rounded, as in the paper; and branch and bound on integers, which is
 * exact while the tree is small.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/computational_model.h"
#include "nereus/policy.h"

enum nereus_mix_aim {
    NEREUS_MIX_MIN_POWER, /**< the least power that is enough */
    NEREUS_MIX_MIN_PRICE  /**< the least price; of equal prices the least power */
};

struct nereus_mix_question {
    int class_count;
    const struct nereus_node_class *classes;
    const int64_t *max;  /**< indexed by class */
    int64_t count;       /**< processes in total */
    double needed_power; /**< lower limit */
    enum nereus_mix_aim aim;
};

/** Check that a mix of so many classes can be found.
 * @return NEREUS_ERR_UNSUPPORTED: built without GLPK */
enum nereus_status nereus_mix_check(int class_count, struct nereus_error *err);

/**
 * Find the mix.
 * @param[out] exact  the integer optimum; if the tree grew beyond NEREUS_MIX_NODES_MAX the rounded
 * simplex solution.
 * @return NEREUS_ERR_ILLEGAL, without an error message: even the most powerful processes are not
 *     enough
 */
enum nereus_status nereus_mix_find(const struct nereus_mix_question *question,
                                   struct nereus_allocation *exact,
                                   struct nereus_mix_solution *solution, struct nereus_error *err);

void nereus_mix_find_strongest(int class_count, const struct nereus_node_class *classes,
                               const int64_t *max, int64_t count,
                               struct nereus_allocation *strongest);

/** Largest number of nodes of the branch and bound tree. */
enum { NEREUS_MIX_NODES_MAX = 2000 };
