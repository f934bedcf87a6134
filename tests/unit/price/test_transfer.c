/** @file test_transfer.c  What a redistribution moves, against an enumeration of all pairs of
 * processes. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/price/transfer.h"
#include "model/util/arith.h"
#include "tests/unit/random.h"

static int64_t draw(int64_t min, int64_t max)
{
    return min + random_below(max - min + 1);
}

enum { MAX = 60 };

static void at_least(int64_t *max, int64_t value)
{
    *max = value > *max ? value : *max;
}

/* Every source with every target. */
static struct nereus_transfer enumerate(const struct nereus_partition *old_partition,
                                        const struct nereus_partition *new_partition,
                                        const int64_t *sources)
{
    struct nereus_transfer t = {0};
    int64_t in[MAX] = {0}, messages_in[MAX] = {0};
    for (int64_t s = 0; s < old_partition->processes; s++) {
        int64_t out = 0, messages_out = 0;
        for (int64_t r = 0; r < new_partition->processes; r++) {
            const int64_t shared = nereus_partition_shared(old_partition, s, new_partition, r);
            at_least(&t.touched_elements, nereus_partition_range(new_partition, r).count);
            if (sources != NULL && sources[r] == s) {
                at_least(&t.kept_elements, shared);
                t.kept_total += shared;
            } else if (shared > 0) {
                messages_out++;
                out += shared;
                messages_in[r]++;
                in[r] += shared;
                t.moved_total += shared;
            }
        }
        at_least(&t.elements_out, out);
        at_least(&t.messages_out, messages_out);
    }
    for (int64_t r = 0; r < new_partition->processes; r++) {
        at_least(&t.elements_in, in[r]);
        at_least(&t.messages_in, messages_in[r]);
    }
    return t;
}

static void expect_elements(const struct nereus_transfer *t, const struct nereus_transfer *right,
                            const char *what)
{
    cr_assert(t->elements_out == right->elements_out && t->elements_in == right->elements_in &&
                  t->kept_elements == right->kept_elements && t->kept_total == right->kept_total &&
                  t->moved_total == right->moved_total &&
                  t->touched_elements == right->touched_elements &&
                  t->node_elements == right->node_elements,
              "%s: out %lld in %lld kept %lld of %lld touched %lld, not %lld %lld %lld %lld %lld",
              what, (long long)t->elements_out, (long long)t->elements_in,
              (long long)t->kept_elements, (long long)t->kept_total, (long long)t->touched_elements,
              (long long)right->elements_out, (long long)right->elements_in,
              (long long)right->kept_elements, (long long)right->kept_total,
              (long long)right->touched_elements);
}

Test(transfer, blocks_in_closed_form)
{
    for (int i = 0; i < 10000; i++) {
        const int64_t ns = draw(1, MAX), nt = draw(1, MAX), n = draw(0, i % 3 == 0 ? 90 : 100000);
        const bool respawn = i % 2 == 0;
        const struct nereus_partition old_partition = nereus_partition_block(n, ns),
                                      new_partition = nereus_partition_block(n, nt);
        int64_t sources[MAX];
        char what[96];
        for (int64_t r = 0; r < nt; r++)
            sources[r] = r < ns ? r : -1;
        const struct nereus_transfer right =
            enumerate(&old_partition, &new_partition, respawn ? NULL : sources);
        struct nereus_transfer t;
        nereus_transfer_blocks(n, ns, nt, respawn, &t);
        snprintf(what, sizeof what, "%lld on %lld -> %lld%s", (long long)n, (long long)ns,
                 (long long)nt, respawn ? ", respawned" : "");
        expect_elements(&t, &right, what);
        cr_assert(
            t.messages_out <= right.messages_out && t.messages_out >= right.messages_out - 1 &&
                t.messages_in <= right.messages_in && t.messages_in >= right.messages_in - 1,
            "%s: messages %lld %lld, not %lld %lld", what, (long long)t.messages_out,
            (long long)t.messages_in, (long long)right.messages_out, (long long)right.messages_in);
    }
}

