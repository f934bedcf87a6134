/**
 * @file scores.h
 * Errors that are collected one by one, and what is said of them: mean, median, 90th percentile,
 * largest, share below a bound.
 */
#pragma once

#include <stddef.h>

struct scores {
    double *values; /**< owned */
    size_t count, room;
};

/** Ends the program where there is no memory. */
void scores_add(struct scores *scores, double value);
/** Add what another one holds. */
void scores_append(struct scores *scores, const struct scores *other);
void scores_clear(struct scores *scores);
void scores_fini(struct scores *scores);

/* NAN where there are none. */
double scores_mean(const struct scores *scores);
double scores_quantile(const struct scores *scores, double quantile);
/** Share of the values that are at most this. */
double scores_share(const struct scores *scores, double at_most);
