/** @file test_partition.c  Partitions at explicit bounds, and weighted ones. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/partition/weighted.h"
#include "model/util/arith.h"
#include "nereus/partition.h"
#include "tests/unit/random.h"

static int rising(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* Bounds anywhere (some ranges empty), ranks in any order. */
static struct nereus_partition random_partition(int64_t n, int64_t processes)
{
    int64_t bounds[64], order[64];
    struct nereus_partition partition;
    for (int64_t k = 0; k <= processes; k++)
        bounds[k] = random_below(n + 1);
    bounds[0] = 0;
    bounds[processes] = n;
    qsort(bounds, (size_t)processes + 1, sizeof *bounds, rising);
    for (int64_t k = 0; k < processes; k++) {
        const int64_t other = random_below(k + 1);
        order[k] = order[other];
        order[other] = k;
    }
    cr_assert(nereus_partition_make(n, processes, bounds, order, &partition, NULL) == NEREUS_OK);
    return partition;
}

/* Rows by hand: three ranges, in the order of ranks 2, 0, 1. */
Test(partition, by_hand)
{
    const int64_t bounds[] = {0, 5, 5, 23}, order[] = {2, 0, 1};
    struct nereus_partition p;
    cr_assert(nereus_partition_make(23, 3, bounds, order, &p, NULL) == NEREUS_OK);
    const struct nereus_range of_two = nereus_partition_range(&p, 2),
                              of_zero = nereus_partition_range(&p, 0),
                              of_one = nereus_partition_range(&p, 1);
    cr_expect(of_two.first == 0 && of_two.count == 5);
    cr_expect(of_zero.first == 5 && of_zero.count == 0);
    cr_expect(of_one.first == 5 && of_one.count == 18);
    cr_expect(nereus_partition_owner(&p, 4) == 2 && nereus_partition_owner(&p, 5) == 1);
    const struct nereus_range peers = nereus_partition_peers(&p, (struct nereus_range){3, 9});
    cr_expect(peers.first == 0 && peers.count == 3, "%lld + %lld", (long long)peers.first,
              (long long)peers.count);
    nereus_partition_fini(&p);
    cr_expect(p.bounds == NULL && p.order == NULL && p.place == NULL);
}

Test(partition, refuses_what_is_none)
{
    static const int64_t falls[] = {0, 7, 5, 11}, high[] = {0, 3, 12}, late[] = {1, 3, 11},
                         good[] = {0, 3, 11}, twice[] = {1, 1}, outside[] = {0, 2};
    struct nereus_partition p = {.n = 77};
    struct nereus_error err;
    cr_expect(nereus_partition_make(11, 3, falls, NULL, &p, &err) == NEREUS_ERR_ARGUMENT);
    cr_expect(nereus_partition_make(11, 2, high, NULL, &p, &err) == NEREUS_ERR_ARGUMENT);
    cr_expect(nereus_partition_make(11, 2, late, NULL, &p, &err) == NEREUS_ERR_ARGUMENT);
    cr_expect(nereus_partition_make(11, 2, good, twice, &p, &err) == NEREUS_ERR_ARGUMENT);
    cr_expect(nereus_partition_make(11, 2, good, outside, &p, &err) == NEREUS_ERR_ARGUMENT);
    cr_expect(p.n == 77, "written although it failed");
}

/* Every element has one owner, which has it in its range; peers cover a range and nothing else. */
static void check_partition(const struct nereus_partition *p)
{
    int64_t held = 0;
    for (int64_t rank = 0; rank < p->processes; rank++) {
        const struct nereus_range range = nereus_partition_range(p, rank);
        held += range.count;
        cr_assert(nereus_partition_range_rank(p, nereus_partition_place_of(p, rank)) == rank);
        for (int64_t i = range.first; i < range.first + range.count; i++)
            cr_assert(nereus_partition_owner(p, i) == rank);
    }
    cr_assert(held == p->n);
    for (int trial = 0; trial < 5 && p->n > 0; trial++) {
        const int64_t first = random_below(p->n);
        const struct nereus_range own_range = {first, 1 + random_below(p->n - first)};
        const struct nereus_range peers = nereus_partition_peers(p, own_range);
        int64_t covered = 0;
        for (int64_t place = peers.first; place < peers.first + peers.count; place++)
            covered += nereus_range_overlap(own_range, nereus_partition_get_range(p, place)).count;
        cr_assert(covered == own_range.count);
        cr_assert(
            nereus_range_overlap(own_range, nereus_partition_get_range(p, peers.first)).count > 0);
        cr_assert(nereus_range_overlap(own_range,
                                       nereus_partition_get_range(p, peers.first + peers.count - 1))
                      .count > 0);
    }
}

Test(partition, ten_thousand_random_ones)
{
    for (int trial = 0; trial < 10000; trial++) {
        const int64_t n = random_below(trial % 10 == 0 ? 400 : 40),
                      processes = 1 + random_below(23);
        struct nereus_partition p = random_partition(n, processes), copy;
        check_partition(&p);
        cr_assert(nereus_partition_copy(&p, &copy, NULL) == NEREUS_OK);
        cr_assert(nereus_partition_equal(&p, &copy) && nereus_partition_equal(&copy, &p));
        nereus_partition_fini(&copy);
        const struct nereus_partition block = nereus_partition_block(n, processes);
        check_partition(&block);
        nereus_partition_fini(&p);
    }
}

