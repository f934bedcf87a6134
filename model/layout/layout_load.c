/**
 * @file layout_load.c
 * Computes the load of the nodes while new processes start among old ones (docs/model.md).
 *
 * A machine with listed nodes is walked node by node. On an unbounded machine only nodes where a
 * range of ranks begins or ends differ from their neighbours: these are visited, and nodes are
 * counted by differences.
 *
 * If a process takes several cores, the cores of a node are its slots times that number. In a step
 * each process runs one thread; an application that continues computing has a thread on each core,
 * and an auxiliary thread takes one of these cores.
 */

#include "layout_rounds.h"
#include "nereus/layout.h"
#include "node_walk.h"

/* @param first  is this the first node with old processes? It has the root
 * @param slots  of the node, of `each` cores */
static void add_node(struct nereus_load *load, bool first, int64_t slots, int64_t each,
                     int64_t old_here, int64_t new_here)
{
    const double cores = (double)(slots * each);
    const int64_t busy = each * old_here + new_here, auxiliary = each == 1;
    const int root = first && old_here > 0 ? 1 : 0;
    if (new_here > 0) {
        double fill = (double)new_here / cores;
        /* among nodes with equally many new processes the node with the fewest cores */
        load->fill = new_here > load->new_per_node    ? fill
                     : new_here == load->new_per_node ? nereus_max_real(load->fill, fill)
                                                      : load->fill;
        load->new_per_node = nereus_max(load->new_per_node, new_here);
        load->core_load = nereus_max_real(load->core_load, (double)(old_here + new_here) / cores);
        load->load_busy = nereus_max_real(load->load_busy, (double)busy / cores);
        load->load_root_only =
            nereus_max_real(load->load_root_only, (double)(root + new_here) / cores);
    }
    if (old_here > 0) {
        load->load_all =
            nereus_max_real(load->load_all, (double)(busy + auxiliary * old_here) / cores);
        load->load_root =
            nereus_max_real(load->load_root, (double)(busy + auxiliary * root) / cores);
    }
}

static void add_finite_nodes(const struct nereus_machine *machine, const struct nereus_placement *p,
                             struct nereus_load *load)
{
    const int64_t each = nereus_machine_cores_per_process(machine);
    int64_t slots_before = 0, old_before = 0, new_before = 0; /* of the node before */
    struct nereus_node_walk walk;
    nereus_node_walk_begin(machine, p, &walk);
    while (nereus_node_walk_next(&walk)) {
        const int64_t slots = machine->nodes[walk.node].cores;
        /* a node like the one before has no larger load */
        if (slots != slots_before || walk.old_here != old_before || walk.new_here != new_before)
            add_node(load, load->old_nodes == 0, slots, each, walk.old_here, walk.new_here);
        slots_before = slots;
        old_before = walk.old_here;
        new_before = walk.new_here;
        load->old_nodes += walk.old_here > 0;
        load->new_nodes += walk.new_here > 0;
        load->shared_nodes += walk.old_here > 0 && walk.new_here > 0;
    }
}

static void visit_unbounded(const struct nereus_machine *machine, const struct nereus_placement *p,
                            int64_t node, struct nereus_load *load)
{
    add_node(load, node == 0, machine->cores_per_node, nereus_machine_cores_per_process(machine),
             nereus_machine_node_processes(machine, 0, p->old_processes, node),
             nereus_machine_node_processes(machine, p->first_new, p->new_processes, node));
}

/* New processes begin on node f. Node 0 has the most old processes, and the root; f + 1 has the
 * most new ones of the nodes after f and, of these, the most old ones. So the maxima are on the
 * nodes 0, f and f + 1. */
static void sum_unbounded(const struct nereus_machine *machine, const struct nereus_placement *p,
                          struct nereus_load *load)
{
    load->old_nodes = nereus_machine_count_nodes(machine, p->old_processes);
    visit_unbounded(machine, p, 0, load);
    if (p->new_processes > 0) {
        int64_t first = nereus_machine_node_of(machine, p->first_new);
        int64_t last = nereus_machine_node_of(machine, p->first_new + p->new_processes - 1);
        visit_unbounded(machine, p, first, load);
        visit_unbounded(machine, p, first + 1, load);
        load->new_nodes = last - first + 1;
        load->shared_nodes = nereus_max(0, nereus_min(last, load->old_nodes - 1) - first + 1);
    }
}

static int64_t count_target_nodes(const struct nereus_machine *machine, int64_t targets)
{
    int64_t used_nodes = 0;
    if (machine->layout == NULL)
        return nereus_machine_count_nodes(machine, targets);
    for (int64_t i = 0; i < machine->node_count; i++)
        used_nodes += machine->layout->targets[i] > 0;
    return used_nodes;
}

void nereus_placement_find_load(const struct nereus_machine *machine,
                                const struct nereus_placement *placement, struct nereus_load *load)
{
    memset(load, 0, sizeof *load);
    load->new_processes = placement->new_processes;
    load->target_nodes = count_target_nodes(machine, placement->targets);
    if (machine->node_count > 0)
        add_finite_nodes(machine, placement, load);
    else
        sum_unbounded(machine, placement, load);
}
