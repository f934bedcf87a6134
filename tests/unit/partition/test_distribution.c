/** @file test_distribution.c  Blocks, their owners, and who sends what to whom, against brute
 * force. */
#include <criterion/criterion.h>

#include "model/util/arith.h"
#include "nereus/distribution.h"
#include "tests/unit/random.h"

/* Sizes at which a formula may slip: none, one, primes, fewer than processes, powers of two. */
static const int64_t lengths[] = {0, 1, 2, 3, 5, 7, 16, 23, 37, 101, 128, 509};
static const int64_t sizes[] = {1, 2, 3, 4, 7, 11, 13, 16, 31, 97};

/* Rows by hand. Source: the remainder rule of distribution.h. */
Test(distribution, blocks_by_hand)
{
    static const struct {
        int64_t n, processes, rank, first, count;
    } rows[] = {
        {23, 5, 0, 0, 5},
        {23, 5, 1, 5, 5},
        {23, 5, 2, 10, 5},
        {23, 5, 3, 15, 4},
        {23, 5, 4, 19, 4},
        {1009, 4, 0, 0, 253},
        {1009, 4, 1, 253, 252},
        {1009, 4, 2, 505, 252},
        {1009, 4, 3, 757, 252},
        {3, 7, 0, 0, 1},
        {3, 7, 2, 2, 1},
        {3, 7, 3, 3, 0},
        {3, 7, 6, 3, 0},
        {0, 3, 2, 0, 0},
        {17, 1, 0, 0, 17},
        {12, 4, 3, 9, 3},
        {65537, 3, 1, 21846, 21846},
        {65537, 3, 2, 43692, 21845},
        {INT64_MAX, 2, 1, INT64_MAX / 2 + 1, INT64_MAX / 2},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct nereus_range block = nereus_block(rows[i].n, rows[i].processes, rows[i].rank);
        cr_expect(block.first == rows[i].first && block.count == rows[i].count,
                  "block %lld of %lld elements on %lld: %lld + %lld, expected %lld + %lld",
                  (long long)rows[i].rank, (long long)rows[i].n, (long long)rows[i].processes,
                  (long long)block.first, (long long)block.count, (long long)rows[i].first,
                  (long long)rows[i].count);
    }
}

/* One after the other, from 0 to n, the larger ones first; and the owner of each element is who
 * holds it. */
static void check_tiling(int64_t n, int64_t processes)
{
    int64_t at = 0;
    for (int64_t rank = 0; rank < processes; rank++) {
        const struct nereus_range block = nereus_block(n, processes, rank);
        cr_assert(block.first == at,
                  "a gap or an overlap before block %lld of %lld elements on %lld", (long long)rank,
                  (long long)n, (long long)processes);
        cr_assert(block.count == n / processes + (rank < n % processes ? 1 : 0));
        for (int64_t i = block.first; i < block.first + block.count; i++)
            cr_assert(nereus_block_owner(n, processes, i) == rank,
                      "element %lld of %lld on %lld: owner %lld, held by %lld", (long long)i,
                      (long long)n, (long long)processes,
                      (long long)nereus_block_owner(n, processes, i), (long long)rank);
        at += block.count;
    }
    cr_assert(at == n, "%lld of %lld elements are on %lld processes", (long long)at, (long long)n,
              (long long)processes);
}

Test(distribution, blocks_tile_and_owners_are_the_inverse)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(lengths); i++)
        for (size_t j = 0; j < NEREUS_COUNT_OF(sizes); j++)
            check_tiling(lengths[i], sizes[j]);
    for (int i = 0; i < 500; i++)
        check_tiling(random_below(700), 1 + random_below(90));
}

Test(distribution, owners_of_very_many_elements)
{
    static const int64_t processes[] = {1, 3, 1000003, INT64_C(4611686018427387847)};
    const int64_t n = INT64_MAX;
    for (size_t j = 0; j < NEREUS_COUNT_OF(processes); j++)
        for (int k = 0; k < 1000; k++) {
            const int64_t i = k < 10 ? n - 1 - k : random_below(n);
            const struct nereus_range block =
                nereus_block(n, processes[j], nereus_block_owner(n, processes[j], i));
            cr_expect(i >= block.first && i - block.first < block.count, "element %lld on %lld",
                      (long long)i, (long long)processes[j]);
        }
}

