/**
 * @file weighted.c
 * Computes bounds in proportion to computing powers and weights, in integers, so that every process
 * gets the same result.
 */
#include "weighted.h"

/* Products of two 63-bit numbers. */
__extension__ typedef unsigned __int128 wide;

static int64_t share_of_total(int64_t total, int64_t part, int64_t power_sum)
{
    return (int64_t)((wide)total * (wide)part / (wide)power_sum);
}

static bool is_measured(double power)
{
    return isfinite(power) && power > 0;
}

void nereus_weighted_scale_powers(const double *powers, int64_t processes, int64_t *integers)
{
    static const double share_sum = 0x1p40;
    double known = 0, largest = 0;
    int64_t measured = 0;
    for (int64_t k = 0; k < processes; k++)
        if (is_measured(powers[k]) && powers[k] > largest)
            largest = powers[k];
    for (int64_t k = 0; k < processes; k++)
        if (is_measured(powers[k])) {
            known += powers[k] / largest; /* no sum overflows */
            measured++;
        }
    const double mean = measured > 0 ? known / (double)measured : 1;
    const double sum = known + mean * (double)(processes - measured);
    for (int64_t k = 0; k < processes; k++) {
        const double power = is_measured(powers[k]) ? powers[k] / largest : mean;
        const double scaled = floor(power / sum * share_sum + 0.5);
        integers[k] = scaled < 1 ? 1 : (int64_t)scaled;
    }
}

static int64_t sum_powers(const int64_t *powers, int64_t processes)
{
    int64_t sum = 0;
    for (int64_t k = 0; k < processes; k++)
        sum += powers[k];
    return sum;
}

struct remainder {
    int64_t left, process;
};

static int compare_remainders(const void *a, const void *b)
{
    const struct remainder *x = a, *y = b;
    if (x->left != y->left)
        return x->left > y->left ? -1 : 1;
    return x->process < y->process ? -1 : 1;
}

enum nereus_status nereus_weighted_find_bounds(int64_t n, const int64_t *powers, int64_t processes,
                                               int64_t *bounds, struct nereus_error *err)
{
    const int64_t power_sum = sum_powers(powers, processes);
    struct remainder *remainders = malloc((size_t)processes * sizeof *remainders);
    int64_t given = 0;
    NEREUS_TRY_MEMORY(remainders, err, "for the shares of %lld processes", (long long)processes);
    for (int64_t k = 0; k < processes; k++) {
        bounds[k + 1] = share_of_total(n, powers[k], power_sum); /* counts; summed below */
        given += bounds[k + 1];
        remainders[k] =
            (struct remainder){(int64_t)((wide)n * (wide)powers[k] % (wide)power_sum), k};
    }
    qsort(remainders, (size_t)processes, sizeof *remainders, compare_remainders);
    for (int64_t k = 0; k < n - given; k++)
        bounds[remainders[k].process + 1]++;
    free(remainders);
    bounds[0] = 0;
    for (int64_t k = 0; k < processes; k++)
        bounds[k + 1] += bounds[k];
    return NEREUS_OK;
}

void nereus_weighted_find_thresholds(int64_t total, const int64_t *powers, int64_t processes,
                                     int64_t *thresholds)
{
    const int64_t power_sum = sum_powers(powers, processes);
    int64_t power_before = 0;
    for (int64_t k = 0; k <= processes; k++) {
        thresholds[k] = share_of_total(total, power_before, power_sum);
        power_before += k < processes ? powers[k] : 0;
    }
}

void nereus_weighted_find_crossings(const int64_t *weights, struct nereus_range range,
                                    int64_t weight_before, const int64_t *thresholds,
                                    int64_t processes, int64_t *bounds)
{
    int64_t k = 1;
    bounds[0] = 0;
    for (int64_t i = 0; i < range.count; i++) {
        /* Work below the bound: `weight_before` if the bound is i, that + weights[i] if it is i
         * + 1. */
        const wide twice = 2 * (wide)weight_before + (wide)weights[i];
        for (; k < processes && twice > 2 * (wide)thresholds[k]; k++)
            bounds[k] = nereus_min(bounds[k], range.first + i);
        weight_before += weights[i];
    }
}
