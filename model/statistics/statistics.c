/** @file statistics.c  Order statistics, and the range of a share. */
#include "statistics.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

void nereus_sort(double *values, int count)
{
    gsl_sort(values, 1, (size_t)count);
}

double nereus_quantile(const double *sorted, int count, double share)
{
    return count < 1 ? NAN : gsl_stats_quantile_from_sorted_data(sorted, 1, (size_t)count, share);
}

double nereus_median_without(const double *sorted, int count, int left_out)
{
    const int rest = count - 1;
    if (rest < 1) {
        return NAN;
    }
    /* The two in the middle of the rest; the same one twice where their number is odd. */
    int lower = (rest - 1) / 2, upper = rest / 2;
    lower += lower >= left_out ? 1 : 0;
    upper += upper >= left_out ? 1 : 0;
    return 0.5 * (sorted[lower] + sorted[upper]);
}

void nereus_share_range(int inside, int count, double *low, double *high)
{
    const double tail = 0.05;
    *low = inside > 0 ? gsl_cdf_beta_Pinv(tail, inside, count - inside + 1) : 0;
    *high = inside < count ? gsl_cdf_beta_Qinv(tail, inside + 1, count - inside) : 1;
}