/* Bounds that rise at random, empty ranges too, and ranks in any order. */
static struct nereus_partition draw_partition(int64_t n, int64_t processes)
{
    struct nereus_partition partition;
    int64_t bounds[MAX + 1] = {0}, order[MAX];
    for (int64_t k = 1; k < processes; k++) {
        const int64_t left = processes - k;
        bounds[k] = draw(bounds[k - 1], bounds[k - 1] + 2 * (n - bounds[k - 1]) / (left + 1));
        bounds[k] = bounds[k] > n ? n : bounds[k];
    }
    bounds[processes] = n;
    for (int64_t k = 0; k < processes; k++)
        order[k] = k;
    for (int64_t k = processes - 1; k > 0; k--) {
        const int64_t other = draw(0, k), rank = order[k];
        order[k] = order[other];
        order[other] = rank;
    }
    cr_assert(nereus_partition_make(n, processes, bounds, draw(0, 1) == 0 ? NULL : order,
                                    &partition, NULL) == NEREUS_OK);
    return partition;
}

Test(transfer, partitions_exactly)
{
    for (int i = 0; i < 10000; i++) {
        const int64_t ns = draw(1, MAX), nt = draw(1, MAX), n = draw(0, i % 3 == 0 ? 70 : 5000);
        struct nereus_partition old_partition = draw_partition(n, ns),
                                new_partition = draw_partition(n, nt);
        int64_t sources[MAX];
        const int64_t shift = draw(-3, 3); /* any map: leaving processes need not be last */
        for (int64_t r = 0; r < nt; r++)
            sources[r] = r + shift >= 0 && r + shift < ns && draw(0, 3) > 0 ? r + shift : -1;
        const int64_t *map = i % 5 == 0 ? NULL : sources;
        const struct nereus_transfer right = enumerate(&old_partition, &new_partition, map);
        struct nereus_transfer t;
        cr_assert(nereus_transfer_partitions(&old_partition, &new_partition, map, &t, NULL) ==
                  NEREUS_OK);
        expect_elements(&t, &right, "partitions");
        cr_assert(t.messages_out == right.messages_out && t.messages_in == right.messages_in,
                  "case %d", i);
        nereus_partition_fini(&old_partition);
        nereus_partition_fini(&new_partition);
    }
}

/* Fields of a grid; what two boxes share is tested in test_grid.c. The first processes stay. */
Test(transfer, grids_exactly)
{
    for (int i = 0; i < 3000; i++) {
        const int64_t ns = draw(1, MAX), nt = draw(1, MAX);
        struct nereus_grid grid = {.dimensions = draw(1, 3)};
        for (int d = 0; d < grid.dimensions; d++)
            grid.n[d] = draw(1, 60);
        struct nereus_partition old_partition = {.n = nereus_grid_count(&grid), .grid = grid};
        old_partition = nereus_partition_resized(&old_partition, ns, 0);
        const bool respawn = i % 3 == 0;
        const struct nereus_partition new_partition = nereus_partition_resized(&old_partition, nt,
                                                                               respawn   ? 0
                                                                               : ns < nt ? ns
                                                                                         : nt);
        const struct nereus_transfer_sizes sizes = {.ns = ns, .nt = nt, .respawn = respawn};
        int64_t sources[MAX];
        struct nereus_transfer t, keep;
        for (int64_t r = 0; r < nt; r++)
            sources[r] = r < ns ? r : -1;
        const struct nereus_transfer right =
            enumerate(&old_partition, &new_partition, respawn ? NULL : sources);
        cr_assert(nereus_transfer_grid(&sizes, &grid, false, &t, NULL) == NEREUS_OK);
        expect_elements(&t, &right, "grid");
        cr_assert(t.messages_out == right.messages_out && t.messages_in == right.messages_in);
        cr_assert(nereus_transfer_grid(&sizes, &grid, true, &keep, NULL) == NEREUS_OK);
        cr_assert(keep.kept_total + keep.moved_total == old_partition.n &&
                  2 * keep.kept_total >= t.kept_total);
    }
}

/* By hand: 8 x 8 on 2 x 1 becomes 4 x 1 or 2 x 2: with 2 x 2 places 0 and 2 keep 16 of their 32
 * elements, but in rank order process 1 has place 1 then, and keeps nothing; keep gives it place
 * 2. */
