/**
 * @file statistics.c
 * Computes order statistics: sorted values, quantiles, and the binomial interval of a median.
 */
#include "statistics.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

static const double tail = 0.05; /* probability on either side of an interval */

void nereus_sort(double *values, int count)
{
    gsl_sort(values, 1, (size_t)count);
}

double nereus_quantile(const double *sorted, int count, double probability)
{
    return count < 1 ? NAN
                     : gsl_stats_quantile_from_sorted_data(sorted, 1, (size_t)count, probability);
}

double nereus_median(double *values, int count)
{
    nereus_sort(values, count);
    return nereus_quantile(values, count, 0.5);
}

double nereus_median_without(const double *sorted, int count, int left_out)
{
    const int rest = count - 1;
    if (rest < 1)
        return NAN;
    /* the two middle values of the others */
    int lower = (rest - 1) / 2, upper = rest / 2;
    lower += lower >= left_out ? 1 : 0;
    upper += upper >= left_out ? 1 : 0;
    return 0.5 * (sorted[lower] + sorted[upper]);
}

void nereus_binomial_interval(int inside, int count, double *low, double *high)
{
    *low = inside > 0 ? gsl_cdf_beta_Pinv(tail, inside, count - inside + 1) : 0;
    *high = inside < count ? gsl_cdf_beta_Qinv(tail, inside + 1, count - inside) : 1;
}

/* Source: H. A. David, Order Statistics, section 2.5. */
int64_t nereus_median_rank(int64_t n)
{
    const double z = gsl_cdf_ugaussian_Qinv(tail);
    /* begin below the normal approximation, which is off by a few ranks at most */
    int64_t rank = (int64_t)fmax(0, floor(0.5 * ((double)n - z * sqrt((double)n))) - 3);
    while (gsl_cdf_binomial_P((unsigned)rank, 0.5, (unsigned)n) <= tail)
        rank++;
    return rank;
}

double nereus_median_relative_half_width(double *values, int64_t n)
{
    const int64_t rank = nereus_median_rank(n);
    if (rank == 0)
        return INFINITY;
    gsl_sort(values, 1, (size_t)n);
    const double median = gsl_stats_median_from_sorted_data(values, 1, (size_t)n);
    return 0.5 * (values[n - rank] - values[rank - 1]) / median;
}