Test(distribution, overlaps_by_hand)
{
    static const struct {
        struct nereus_range a, b, expected;
    } rows[] = {
        {{3, 8}, {7, 20}, {7, 4}},   {{7, 20}, {3, 8}, {7, 4}}, {{5, 30}, {11, 6}, {11, 6}},
        {{11, 6}, {5, 30}, {11, 6}}, {{4, 9}, {4, 9}, {4, 9}},  {{2, 5}, {6, 3}, {6, 1}},
    };
    static const struct {
        struct nereus_range a, b;
    } apart[] = {
        {{2, 5}, {7, 3}}, {{7, 3}, {2, 5}}, {{3, 0}, {1, 9}}, {{1, 9}, {3, 0}}, {{5, 0}, {5, 0}}};
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct nereus_range overlap = nereus_range_overlap(rows[i].a, rows[i].b);
        cr_expect(overlap.first == rows[i].expected.first &&
                      overlap.count == rows[i].expected.count,
                  "row %zu: %lld + %lld", i, (long long)overlap.first, (long long)overlap.count);
    }
    for (size_t i = 0; i < NEREUS_COUNT_OF(apart); i++)
        cr_expect(nereus_range_overlap(apart[i].a, apart[i].b).count == 0, "row %zu", i);
}

/* The peers of one rank are exactly those whose blocks overlap its own. Returns how many. */
static int64_t check_peers(int64_t n, int64_t own_processes, int64_t rank, int64_t other_processes)
{
    const struct nereus_range own_range = nereus_block(n, own_processes, rank);
    const struct nereus_range peers = nereus_block_peers(n, own_range, other_processes);
    int64_t received = 0;
    for (int64_t other = 0; other < other_processes; other++) {
        const struct nereus_range overlap =
            nereus_range_overlap(own_range, nereus_block(n, other_processes, other));
        const bool named = other >= peers.first && other < peers.first + peers.count;
        cr_assert(
            named == (overlap.count > 0),
            "%lld elements, %lld -> %lld: rank %lld, peer %lld is%s named and shares %lld elements",
            (long long)n, (long long)own_processes, (long long)other_processes, (long long)rank,
            (long long)other, named ? "" : " not", (long long)overlap.count);
        received += overlap.count;
    }
    cr_assert(received == own_range.count, "every element has one peer");
    return peers.count;
}

static void check_exchange(int64_t n, int64_t ns, int64_t nt)
{
    int64_t sent = 0, received = 0;
    for (int64_t rank = 0; rank < ns; rank++)
        sent += check_peers(n, ns, rank, nt);
    for (int64_t rank = 0; rank < nt; rank++)
        received += check_peers(n, nt, rank, ns);
    cr_assert(sent == received, "%lld elements, %lld -> %lld: %lld messages out, %lld in",
              (long long)n, (long long)ns, (long long)nt, (long long)sent, (long long)received);
    /* Two partitions of a line cut each other into at most this many pieces: no message is empty.
     */
    cr_assert(sent <= ns + nt - 1 && sent <= n);
}

Test(distribution, peers_are_exactly_those_that_overlap)
{
    for (size_t i = 0; i < NEREUS_COUNT_OF(lengths); i++)
        for (size_t j = 0; j < NEREUS_COUNT_OF(sizes); j++)
            for (size_t k = 0; k < NEREUS_COUNT_OF(sizes); k++)
                check_exchange(lengths[i], sizes[j], sizes[k]);
    for (int i = 0; i < 400; i++)
        check_exchange(random_below(300), 1 + random_below(40), 1 + random_below(40));
}

/* A rank's messages among millions: a walk over all processes for each of these would take minutes.
 */
Test(distribution, work_is_in_proportion_to_ones_own_messages, .timeout = 10)
{
    const int64_t n = INT64_C(1000000000000007), ns = INT64_C(100000007), nt = INT64_C(299999993);
    for (int i = 0; i < 100000; i++) {
        const int64_t rank = i == 0 ? ns - 1 : random_below(ns);
        const struct nereus_range own_range = nereus_block(n, ns, rank);
        const struct nereus_range peers = nereus_block_peers(n, own_range, nt);
        int64_t covered = 0;
        cr_assert(peers.count >= 3 && peers.count <= 5, "%lld messages of one rank",
                  (long long)peers.count);
        for (int64_t other = peers.first; other < peers.first + peers.count; other++)
            covered += nereus_range_overlap(own_range, nereus_block(n, nt, other)).count;
        cr_assert(covered == own_range.count, "rank %lld: %lld of %lld elements", (long long)rank,
                  (long long)covered, (long long)own_range.count);
    }
}

Test(distribution, who_has_nothing_has_no_peers)
{
    cr_expect(nereus_block_peers(0, nereus_block(0, 3, 1), 5).count == 0);
    cr_expect(nereus_block_peers(3, nereus_block(3, 7, 5), 2).count == 0);
    cr_expect(nereus_block_peers(3, nereus_block(3, 2, 0), 7).count == 2);
}