Test(transfer, grid_by_hand)
{
    const struct nereus_grid grid = {.dimensions = 2, .n = {8, 8}, .fixed = {2, 0}};
    const struct nereus_transfer_sizes sizes = {.ns = 2, .nt = 4};
    struct nereus_transfer t;
    cr_assert(nereus_transfer_grid(&sizes, &grid, false, &t, NULL) == NEREUS_OK);
    cr_expect(t.kept_total == 16 && t.moved_total == 48 && t.messages_out == 2, "%lld %lld",
              (long long)t.kept_total, (long long)t.messages_out);
    cr_assert(nereus_transfer_grid(&sizes, &grid, true, &t, NULL) == NEREUS_OK);
    cr_expect(t.kept_total == 32 && t.moved_total == 32 && t.messages_out == 1);
}

/* Sizes at which the sums would overflow if they were taken one by one. */
Test(transfer, blocks_of_many_processes)
{
    struct nereus_transfer t;
    nereus_transfer_blocks(4000000000000000000, 1000000, 1000000, false, &t);
    cr_expect(t.kept_total == 4000000000000000000 && t.moved_total == 0 && t.elements_out == 0 &&
              t.messages_out == 0);
    nereus_transfer_blocks(4000000000000000000, 500000, 1000000, false, &t);
    cr_expect(t.kept_elements == 4000000000000 && t.kept_total == 4000000000000, "%lld",
              (long long)t.kept_total);
    cr_expect(t.elements_out == 8000000000000 && t.messages_out == 2 &&
              t.elements_in == 4000000000000 && t.messages_in == 1);
}

/* By hand: 2 -> 4 of 400. With blocks 100 stay (of source 0); with keep each source keeps a range
 * of at most 105, and the rest goes to one new process each. Keep never moves more than blocks, and
 * loses nothing. */
Test(transfer, keep)
{
    const struct nereus_machine two_cores = {.cores_per_node = 2};
    const struct nereus_transfer_sizes sizes = {&two_cores, 400, 2, 4, false};
    struct nereus_transfer t, blocks;
    cr_assert_eq(nereus_transfer_keep(&sizes, 0, &t, NULL), NEREUS_OK);
    cr_expect(t.kept_elements == 105 && t.kept_total == 210 && t.moved_total == 190,
              "%lld, %lld, %lld", (long long)t.kept_elements, (long long)t.kept_total,
              (long long)t.moved_total);
    cr_expect(t.elements_out == 95 && t.messages_out == 1 && t.messages_in == 1 &&
              t.node_elements == 190);
    for (int64_t ns = 1; ns <= NEREUS_TRANSFER_KEEP_PROCESSES; ns += 1 + ns / 3)
        for (int64_t nt = 1; nt <= NEREUS_TRANSFER_KEEP_PROCESSES; nt += 1 + nt / 4) {
            const struct nereus_transfer_sizes drawn = {.n = 5040, .ns = ns, .nt = nt};
            cr_assert_eq(nereus_transfer_keep(&drawn, 20000, &t, NULL), NEREUS_OK);
            nereus_transfer_blocks(5040, ns, nt, false, &blocks);
            cr_expect(t.kept_total >= blocks.kept_total && t.kept_total + t.moved_total == 5040,
                      "%lld -> %lld", (long long)ns, (long long)nt);
        }
}

/* Between the same processes. By hand: 8 elements of 2 processes as 4, 4 become 2, 6 by powers 1,
 * 3; as 6, 2 they become 2, 6; as 2, 6 they stay. */
