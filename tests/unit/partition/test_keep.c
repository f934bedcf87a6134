/** @file test_keep.c  The partition that moves least, against brute force over all orders and all
 * bounds. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "model/partition/keep.h"
#include "model/util/arith.h"
#include "tests/unit/random.h"

// Under a sanitizer each trial takes five times as long.
#if defined(__SANITIZE_ADDRESS__)
enum { SLOWER = 5 };
#else
enum { SLOWER = 1 };
#endif

static int rising(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static void shuffle(int64_t *order, int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        const int64_t other = random_below(k + 1);
        order[k] = order[other];
        order[other] = k;
    }
}

/* Block, or anything. */
static struct nereus_partition random_partition(int64_t n, int64_t processes)
{
    int64_t bounds[65], order[64];
    struct nereus_partition partition = nereus_partition_block(n, processes);
    if (random_below(2) == 0)
        return partition;
    for (int64_t k = 0; k <= processes; k++)
        bounds[k] = random_below(n + 1);
    bounds[0] = 0;
    bounds[processes] = n;
    qsort(bounds, (size_t)processes + 1, sizeof *bounds, rising);
    shuffle(order, processes);
    cr_assert(nereus_partition_make(n, processes, bounds, order, &partition, NULL) == NEREUS_OK);
    return partition;
}

/* Any map of old to new ranks; some sources leave, some targets are new. */
static void random_sources(int64_t ns, int64_t nt, int64_t *sources)
{
    int64_t old[64];
    shuffle(old, ns);
    for (int64_t rank = 0; rank < nt; rank++)
        sources[rank] = rank < ns && random_below(4) > 0 ? old[rank] : -1;
    for (int64_t rank = nt - 1; rank > 0; rank--) {
        const int64_t other = random_below(rank + 1), value = sources[rank];
        sources[rank] = sources[other];
        sources[other] = value;
    }
}

/* The best over everything: place after place, any rank that is left, any length. */
static int64_t brute_force(const struct nereus_partition *old_partition, int64_t nt,
                           const int64_t *sources, int64_t min, int64_t max, int64_t at,
                           int64_t place, unsigned taken)
{
    int64_t best = -1;
    if (place == nt)
        return at == old_partition->n ? 0 : -1;
    for (int64_t rank = 0; rank < nt; rank++) {
        if (taken & 1u << rank)
            continue;
        for (int64_t count = min; count <= max && at + count <= old_partition->n; count++) {
            const int64_t rest = brute_force(old_partition, nt, sources, min, max, at + count,
                                             place + 1, taken | 1u << rank);
            const struct nereus_range range = {at, count};
            const int64_t kept_count =
                sources[rank] < 0 ? 0
                                  : nereus_range_overlap(
                                        nereus_partition_range(old_partition, sources[rank]), range)
                                        .count;
            if (rest >= 0 && rest + kept_count > best)
                best = rest + kept_count;
        }
    }
    return best;
}

Test(keep, limits)
{
    static const struct {
        int64_t n, nt;
        double imbalance;
        int64_t min, max;
    } rows[] = {
        {1009, 4, 0.05, 239, 265}, {1009, 4, 0, 252, 253},    {23, 5, 0.05, 4, 5},
        {3, 7, 0.05, 0, 1},        {0, 3, 0.05, 0, 0},        {17, 3, 0.5, 2, 9},
        {17, 3, 2.5, 0, 17},       {1000, 1, 0.1, 900, 1000},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        int64_t min, max;
        nereus_keep_find_limits(rows[i].n, rows[i].nt, rows[i].imbalance, &min, &max);
        cr_expect(min == rows[i].min && max == rows[i].max, "row %zu: %lld to %lld", i,
                  (long long)min, (long long)max);
    }
}

/* By hand: 2 -> 4 of 16: 0 and 1 have 8 each; ranges of 4. Each keeps a whole range. In rank order
 * 1 could keep none. */