/* What is kept, element by element. */
Test(partition, kept_is_what_has_one_owner_before_and_after)
{
    for (int trial = 0; trial < 1000; trial++) {
        const int64_t n = random_below(97), ns = 1 + random_below(13), nt = 1 + random_below(13);
        struct nereus_partition old_partition = random_partition(n, ns),
                                new_partition = random_partition(n, nt);
        int64_t sources[13], kept_elements = 0;
        for (int64_t rank = 0; rank < nt; rank++)
            sources[rank] = rank < ns && rank % 3 != 1 ? rank : -1;
        for (int64_t i = 0; i < n; i++)
            kept_elements += sources[nereus_partition_owner(&new_partition, i)] ==
                             nereus_partition_owner(&old_partition, i);
        cr_assert(nereus_partition_count_kept_elements(&old_partition, &new_partition, sources) ==
                  kept_elements);
        nereus_partition_fini(&old_partition);
        nereus_partition_fini(&new_partition);
    }
}

/* ---- weighted -------------------------------------------------------------------------------- */

Test(weighted, powers_that_were_not_measured_are_the_mean)
{
    const double powers[] = {3.0, NAN, 5.0, 0.0, -2.0};
    int64_t integers[5];
    nereus_weighted_scale_powers(powers, 5, integers);
    cr_expect(integers[1] == integers[3] && integers[3] == integers[4]);
    cr_expect_float_eq((double)integers[1] / (double)integers[0], 4.0 / 3.0, 1e-9);
    cr_expect_float_eq((double)integers[2] / (double)integers[0], 5.0 / 3.0, 1e-9);
    const double none[] = {0, 0}, huge[] = {1e308, 1e308, 1e-300};
    nereus_weighted_scale_powers(none, 2, integers);
    cr_expect(integers[0] == integers[1] && integers[0] > 1);
    nereus_weighted_scale_powers(huge, 3, integers);
    cr_expect(integers[0] == integers[1] && integers[2] == 1);
}

/* By hand: 23 elements, powers 2, 3, 5: shares 4.6, 6.9, 11.5; the remainders .9 and .6 are the
 * largest. */
Test(weighted, largest_remainder_by_hand)
{
    const int64_t powers[] = {2, 3, 5};
    int64_t bounds[4];
    cr_assert(nereus_weighted_find_bounds(23, powers, 3, bounds, NULL) == NEREUS_OK);
    cr_expect(bounds[0] == 0 && bounds[1] == 5 && bounds[2] == 12 && bounds[3] == 23);
}

Test(weighted, equal_powers_are_block_and_all_shares_are_within_one)
{
    for (int trial = 0; trial < 3000; trial++) {
        const int64_t n = random_below(trial % 2 ? INT64_C(1) << 60 : 500),
                      p = 1 + random_below(40);
        int64_t powers[40], bounds[41], sum = 0;
        const bool equal = trial % 3 == 0;
        for (int64_t k = 0; k < p; k++)
            sum += powers[k] = equal ? 977 : 1 + random_below(INT64_C(1) << 34);
        cr_assert(nereus_weighted_find_bounds(n, powers, p, bounds, NULL) == NEREUS_OK);
        cr_assert(bounds[0] == 0 && bounds[p] == n);
        for (int64_t k = 0; k < p; k++) {
            const int64_t count = bounds[k + 1] - bounds[k];
            const long double share = (long double)n * (long double)powers[k] / (long double)sum;
            cr_assert(fabsl((long double)count - share) < 1.001L);
            cr_assert(!equal || bounds[k] == nereus_block(n, p, k).first);
        }
    }
}

/* Cut by several processes as by one; each bound is nearest to its threshold, looked for one by
 * one. */
Test(weighted, crossings_are_nearest)
{
    for (int trial = 0; trial < 3000; trial++) {
        const int64_t n = random_below(90), p = 1 + random_below(9);
        int64_t weights[90], powers[9], thresholds[10], bounds[10], total = 0, before = 0;
        for (int64_t i = 0; i < n; i++)
            total += weights[i] = random_below(trial % 4 == 0 ? 2 : 60);
        for (int64_t k = 0; k < p; k++)
            powers[k] = 1 + random_below(100);
        nereus_weighted_find_thresholds(total, powers, p, thresholds);
        cr_assert(thresholds[0] == 0 && thresholds[p] == total);
        for (int64_t k = 0; k <= p; k++)
            bounds[k] = n;
        const int64_t parts = 1 + random_below(5);
        for (int64_t part = 0; part < parts; part++) {
            const struct nereus_range range = nereus_block(n, parts, part);
            nereus_weighted_find_crossings(weights + range.first, range, before, thresholds, p,
                                           bounds);
            for (int64_t i = 0; i < range.count; i++)
                before += weights[range.first + i];
        }
        for (int64_t k = 1; k < p; k++) {
            int64_t cut = 0, below = 0, min = INT64_MAX;
            for (int64_t i = 0; i <= n; i++) {
                if (llabs(below - thresholds[k]) < min)
                    min = llabs(below - thresholds[k]);
                cut = i < bounds[k] ? below + weights[i] : cut;
                below += i < n ? weights[i] : 0;
            }
            cr_assert(llabs(cut - thresholds[k]) == min);
            cr_assert(bounds[k] >= (k > 1 ? bounds[k - 1] : 0));
        }
        cr_assert(bounds[p] == n);
    }
}