Test(transfer, weighted_at_the_same_size)
{
    static const double uneven[] = {1, 3}, turned[] = {3, 1};
    static const struct {
        const double *before;
        bool blocks_before;
        struct nereus_transfer right;
    } rows[] = {
        {NULL, true, {1, 1, 2, 2, 4, 6, 2, 6, 2}},
        {turned, true, {1, 1, 4, 4, 2, 6, 4, 4, 4}},
        {NULL, false, {0, 0, 0, 0, 6, 6, 0, 8, 0}},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct nereus_transfer_powers powers = {.values = uneven,
                                                      .count = 2,
                                                      .old_powers = rows[i].before,
                                                      .blocks_before = rows[i].blocks_before};
        const struct nereus_machine one_core = {.cores_per_node = 1};
        const struct nereus_transfer_sizes sizes = {&one_core, 8, 2, 2, false};
        struct nereus_transfer t;
        char what[32];
        snprintf(what, sizeof what, "row %zu", i);
        cr_assert(nereus_transfer_weighted(&sizes, &powers, &t, NULL) == NEREUS_OK);
        expect_elements(&t, &rows[i].right, what);
        cr_expect(t.messages_out == rows[i].right.messages_out &&
                      t.messages_in == rows[i].right.messages_in,
                  "%s: %lld out, %lld in", what, (long long)t.messages_out,
                  (long long)t.messages_in);
    }
}

/* By hand: 8 elements from 2 to 4 processes with powers 1, 3, 1, 3, which get 1, 3, 1, 3 of them;
 * equal powers are blocks. */
Test(transfer, weighted_moves_between_the_ranges_of_the_powers)
{
    static const double uneven[] = {1, 3}, even[] = {2.5};
    static const struct {
        const double *powers;
        int64_t count;
        bool blocks_before, respawn;
        struct nereus_transfer right;
    } rows[] = {
        {uneven, 2, true, false, {2, 1, 4, 3, 1, 3, 7, 1, 4}},
        {uneven, 2, false, false, {2, 1, 4, 3, 2, 3, 5, 3, 4}},
        {uneven, 2, true, true, {2, 1, 4, 3, 0, 3, 8, 0, 4}},
        {even, 1, true, false, {2, 1, 4, 2, 2, 2, 6, 2, 4}},
    };
    for (size_t i = 0; i < NEREUS_COUNT_OF(rows); i++) {
        const struct nereus_transfer_powers powers = {.values = rows[i].powers,
                                                      .count = rows[i].count,
                                                      .blocks_before = rows[i].blocks_before};
        const struct nereus_transfer *const right = &rows[i].right;
        const struct nereus_machine one_core = {.cores_per_node = 1};
        const struct nereus_transfer_sizes sizes = {&one_core, 8, 2, 4, rows[i].respawn};
        struct nereus_transfer t;
        char what[32];
        snprintf(what, sizeof what, "row %zu", i);
        cr_assert(nereus_transfer_weighted(&sizes, &powers, &t, NULL) == NEREUS_OK);
        expect_elements(&t, right, what);
        cr_expect(t.messages_out == right->messages_out && t.messages_in == right->messages_in,
                  "%s: %lld out, %lld in", what, (long long)t.messages_out,
                  (long long)t.messages_in);
    }
}

/* Where ranks are, one after the other. */
struct nodes {
    int64_t of_old[MAX], of_new[MAX];
};

static int64_t put(int64_t *node_of, int64_t used, int64_t count, int64_t node)
{
    for (int64_t i = 0; i < count; i++)
        node_of[used++] = node;
    return used;
}

static void find_nodes(const struct nereus_machine *machine, bool respawn, struct nodes *nodes)
{
    const struct nereus_layout *l = machine->layout;
    int64_t old = 0, new_count = 0;
    for (int64_t r = 0; l == NULL && r < MAX; r++)
        nodes->of_old[r] = nodes->of_new[r] = nereus_machine_node_of(machine, r);
    for (int64_t k = 0; l != NULL && k < machine->node_count; k++)
        old = put(nodes->of_old, old, l->sources[k], k);
    for (int64_t k = 0; l != NULL && !respawn && k < machine->node_count; k++)
        new_count = put(nodes->of_new, new_count, l->sources[k], k);
    for (int64_t k = 0; l != NULL && !respawn && k < machine->node_count; k++)
        new_count = put(nodes->of_new, new_count, l->woken_zombies[k], k);
    for (int64_t k = 0; l != NULL && k < machine->node_count; k++)
        new_count = put(nodes->of_new, new_count,
                        l->targets[k] - (respawn ? 0 : l->sources[k] + l->woken_zombies[k]), k);
}

