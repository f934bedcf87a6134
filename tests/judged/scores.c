/** @file scores.c  Errors and their summary. */
#include "scores.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void scores_add(struct scores *scores, double value)
{
    if (scores->count == scores->room) {
        const size_t room = 2 * scores->room + 64;
        double *grown = realloc(scores->values, room * sizeof *grown);
        if (grown == NULL) {
            fputs("no memory for the errors of the predictions\n", stderr);
            exit(1);
        }
        scores->values = grown;
        scores->room = room;
    }
    scores->values[scores->count++] = value;
}

void scores_append(struct scores *scores, const struct scores *other)
{
    for (size_t i = 0; i < other->count; i++)
        scores_add(scores, other->values[i]);
}

void scores_clear(struct scores *scores)
{
    scores->count = 0;
}

void scores_fini(struct scores *scores)
{
    free(scores->values);
    memset(scores, 0, sizeof *scores);
}

double scores_mean(const struct scores *scores)
{
    return scores->count > 0 ? gsl_stats_mean(scores->values, 1, scores->count) : NAN;
}

double scores_quantile(const struct scores *scores, double quantile)
{
    if (scores->count == 0)
        return NAN;
    gsl_sort(scores->values, 1, scores->count);
    return gsl_stats_quantile_from_sorted_data(scores->values, 1, scores->count, quantile);
}

double scores_share(const struct scores *scores, double at_most)
{
    size_t n = 0;
    for (size_t i = 0; i < scores->count; i++)
        n += scores->values[i] <= at_most;
    return scores->count > 0 ? (double)n / (double)scores->count : NAN;
}
