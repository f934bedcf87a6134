/**
 * @file layout.h
 * Machines (nodes and their cores) and the placement of processes.
 *
 * Compact placement in the order of the nodes: rank r is on the first node whose cumulated cores
 * exceed r (spawning-methods 4.2, ceil(n / C) nodes). A machine is either uniform and unbounded (C
 * cores a node, as many nodes as needed: what a prediction for a cluster uses) or a finite list of
 * nodes. Processes above the cores of a finite machine are placed in further compact rounds over
 * all nodes: they are oversubscribed.
 */
#ifndef NEREUS_LAYOUT_H
#define NEREUS_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

NEREUS_BEGIN_C

enum { NEREUS_NODE_NAME_MAX = 64, NEREUS_ALLOCATION_MAX = 48 };

/** Most processes per core of a finite machine without declared slots: more are taken for a typing
 * error. */
enum { NEREUS_UNDECLARED_PER_CORE = 64 };

/** Most nodes of nereus_machine_equal_nodes. */
enum { NEREUS_EQUAL_NODES_MAX = 1 << 20 };

struct nereus_node {
    char name[NEREUS_NODE_NAME_MAX];
    int64_t cores; /**< in units of the machine's cores_per_process */
    /** "slurm:1234": allocation from which a launcher reaches the node; "": the job's */
    char allocation[NEREUS_ALLOCATION_MAX];
};

/**
 * Processes by node where placement is not compact: a number for each node of a machine
 * (parallel-spawning 4.2, vectors R and A).
 */
struct nereus_layout {
    const int64_t *before; /**< active sources; rank 0 is on the first node that has any */
    const int64_t *woken;  /**< zombies that a merge wakes for the change */
    const int64_t *after;  /**< targets */
};

/**
 * Cores per process (threads): this many cores count as one wherever processes are placed: in
 * `cores`, `cores_per_node` and `slots`, and so in layouts, loads and prices.
 */
struct nereus_machine {
    int64_t cores_per_process; /**< 0 or 1: one */
    int64_t cores_per_node;    /**< of every node when node_count is 0; else of the largest node */
    int64_t node_count;        /**< 0: uniform and unbounded */
    /** node_count entries, owned by the machine; NULL when node_count is 0 */
    struct nereus_node *nodes;
    /** declared by a host file or --slots; 0: none declared (sizes above the cores warn; none above
     * NEREUS_UNDECLARED_PER_CORE for each is started) */
    int64_t slots;
    /** the runtime's: it has had nodes on several hosts, and names them from then on */
    bool had_several_hosts;
    /** a question's, of one change of size on a list of nodes: where its processes are; the
     * caller's, and not a copy's. NULL: compact placement */
    const struct nereus_layout *layout;
};

/** A uniform, unbounded machine. @return NEREUS_ERR_ARGUMENT unless cores_per_node >= 1 */
enum nereus_status nereus_machine_uniform(int64_t cores_per_node, struct nereus_machine *machine,
                                          struct nereus_error *err);

/** One node with this many cores, no declared slots (this host). */
enum nereus_status nereus_machine_single(const char *name, int64_t cores,
                                         struct nereus_machine *machine, struct nereus_error *err);

/**
 * `nodes` equal nodes with this many cores ("node0", "node1", ...), no declared slots; 0: as many
 * as needed (uniform, unbounded). Thread-safe.
 * @param[out] machine  to be freed with nereus_machine_fini; written on success only
 * @return NEREUS_ERR_ARGUMENT unless nodes is 0 to NEREUS_EQUAL_NODES_MAX and cores_per_node >= 1;
 * NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_machine_equal_nodes(int64_t nodes, int64_t cores_per_node,
                                              struct nereus_machine *machine,
                                              struct nereus_error *err);

/**
 * From a text "name[:cores][@allocation],..." (cores default 1; "host/virtual:2" declares a virtual
 * node on a host; the allocation is "slurm:ID"). The cores are the declared slots. Errors name the
 * entry.
 */
enum nereus_status nereus_machine_from_text(const char *text, struct nereus_machine *machine,
                                            struct nereus_error *err);

/** From a host file: lines "name[:cores][@allocation]" and "cores_per_process N", blank lines and #
 * comments ignored. Errors name file and line. */
enum nereus_status nereus_machine_from_file(const char *path, struct nereus_machine *machine,
                                            struct nereus_error *err);

/** The node with this name; -1: there is none. */
int64_t nereus_machine_find(const struct nereus_machine *machine, const char *name);

/**
 * Append nodes, but for those that are there by name already.
 * @param[in]  gains   their cores are counted in single cores, whatever a process takes
 * @param[out] gained  how many were appended
 * @return NEREUS_ERR_ARGUMENT: a machine without a list of nodes, or a node too small for a process;
 *    NEREUS_ERR_MEMORY. The machine is unchanged then
 */
enum nereus_status nereus_machine_gain(struct nereus_machine *machine,
                                       const struct nereus_node *gains, int64_t count,
                                       int64_t *gained, struct nereus_error *err);

