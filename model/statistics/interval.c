/**
 * @file interval.c
 * The interval of a median from order statistics (H. A. David, Order Statistics, 2.5).
 */
#include "interval.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

static const double tail = 0.05; /* on either side */

int64_t nereus_median_rank(int64_t n)
{
    const double z = gsl_cdf_ugaussian_Qinv(tail);
    /* Start below the normal approximation, which is never off by more than a few ranks. */
    int64_t rank = (int64_t)fmax(0, floor(0.5 * ((double)n - z * sqrt((double)n))) - 3);
    while (gsl_cdf_binomial_P((unsigned)rank, 0.5, (unsigned)n) <= tail) {
        rank++;
    }
    return rank;
}

double nereus_median_half_width(double *values, int64_t n)
{
    const int64_t rank = nereus_median_rank(n);
    if (rank == 0) {
        return INFINITY;
    }
    gsl_sort(values, 1, (size_t)n);
    const double median = gsl_stats_median_from_sorted_data(values, 1, (size_t)n);
    return 0.5 * (values[n - rank] - values[rank - 1]) / median;
}
