/**
 * @file conover.h
 * Conover's post-hoc test: which groups differ, after Kruskal-Wallis has said that not all are the
 * same. Pure function.
 */
#ifndef NEREUS_COMPARE_CONOVER_H
#define NEREUS_COMPARE_CONOVER_H

#include "kruskal.h"

/** For so many comparisons at a time; the order of --correction's choices. */
enum nereus_correction {
    NEREUS_CORRECTION_NONE,
    NEREUS_CORRECTION_BONFERRONI,
    NEREUS_CORRECTION_HOLM
};

/** Of two groups. */
struct nereus_difference {
    double t;          /**< above 0: the first has the higher ranks */
    double p;          /**< of a t as far from 0 */
    double p_adjusted; /**< corrected for the number of comparisons */
};

/**
 * All pairs of groups.
 * @param runs, mean_rank, kruskal  as given to and by nereus_kruskal_wallis; more values than
 *     groups
 * @param[out] differences  groups x groups, row by row; t is antisymmetric, and the diagonal has t
 *     0 and probabilities 1
 * @return NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_conover(const struct nereus_runs *runs, const double *mean_rank,
                                  const struct nereus_kruskal *kruskal,
                                  enum nereus_correction correction,
                                  struct nereus_difference *differences, struct nereus_error *err);

#endif