/* Every element: on which node it was, and on which it is. */
static int64_t enumerate_nodes(const struct nodes *nodes,
                               const struct nereus_partition *old_partition,
                               const struct nereus_partition *new_partition)
{
    int64_t out[MAX] = {0}, in[MAX] = {0}, max = 0;
    for (int64_t e = 0; e < old_partition->n; e++) {
        const int64_t from = nodes->of_old[nereus_partition_owner(old_partition, e)],
                      to = nodes->of_new[nereus_partition_owner(new_partition, e)];
        out[from] += from != to;
        in[to] += from != to;
    }
    for (int64_t i = 0; i < MAX; i++) {
        at_least(&max, out[i]);
        at_least(&max, in[i]);
    }
    return max;
}

enum { UNBOUNDED, EQUAL, UNEQUAL, LAYOUT_KINDS, LAYOUT_NODES = 5 };

/* A machine, and for a layout its sizes. */
static void draw_machine(int kind, bool respawn, struct nereus_machine *machine,
                         struct nereus_layout *layout, int64_t counts[3][LAYOUT_NODES], int64_t *ns,
                         int64_t *nt)
{
    if (kind == UNBOUNDED) {
        cr_assert_eq(nereus_machine_uniform(draw(1, 9), machine, NULL), NEREUS_OK);
        return;
    }
    const int64_t nodes = kind < LAYOUT_KINDS ? draw(1, 12) : LAYOUT_NODES;
    cr_assert_eq(nereus_machine_equal_nodes(nodes, draw(1, 9), machine, NULL), NEREUS_OK);
    for (int64_t k = 0; kind == UNEQUAL && k < nodes; k++)
        machine->nodes[k].cores = draw(1, machine->cores_per_node);
    if (kind < LAYOUT_KINDS)
        return;
    *ns = *nt = 0;
    for (int64_t k = 0; k < nodes; k++) {
        counts[0][k] = draw(k == 0, 3);
        counts[1][k] = respawn ? 0 : draw(0, 1);
        counts[2][k] = draw(k == 0, 3) + (respawn ? 0 : counts[0][k] + counts[1][k]);
        *ns += counts[0][k];
        *nt += counts[2][k];
    }
    if (!respawn && draw(0, 1) > 0) /* the last ranks leave */
        *nt = draw(1, *ns);
    *layout = (struct nereus_layout){counts[0], counts[1], counts[2]};
    machine->layout = layout;
}

/* Equal blocks, and any ranges. */
Test(transfer, between_nodes)
{
    for (int i = 0; i < 20000; i++) {
        const bool respawn = i % 2 == 0;
        int64_t n = draw(0, 300), ns = draw(1, MAX), nt = draw(1, MAX), found, any;
        int64_t counts[3][LAYOUT_NODES];
        struct nereus_machine machine;
        struct nereus_layout layout;
        struct nodes nodes;
        struct nereus_partition old_partition, new_partition;
        draw_machine(i % (LAYOUT_KINDS + 1), respawn, &machine, &layout, counts, &ns, &nt);
        find_nodes(&machine, respawn, &nodes);
        old_partition = nereus_partition_block(n, ns);
        new_partition = nereus_partition_block(n, nt);
        const int64_t right = enumerate_nodes(&nodes, &old_partition, &new_partition);
        found = nereus_node_traffic(&machine, respawn, n, ns, nt);
        cr_assert_eq(found, right, "%d: %lld on %lld -> %lld, %lld nodes of %lld: %lld, not %lld",
                     i, (long long)n, (long long)ns, (long long)nt, (long long)machine.node_count,
                     (long long)machine.cores_per_node, (long long)found, (long long)right);
        old_partition = draw_partition(n, ns);
        new_partition = draw_partition(n, nt);
        cr_assert_eq(nereus_node_traffic_partitions(&machine, respawn, &old_partition,
                                                    &new_partition, &any, NULL),
                     NEREUS_OK);
        cr_assert_eq(any, enumerate_nodes(&nodes, &old_partition, &new_partition), "ranges, %d", i);
        nereus_partition_fini(&old_partition);
        nereus_partition_fini(&new_partition);
        nereus_machine_fini(&machine);
    }
}
