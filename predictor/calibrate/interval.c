/** @file interval.c  The interval of a median from order statistics (H. A. David, Order Statistics, 2.5). */
#include "interval.h"

#include <math.h>
#include <stdlib.h>

static const double tail = 0.05;      /* on either side */
static const double tail_z = 1.64485; /* of the normal distribution */
enum { EXACT_MAX = 1000 };            /* beyond, 2^-n is no double any more */

int64_t nereus_median_rank(int64_t n)
{
    if (n > EXACT_MAX) {
        return (int64_t)floor(0.5 * ((double)n - tail_z * sqrt((double)n)));
    }
    /* term: P(Binomial(n, 1/2) = rank), from one rank to the next. */
    double term = ldexp(1.0, (int)-n), sum = 0.0;
    int64_t rank = 0;
    while (n > 0 && sum + term <= tail) {
        sum += term;
        term *= (double)(n - rank) / (double)(rank + 1);
        rank++;
    }
    return rank;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double nereus_median_half_width(double *values, int64_t n)
{
    const int64_t rank = nereus_median_rank(n);
    if (rank == 0) {
        return INFINITY;
    }
    qsort(values, (size_t)n, sizeof *values, compare);
    const double median = n % 2 == 1 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
    return 0.5 * (values[n - rank] - values[rank - 1]) / median;
}
