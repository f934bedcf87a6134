/**
 * @file kruskal.h
 * Makes the Kruskal-Wallis test, which tests whether groups of values have the same distribution,
 * without assuming normality.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/status.h"

/** The repeated runs of one method. */
struct nereus_runs {
    double *values;
    int count;
};

struct nereus_kruskal {
    double h;        /**< statistic, corrected for equal values */
    double p;        /**< p-value from chi-square with groups - 1 degrees of freedom */
    double variance; /**< variance of the ranks of all values */
    int values, groups;
};

/** @param runs  at least two groups, none empty.
 * @param[out] mean_rank  indexed by group; equal values share a rank
 * @return NEREUS_ERR_ARGUMENT: all values are equal */
enum nereus_status nereus_kruskal_wallis(const struct nereus_runs *runs, int groups,
                                         double *mean_rank, struct nereus_kruskal *result,
                                         struct nereus_error *err);
