/**
 * @file node_traffic.c
 * Computes the traffic of the busiest node.
 *
 * With blocks, consecutive ranks have consecutive blocks, so that a node has a few ranges of
 * elements before and after, and their overlap need not move. On equal nodes the overlap never
 * increases from node to node (as k(r) in transfer.c), so the busiest node is the last one of each
 * size on either side, or the first one that the other side lacks.
 *
 * With partitions, what each source shares with its peers is counted by the nodes of both.
 */
#include "node_traffic.h"

#include <stdlib.h>

#include "model/util/arith.h"
#include "model/util/try.h"
#include "nereus/distribution.h"

/* A range of consecutive ranks. */
struct ranks {
    int64_t first, count;
};

/* With a layout a merge has up to three runs of ranks on a node: sources, woken processes and
 * started ones. */
enum { RUNS_MAX = 3 };

/* The ranks of a node. They ascend; rank r + total is on the node of rank r. */
struct place {
    struct ranks before, after[RUNS_MAX];
    int64_t total;
    int runs; /* number of runs afterwards */
};

/* One side: elements on p processes. */
struct side {
    int64_t n, processes;
};

/* ---- the ranks of each node ---- */

static int64_t count_nodes(const struct nereus_machine *machine, int64_t processes)
{
    return machine->node_count > 0 ? machine->node_count
                                   : nereus_machine_count_nodes(machine, processes);
}

/* Begin before the first node, to which place_next then goes. */
static struct place place_begin(const struct nereus_machine *machine, bool respawn)
{
    struct place place = {.total = INT64_MAX / 4, .runs = 1};
    if (machine->layout == NULL && machine->node_count > 0)
        place.total = nereus_machine_total_cores(machine);
    if (machine->layout == NULL || respawn)
        return place;
    place.runs = RUNS_MAX;
    for (int64_t i = 0; i < machine->node_count; i++) {
        place.after[1].first += machine->layout->before[i];
        place.after[2].first += machine->layout->before[i] + machine->layout->woken[i];
    }
    return place;
}

static void advance_ranks(struct ranks *ranks, int64_t count)
{
    ranks->first += ranks->count;
    ranks->count = count;
}

static void place_next(const struct nereus_machine *machine, int64_t node, struct place *place)
{
    const struct nereus_layout *layout = machine->layout;
    const int64_t cores =
        machine->node_count > 0 ? machine->nodes[node].cores : machine->cores_per_node;
    advance_ranks(&place->before, layout != NULL ? layout->before[node] : cores);
    if (place->runs == 1) {
        advance_ranks(&place->after[0], layout != NULL ? layout->after[node] : cores);
        return;
    }
    const int64_t old = layout->before[node], woken = layout->woken[node];
    advance_ranks(&place->after[0], old);
    advance_ranks(&place->after[1], woken);
    advance_ranks(&place->after[2], nereus_max(0, layout->after[node] - old - woken));
}

/* Ranks of the i-th run, counted over all rounds. */
static struct ranks run_at(const struct ranks *runs, int count, int64_t total, int64_t i)
{
    const struct ranks run = runs[i % count];
    return (struct ranks){run.first + i / count * total, run.count};
}

/* ---- blocks ---- */

static struct nereus_range elements_of(const struct side *side, struct ranks ranks)
{
    const int64_t first = ranks.first, last = nereus_min(first + ranks.count, side->processes) - 1;
    if (first > last)
        return (struct nereus_range){0, 0};
    const struct nereus_range at_first = nereus_block(side->n, side->processes, first),
                              at_last = nereus_block(side->n, side->processes, last);
    return (struct nereus_range){at_first.first, at_last.first + at_last.count - at_first.first};
}

/* Traffic of one node, in one pass, as both lists of ranges ascend. */
static int64_t traffic_of(const struct side *before, const struct side *after,
                          const struct place *place)
{
    int64_t had = 0, has = 0, kept = 0, i = 0, j = 0;
    for (;;) {
        const struct ranks old = run_at(&place->before, 1, place->total, i),
                           next = run_at(place->after, place->runs, place->total, j);
        if (old.first >= before->processes && next.first >= after->processes)
            return nereus_max(had, has) - kept;
        const struct nereus_range mine = elements_of(before, old),
                                  theirs = elements_of(after, next);
        kept += nereus_range_overlap(mine, theirs).count;
        if (next.first >= after->processes ||
            (old.first < before->processes &&
             mine.first + mine.count <= theirs.first + theirs.count)) {
            had += mine.count;
            i++;
        } else {
            has += theirs.count;
            j++;
        }
    }
}

