/**
 * @file node_traffic.c
 * Computes the traffic of the busiest node.
 *
 * With blocks, consecutive ranks have consecutive blocks, so that a node has a few ranges of
 * elements before and after, and their overlap need not move. On equal nodes the overlap never
 * increases from node to node (as k(r) in transfer.c), so the busiest node is the last one of each
 * size on either side, or the first one that the other side lacks.
 *
 * With partitions, the elements that each source shares with a peer count for the nodes of both.
 */
#include "nereus/distribution.h"
#include "transfer.h"

/* A range of consecutive ranks. */
struct ranks {
    int64_t first, count;
};

/* With a layout a merge has up to three runs of ranks on a node: sources, woken processes and
 * started ones. */
enum { RUNS_MAX = 3 };

/* The ranks of a node before and after, ascending; rank r + total is on the node of rank r. */
struct node_ranks {
    struct ranks sources, targets[RUNS_MAX];
    int64_t total;
    int runs; /* number of runs afterwards */
};

/* The sources or the targets: n elements on `processes` processes. */
struct side {
    int64_t n, processes;
};

/* ---- the ranks of each node ---- */

static int64_t count_nodes(const struct nereus_machine *machine, int64_t processes)
{
    return machine->node_count > 0 ? machine->node_count
                                   : nereus_machine_count_nodes(machine, processes);
}

/* Begin before the first node, for advance_to_node. */
static struct node_ranks begin_nodes(const struct nereus_machine *machine, bool respawn)
{
    struct node_ranks on_node = {.total = INT64_MAX / 4, .runs = 1};
    if (machine->layout == NULL && machine->node_count > 0)
        on_node.total = nereus_machine_total_cores(machine);
    if (machine->layout == NULL || respawn)
        return on_node;
    on_node.runs = RUNS_MAX;
    for (int64_t i = 0; i < machine->node_count; i++) {
        on_node.targets[1].first += machine->layout->sources[i];
        on_node.targets[2].first += machine->layout->sources[i] + machine->layout->woken_zombies[i];
    }
    return on_node;
}

static void advance_ranks(struct ranks *ranks, int64_t count)
{
    ranks->first += ranks->count;
    ranks->count = count;
}

static void advance_to_node(const struct nereus_machine *machine, int64_t node,
                            struct node_ranks *on_node)
{
    const struct nereus_layout *layout = machine->layout;
    const int64_t cores =
        machine->node_count > 0 ? machine->nodes[node].cores : machine->cores_per_node;
    advance_ranks(&on_node->sources, layout != NULL ? layout->sources[node] : cores);
    if (on_node->runs == 1) {
        advance_ranks(&on_node->targets[0], layout != NULL ? layout->targets[node] : cores);
        return;
    }
    const int64_t old = layout->sources[node], woken = layout->woken_zombies[node];
    advance_ranks(&on_node->targets[0], old);
    advance_ranks(&on_node->targets[1], woken);
    advance_ranks(&on_node->targets[2], nereus_max(0, layout->targets[node] - old - woken));
}

/* Ranks of the i-th run, counted over all rounds. */
static struct ranks find_run(const struct ranks *runs, int count, int64_t total, int64_t i)
{
    const struct ranks run = runs[i % count];
    return (struct ranks){run.first + i / count * total, run.count};
}

/* ---- blocks ---- */

static struct nereus_range find_elements(const struct side *side, struct ranks ranks)
{
    const int64_t first = ranks.first, last = nereus_min(first + ranks.count, side->processes) - 1;
    if (first > last)
        return (struct nereus_range){0, 0};
    const struct nereus_range at_first = nereus_block(side->n, side->processes, first),
                              at_last = nereus_block(side->n, side->processes, last);
    return (struct nereus_range){at_first.first, at_last.first + at_last.count - at_first.first};
}

/* Traffic of one node, in one pass, as both lists of ranges ascend. */
static int64_t count_node_traffic(const struct side *old_side, const struct side *new_side,
                                  const struct node_ranks *on_node)
{
    int64_t had = 0, has = 0, kept_elements = 0, i = 0, j = 0;
    for (;;) {
        const struct ranks old = find_run(&on_node->sources, 1, on_node->total, i),
                           next = find_run(on_node->targets, on_node->runs, on_node->total, j);
        if (old.first >= old_side->processes && next.first >= new_side->processes)
            return nereus_max(had, has) - kept_elements;
        const struct nereus_range own_range = find_elements(old_side, old),
                                  theirs = find_elements(new_side, next);
        kept_elements += nereus_range_overlap(own_range, theirs).count;
        if (next.first >= new_side->processes ||
            (old.first < old_side->processes &&
             own_range.first + own_range.count <= theirs.first + theirs.count)) {
            had += own_range.count;
            i++;
        } else {
            has += theirs.count;
            j++;
        }
    }
}