Test(keep, new_processes_stand_between_old_ones)
{
    const struct nereus_partition old_partition = nereus_partition_block(16, 2);
    static const int64_t sources[] = {0, 1, -1, -1};
    struct nereus_partition new_partition;
    struct nereus_keep found;
    cr_assert(nereus_keep_partition(&old_partition,
                                    &(struct nereus_keep_targets){4, sources, 4, 4, 0},
                                    &new_partition, &found, NULL) == NEREUS_OK);
    cr_expect(found.kept_points == 8 && found.step == 1 && found.optimal);
    cr_expect(nereus_partition_range(&new_partition, 0).first < 8 &&
              nereus_partition_range(&new_partition, 1).first >= 8);
    const struct nereus_partition block = nereus_partition_block(16, 4);
    cr_expect(nereus_partition_count_kept_elements(&old_partition, &block, sources) == 4);
    nereus_partition_fini(&new_partition);
}

/* No partition within the limits keeps more, in whatever order: all of them tried. */
Test(keep, nothing_keeps_more)
{
    for (int trial = 0; trial < 4000 / SLOWER; trial++) {
        const int64_t n = random_below(13), ns = 1 + random_below(5), nt = 1 + random_below(4);
        const double imbalance = (double)random_below(4) * 0.25;
        struct nereus_partition old_partition = random_partition(n, ns), new_partition;
        struct nereus_keep found;
        int64_t sources[8], min, max;
        random_sources(ns, nt, sources);
        nereus_keep_find_limits(n, nt, imbalance, &min, &max);
        cr_assert(nereus_keep_partition(&old_partition,
                                        &(struct nereus_keep_targets){nt, sources, min, max, 0},
                                        &new_partition, &found, NULL) == NEREUS_OK);
        const int64_t best = brute_force(&old_partition, nt, sources, min, max, 0, 0, 0);
        cr_assert(found.kept_points == best,
                  "trial %d: %lld of %lld are kept, %lld could be (%lld -> %lld)", trial,
                  (long long)found.kept_points, (long long)n, (long long)best, (long long)ns,
                  (long long)nt);
        nereus_partition_fini(&old_partition);
        nereus_partition_fini(&new_partition);
    }
}

/* Within the limits, a partition, and never more is moved than by block; with few cells, too. */
Test(keep, ten_thousand_random_ones)
{
    int64_t coarse = 0, narrow = 0, lost = 0, all = 0;
    for (int trial = 0; trial < 10000 / SLOWER; trial++) {
        const int64_t ns = 1 + random_below(29), nt = 1 + random_below(29);
        const int64_t n = random_below(trial % 100 == 0 ? 100000 : 700);
        struct nereus_partition old_partition = random_partition(n, ns), new_partition, exact;
        const struct nereus_partition block = nereus_partition_block(n, nt);
        struct nereus_keep found, best;
        int64_t sources[64], min, max;
        random_sources(ns, nt, sources);
        nereus_keep_find_limits(n, nt, (double)random_below(5) * 0.06, &min, &max);
        const int64_t cells = trial % 2 ? 0 : 1 + random_below(2000);
        cr_assert(nereus_keep_partition(&old_partition,
                                        &(struct nereus_keep_targets){nt, sources, min, max, cells},
                                        &new_partition, &found, NULL) == NEREUS_OK);
        cr_assert(new_partition.n == n && new_partition.processes == nt);
        for (int64_t rank = 0; rank < nt; rank++) {
            const int64_t count = nereus_partition_range(&new_partition, rank).count;
            cr_assert(count >= min && count <= max);
        }
        cr_assert(found.kept_points ==
                  nereus_partition_count_kept_elements(&old_partition, &new_partition, sources));
        cr_assert(found.kept_points >=
                      nereus_partition_count_kept_elements(&old_partition, &block, sources),
                  "trial %d: %lld kept, block keeps %lld", trial, (long long)found.kept_points,
                  (long long)nereus_partition_count_kept_elements(&old_partition, &block, sources));
        coarse += found.step > 1;
        narrow += !found.optimal;
        if (found.step > 1 || !found.optimal) {
            cr_assert(nereus_keep_partition(
                          &old_partition,
                          &(struct nereus_keep_targets){nt, sources, min, max, 100000000}, &exact,
                          &best, NULL) == NEREUS_OK);
            cr_assert(best.kept_points >= found.kept_points);
            lost += best.kept_points - found.kept_points;
            all += best.kept_points;
            nereus_partition_fini(&exact);
        }
        nereus_partition_fini(&old_partition);
        nereus_partition_fini(&new_partition);
    }
    cr_assert(coarse > 100 / SLOWER && narrow > 100 / SLOWER, "only %lld coarse, %lld narrow",
              (long long)coarse, (long long)narrow);
    /* Very few cells: what that costs has to stay small. */
    cr_assert(lost * 10 < all, "%lld of %lld kept elements are lost to the grid", (long long)lost,
              (long long)all);
}