static int64_t traffic_on_equal_nodes(int64_t cores, const struct side *before,
                                      const struct side *after)
{
    const int64_t sizes[] = {before->processes, after->processes, before->n % before->processes,
                             after->n % after->processes};
    int64_t max = 0;
    for (size_t s = 0; s < NEREUS_COUNT_OF(sizes); s++) {
        const int64_t last_full = sizes[s] / cores - 1;
        for (int64_t node = nereus_max(0, last_full); node <= last_full + 2; node++) {
            const struct ranks here = {node * cores, cores};
            const struct place place = {
                .before = here, .after = {here}, .total = INT64_MAX / 4, .runs = 1};
            max = nereus_max(max, traffic_of(before, after, &place));
        }
    }
    return max;
}

int64_t nereus_node_traffic(const struct nereus_machine *machine, bool respawn, int64_t n,
                            int64_t ns, int64_t nt)
{
    const int64_t largest = nereus_max(ns, nt), total = nereus_machine_total_cores(machine);
    const struct side before = {n, ns}, after = {n, nt};
    if (n <= 0 || nereus_machine_is_one_node(machine, largest))
        return 0;
    const bool equal =
        machine->node_count == 0 || total == machine->node_count * machine->cores_per_node;
    if (machine->layout == NULL && equal && (machine->node_count == 0 || largest <= total))
        return traffic_on_equal_nodes(machine->cores_per_node, &before, &after);
    struct place place = place_begin(machine, respawn);
    int64_t max = 0;
    for (int64_t node = 0; node < machine->node_count; node++) {
        place_next(machine, node, &place);
        max = nereus_max(max, traffic_of(&before, &after, &place));
    }
    return max;
}

/* ---- partitions ---- */

/* Node of each rank; elements that leave and reach each node. */
struct nodes {
    int64_t *of_old, *of_new, *out, *in;
    int64_t count;
};

static void set_node(struct ranks run, int64_t processes, int64_t node, int64_t *node_of)
{
    for (int64_t r = run.first; r < nereus_min(run.first + run.count, processes); r++)
        node_of[r] = node;
}

static void find_nodes(const struct nereus_machine *machine, bool respawn, int64_t ns, int64_t nt,
                       struct nodes *nodes)
{
    struct place place = place_begin(machine, respawn);
    for (int64_t node = 0; node < nodes->count; node++) {
        place_next(machine, node, &place);
        for (int64_t i = 0; run_at(&place.before, 1, place.total, i).first < ns; i++)
            set_node(run_at(&place.before, 1, place.total, i), ns, node, nodes->of_old);
        for (int64_t i = 0; run_at(place.after, place.runs, place.total, i).first < nt; i++)
            set_node(run_at(place.after, place.runs, place.total, i), nt, node, nodes->of_new);
    }
}

static int64_t traffic_of_partitions(const struct nereus_partition *before,
                                     const struct nereus_partition *after, struct nodes *nodes)
{
    int64_t max = 0;
    for (int64_t source = 0; source < before->processes; source++) {
        const struct nereus_range peers = nereus_partition_places_meeting(before, source, after);
        for (int64_t place = peers.first; place < peers.first + peers.count; place++) {
            const int64_t target = nereus_partition_range_rank(after, place);
            const int64_t from = nodes->of_old[source], to = nodes->of_new[target];
            const int64_t shared =
                from != to ? nereus_partition_shared(before, source, after, target) : 0;
            nodes->out[from] += shared;
            nodes->in[to] += shared;
        }
    }
    for (int64_t node = 0; node < nodes->count; node++)
        max = nereus_max(max, nereus_max(nodes->out[node], nodes->in[node]));
    return max;
}

enum nereus_status nereus_node_traffic_partitions(const struct nereus_machine *machine,
                                                  bool respawn,
                                                  const struct nereus_partition *before,
                                                  const struct nereus_partition *after,
                                                  int64_t *traffic, struct nereus_error *err)
{
    const int64_t ns = before->processes, nt = after->processes;
    *traffic = 0;
    if (nereus_machine_is_one_node(machine, nereus_max(ns, nt)))
        return NEREUS_OK;
    struct nodes nodes = {.count = count_nodes(machine, nereus_max(ns, nt))};
    nodes.of_old = calloc((size_t)(ns + nt + 2 * nodes.count), sizeof(int64_t));
    NEREUS_TRY_MEMORY(nodes.of_old, err, "for %lld processes", (long long)(ns + nt));
    nodes.of_new = nodes.of_old + ns;
    nodes.out = nodes.of_new + nt;
    nodes.in = nodes.out + nodes.count;
    find_nodes(machine, respawn, ns, nt, &nodes);
    *traffic = traffic_of_partitions(before, after, &nodes);
    free(nodes.of_old);
    return NEREUS_OK;
}
