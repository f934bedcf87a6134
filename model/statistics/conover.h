/**
 * @file conover.h
 * Makes Conover's post-hoc test: which groups differ, after Kruskal-Wallis has found that not all
 * are the same.
 */
#pragma once

#include "kruskal.h"

/** Corrections for several comparisons, in the order of --correction. */
enum nereus_correction {
    NEREUS_CORRECTION_NONE,
    NEREUS_CORRECTION_BONFERRONI,
    NEREUS_CORRECTION_HOLM
};

struct nereus_difference {
    double t; /**< above 0: the first group has the higher ranks */
    double p;
    double p_adjusted;
};

/** Test all pairs of groups; there must be more values than groups.
 * @param runs, mean_rank, kruskal input and results of nereus_kruskal_wallis
 * @param[out] differences  groups x groups; antisymmetric in t, with t 0 and probabilities 1 on the
 *                          diagonal */
enum nereus_status nereus_conover(const struct nereus_runs *runs, const double *mean_rank,
                                  const struct nereus_kruskal *kruskal,
                                  enum nereus_correction correction,
                                  struct nereus_difference *differences, struct nereus_error *err);
