/** @file statistics.c  Order statistics, and the range of a share. */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void nereus_sort(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
}

double nereus_quantile(const double *sorted, int count, double share)
{
    if (count < 1) {
        return NAN;
    }
    const double place = share * (count - 1);
    const int below = (int)floor(place);
    const int above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
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

/* The chance of at most `most` successes in `count` trials. */
static double chance_of_at_most(int most, int count, double share)
{
    double sum = 0;
    for (int i = 0; i <= most; i++) {
        sum += exp(lgamma(count + 1.0) - lgamma(i + 1.0) - lgamma(count - i + 1.0) + i * log(share) +
                   (count - i) * log1p(-share));
    }
    return sum;
}

/* The share at which at most `most` come with this chance: the more likely a success, the less likely that. */
static double share_at(int most, int count, double chance)
{
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (chance_of_at_most(most, count, middle) > chance) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return 0.5 * (low + high);
}

void nereus_share_range(int inside, int count, double *low, double *high)
{
    *low = inside > 0 ? share_at(inside - 1, count, 0.95) : 0;
    *high = inside < count ? share_at(inside, count, 0.05) : 1;
}