/* What was kept once stays: grown and shrunk again, everybody who was there has kept what balance
 * allows. */
Test(keep, the_same_again_moves_nothing)
{
    for (int64_t p = 1; p < 40; p += 3) {
        struct nereus_partition old_partition = random_partition(1009, p), once, twice;
        int64_t sources[64], min, max;
        struct nereus_keep found;
        for (int64_t rank = 0; rank < p; rank++)
            sources[rank] = rank;
        nereus_keep_find_limits(1009, p, 0.05, &min, &max);
        cr_assert(nereus_keep_partition(&old_partition,
                                        &(struct nereus_keep_targets){p, sources, min, max, 0},
                                        &once, &found, NULL) == NEREUS_OK);
        cr_assert(nereus_keep_partition(&once,
                                        &(struct nereus_keep_targets){p, sources, min, max, 0},
                                        &twice, &found, NULL) == NEREUS_OK);
        cr_expect(found.kept_points == 1009 && nereus_partition_equal(&once, &twice));
        nereus_partition_fini(&old_partition);
        nereus_partition_fini(&once);
        nereus_partition_fini(&twice);
    }
}

/* A million processes, fewer under a sanitizer: on the grid. How much memory it takes is bounded by
 * the cells. */
Test(keep, a_million_processes)
{
    enum { NT = SLOWER > 1 ? 100000 : 1000000 };
    static const int64_t ns[] = {88, NT / 2, NT};
    int64_t *sources = malloc(NT * sizeof *sources);
    for (size_t i = 0; i < NEREUS_COUNT_OF(ns); i++) {
        const int64_t n = INT64_C(1000) * NT + 7;
        const struct nereus_partition old_partition = nereus_partition_block(n, ns[i]);
        const struct nereus_partition block = nereus_partition_block(n, NT);
        struct nereus_partition new_partition;
        struct nereus_keep found;
        int64_t min, max;
        for (int64_t rank = 0; rank < NT; rank++)
            sources[rank] = rank < ns[i] ? rank : -1;
        nereus_keep_find_limits(n, NT, 0.05, &min, &max);
        cr_assert(nereus_keep_partition(&old_partition,
                                        &(struct nereus_keep_targets){NT, sources, min, max, 0},
                                        &new_partition, &found, NULL) == NEREUS_OK);
        cr_expect(found.kept_points >=
                  nereus_partition_count_kept_elements(&old_partition, &block, sources));
        cr_expect(found.kept_points >= (ns[i] < NT ? ns[i] * 1000 : n),
                  "%lld -> %d keeps %lld of %lld", (long long)ns[i], NT,
                  (long long)found.kept_points, (long long)n);
        nereus_partition_fini(&new_partition);
    }
    free(sources);
}

Test(keep, refuses_what_cannot_be)
{
    const struct nereus_partition old_partition = nereus_partition_block(100, 4);
    static const int64_t sources[] = {0, 1, 4};
    struct nereus_partition new_partition;
    struct nereus_error err;
    cr_expect(nereus_keep_partition(&old_partition,
                                    &(struct nereus_keep_targets){3, sources, 30, 40, 0},
                                    &new_partition, NULL, &err) == NEREUS_ERR_ARGUMENT);
    cr_expect(nereus_keep_partition(&old_partition,
                                    &(struct nereus_keep_targets){2, sources, 51, 60, 0},
                                    &new_partition, NULL, &err) == NEREUS_ERR_ARGUMENT);
    cr_expect(nereus_keep_partition(&old_partition,
                                    &(struct nereus_keep_targets){2, sources, 40, 49, 0},
                                    &new_partition, NULL, &err) == NEREUS_ERR_ARGUMENT);
}