static int64_t count_on_equal_nodes(int64_t cores, const struct side *old_side,
                                    const struct side *new_side)
{
    const int64_t sizes[] = {old_side->processes, new_side->processes,
                             old_side->n % old_side->processes, new_side->n % new_side->processes};
    int64_t max = 0;
    for (size_t s = 0; s < NEREUS_COUNT_OF(sizes); s++) {
        const int64_t last_full = sizes[s] / cores - 1;
        for (int64_t node = nereus_max(0, last_full); node <= last_full + 2; node++) {
            const struct ranks here = {node * cores, cores};
            const struct node_ranks on_node = {
                .sources = here, .targets = {here}, .total = INT64_MAX / 4, .runs = 1};
            max = nereus_max(max, count_node_traffic(old_side, new_side, &on_node));
        }
    }
    return max;
}

int64_t nereus_node_traffic(const struct nereus_machine *machine, bool respawn, int64_t n,
                            int64_t ns, int64_t nt)
{
    const int64_t largest = nereus_max(ns, nt), total = nereus_machine_total_cores(machine);
    const struct side old_side = {n, ns}, new_side = {n, nt};
    if (n <= 0 || nereus_machine_is_one_node(machine, largest))
        return 0;
    const bool equal =
        machine->node_count == 0 || total == machine->node_count * machine->cores_per_node;
    if (machine->layout == NULL && equal && (machine->node_count == 0 || largest <= total))
        return count_on_equal_nodes(machine->cores_per_node, &old_side, &new_side);
    struct node_ranks on_node = begin_nodes(machine, respawn);
    int64_t max = 0;
    for (int64_t node = 0; node < machine->node_count; node++) {
        advance_to_node(machine, node, &on_node);
        max = nereus_max(max, count_node_traffic(&old_side, &new_side, &on_node));
    }
    return max;
}

/* ---- partitions ---- */

/* old_node, new_node: node of each rank; out, in: elements that leave and reach each node. */
struct nodes {
    int64_t *old_node, *new_node, *out, *in;
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
    struct node_ranks on_node = begin_nodes(machine, respawn);
    for (int64_t node = 0; node < nodes->count; node++) {
        advance_to_node(machine, node, &on_node);
        for (int64_t i = 0; find_run(&on_node.sources, 1, on_node.total, i).first < ns; i++)
            set_node(find_run(&on_node.sources, 1, on_node.total, i), ns, node, nodes->old_node);
        for (int64_t i = 0; find_run(on_node.targets, on_node.runs, on_node.total, i).first < nt;
             i++)
            set_node(find_run(on_node.targets, on_node.runs, on_node.total, i), nt, node,
                     nodes->new_node);
    }
}

static int64_t count_of_partitions(const struct nereus_partition *old_partition,
                                   const struct nereus_partition *new_partition,
                                   struct nodes *nodes)
{
    int64_t max = 0;
    for (int64_t source = 0; source < old_partition->processes; source++) {
        const struct nereus_range peers =
            nereus_partition_places_meeting(old_partition, source, new_partition);
        for (int64_t place = peers.first; place < peers.first + peers.count; place++) {
            const int64_t target = nereus_partition_range_rank(new_partition, place);
            const int64_t from = nodes->old_node[source], to = nodes->new_node[target];
            const int64_t shared =
                from != to ? nereus_partition_shared(old_partition, source, new_partition, target)
                           : 0;
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
                                                  const struct nereus_partition *old_partition,
                                                  const struct nereus_partition *new_partition,
                                                  int64_t *traffic, struct nereus_error *err)
{
    const int64_t ns = old_partition->processes, nt = new_partition->processes;
    *traffic = 0;
    if (nereus_machine_is_one_node(machine, nereus_max(ns, nt)))
        return NEREUS_OK;
    struct nodes nodes = {.count = count_nodes(machine, nereus_max(ns, nt))};
    nodes.old_node = calloc((size_t)(ns + nt + 2 * nodes.count), sizeof(int64_t));
    NEREUS_TRY_MEMORY(nodes.old_node, err, "for %lld processes", (long long)(ns + nt));
    nodes.new_node = nodes.old_node + ns;
    nodes.out = nodes.new_node + nt;
    nodes.in = nodes.out + nodes.count;
    find_nodes(machine, respawn, ns, nt, &nodes);
    *traffic = count_of_partitions(old_partition, new_partition, &nodes);
    free(nodes.old_node);
    return NEREUS_OK;
}
