/** @file test_median_interval.c  The interval of a median from the order of the values. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "model/statistics/statistics.h"
#include "model/util/arith.h"

/* Ranks for 90 %, two-sided: critical values of the sign test at 5 % on a side, plus 1 (tables of
 * the binomial distribution). */
Test(median_interval, ranks)
{
    static const struct {
        int64_t n, rank;
    } rows[] = {{0, 0},  {1, 0},  {4, 0},   {5, 1},    {7, 1},      {8, 2},      {10, 2},
                {11, 3}, {20, 6}, {50, 19}, {100, 42}, {1000, 474}, {1001, 474}, {40000, 19836}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const int64_t rank = nereus_median_rank(rows[i].n);
        cr_expect_eq(rank, rows[i].rank, "n %lld: %lld", (long long)rows[i].n, (long long)rank);
    }
}

Test(median_interval, half_widths_by_hand)
{
    double four[] = {3, 1, 2, 4}, five[] = {7, 3, 5, 4, 6.5}, eight[] = {1, 90, 4, 5, 6, 8, 9, 7};
    cr_expect(isinf(nereus_median_relative_half_width(four, 4)));
    cr_expect_float_eq(nereus_median_relative_half_width(five, 5), 0.5 * (7 - 3) / 5, 1e-15);
    cr_expect_float_eq(nereus_median_relative_half_width(eight, 8), 0.5 * (9 - 4) / 6.5, 1e-15);
}

/* The interval holds the true median in at least 90 % of draws, however skewed the values are. */
Test(median_interval, covers)
{
    enum { DRAWS = 20000 };
    unsigned short state[3] = {4, 2, 9};
    for (int64_t n = 5; n <= 29; n += 4) {
        const int64_t rank = nereus_median_rank(n);
        int inside = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            int64_t below = 0; /* of n values below the true median: a draw from any distribution */
            for (int64_t i = 0; i < n; i++)
                below += erand48(state) < 0.5;
            inside += below >= rank && n - below >= rank;
        }
        cr_expect(inside >= 0.89 * DRAWS && inside <= 0.985 * DRAWS, "n %lld: %d", (long long)n,
                  inside);
    }
}
