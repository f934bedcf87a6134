/** @file scores.c  Errors and their summary. */
#include "scores.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void scores_add(struct scores *s, double value)
{
    if (s->count == s->room) {
        const size_t room = 2 * s->room + 64;
        double *grown = realloc(s->values, room * sizeof *grown);
        if (grown == NULL) {
            fputs("no memory for the errors of the predictions\n", stderr);
            exit(1);
        }
        s->values = grown;
        s->room = room;
    }
    s->values[s->count++] = value;
}

void scores_append(struct scores *s, const struct scores *other)
{
    for (size_t i = 0; i < other->count; i++)
        scores_add(s, other->values[i]);
}

void scores_clear(struct scores *s)
{
    s->count = 0;
}

void scores_fini(struct scores *s)
{
    free(s->values);
    memset(s, 0, sizeof *s);
}

double scores_mean(const struct scores *s)
{
    return s->count > 0 ? gsl_stats_mean(s->values, 1, s->count) : NAN;
}

double scores_quantile(const struct scores *s, double quantile)
{
    if (s->count == 0)
        return NAN;
    gsl_sort(s->values, 1, s->count);
    return gsl_stats_quantile_from_sorted_data(s->values, 1, s->count, quantile);
}

double scores_share(const struct scores *s, double at_most)
{
    size_t n = 0;
    for (size_t i = 0; i < s->count; i++)
        n += s->values[i] <= at_most;
    return s->count > 0 ? (double)n / (double)s->count : NAN;
}