/** Cores that a process takes, at least 1. */
int64_t nereus_machine_per_process(const struct nereus_machine *machine);

/**
 * Each process takes this many cores: count a node's cores in these units; a remainder stays
 * unused. Slots derived from the cores are counted anew.
 * @return NEREUS_ERR_ARGUMENT below 1, or with the name of a node that has fewer cores; the machine
 * is unchanged then
 */
enum nereus_status nereus_machine_set_per_process(struct nereus_machine *machine,
                                                  int64_t cores_per_process,
                                                  struct nereus_error *err);

/** A deep copy. */
enum nereus_status nereus_machine_copy(const struct nereus_machine *machine,
                                       struct nereus_machine *copy, struct nereus_error *err);

/** Free what a machine owns; the struct itself belongs to the caller. A zeroed machine is fine. */
void nereus_machine_fini(struct nereus_machine *machine);

/** Cores of node index (0-based). For an unbounded machine the same for every index. */
int64_t nereus_machine_cores(const struct nereus_machine *machine, int64_t node);

/** All cores of a finite machine; INT64_MAX for an unbounded one. */
int64_t nereus_machine_total_cores(const struct nereus_machine *machine);

/** Nodes in use by n compactly placed processes (n >= 0). O(log nodes) or better for unbounded,
 * O(nodes) for finite. */
int64_t nereus_machine_nodes_used(const struct nereus_machine *machine, int64_t n);

/** Is that one node at most? With a layout: are all its processes, before and after, on one? */
bool nereus_machine_on_one_node(const struct nereus_machine *machine, int64_t n);

/** How many of the processes first .. first + n - 1 (ranks in compact placement) are on a node. */
int64_t nereus_machine_processes_on(const struct nereus_machine *machine, int64_t first, int64_t n,
                                    int64_t node);

/**
 * Spread placement: one process to each node in turn, as long as nodes have cores left.
 * @param[in]  machine  with a list of nodes
 * @param[out] on_node  processes of each node, node_count of them
 * @return NEREUS_ERR_ARGUMENT: there are more processes than cores
 */
enum nereus_status nereus_machine_spread(const struct nereus_machine *machine, int64_t processes,
                                         int64_t *on_node, struct nereus_error *err);

/** The node of a rank in compact placement. */
int64_t nereus_machine_node_of(const struct nereus_machine *machine, int64_t rank);

/**
 * Check a size: n >= 1, and n <= slots where slots are declared (NEREUS_ERR_ARGUMENT with a
 * sentence that names `what`, e.g. "--nt").
 */
enum nereus_status nereus_machine_check_size(const struct nereus_machine *machine, const char *what,
                                             int64_t n, struct nereus_error *err);

/**
 * The same for a size that will be started: without declared slots also n <=
 * NEREUS_UNDECLARED_PER_CORE per core of a finite machine.
 */
enum nereus_status nereus_machine_check_start(const struct nereus_machine *machine,
                                              const char *what, int64_t n,
                                              struct nereus_error *err);

/** n compactly placed processes exceed the cores of a node somewhere. */
bool nereus_machine_oversubscribed(const struct nereus_machine *machine, int64_t n);

/**
 * Features of a placement of new processes among old ones (docs/model.md). Computed node by node
 * for finite machines, in closed form for unbounded ones; both agree. C: all cores of a node, also
 * where a process takes several of them (P = cores_per_process).
 */
struct nereus_load {
    int64_t new_processes; /**< all new ones */
    int64_t new_per_node;  /**< k: most new processes on one node */
    int64_t new_nodes;     /**< n_c: nodes that receive new processes */
    int64_t old_nodes;     /**< nodes of the sources */
    int64_t target_nodes;  /**< nodes of the targets */
    int64_t shared_nodes;  /**< nodes that hold old and new processes together */
    double fill;           /**< k / C of the node with most new processes */
    double load; /**< l: max over nodes with new processes of (old + new) / C; 0 without any */
    /** L_all: max over nodes with sources of (2 old + new) / C: an auxiliary thread on every
     * source; if P > 1 of (P old + new) / C, as the thread has one of the source's cores */
    double load_all;
    double load_root; /**< L_root: the same with one thread on the root alone, max over nodes */
    /** l_1: as l with the root as the only old process: max over nodes with new processes of (root
     * + new) / C */
    double load_root_only;
    /** l where the sources go on computing, with a thread on each of their cores: max over nodes
     * with new processes of (P old + new) / C */
    double load_busy;
};

/** A placement: NS old processes compactly from rank 0, new ones after or beside them. On a machine
 * with a layout the new processes are those that its nodes lack, in the order of the nodes. */
struct nereus_placement {
    int64_t old_processes;
    int64_t first_new; /**< compact rank of the first new process: 0 for baseline, NS for merge */
    int64_t new_processes; /**< may be 0 */
    int64_t targets;
    bool respawn; /**< by a layout, all targets are new, numbered from 0 on */
};
void nereus_placement_load(const struct nereus_machine *machine,
                           const struct nereus_placement *placement, struct nereus_load *load);

NEREUS_END_C
#endif
