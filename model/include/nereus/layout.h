/**
 * @file layout.h
 * Describes machines (nodes and their cores) and the placement of processes.
 *
 * Compact placement: rank r is on the first node whose cumulated cores exceed r (Martín-Álvarez et
 * al. (2024a), section 4.2, ceil(n / C) nodes). A machine is uniform and unbounded (C cores per
 * node, as many nodes as needed), or a list of nodes. Processes above the cores of a list are
 * placed in further compact rounds over all nodes: they are oversubscribed.
 */
#ifndef NEREUS_LAYOUT_H
#define NEREUS_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

NEREUS_BEGIN_C

enum { NEREUS_NODE_NAME_MAX = 64, NEREUS_ALLOCATION_MAX = 48 };

/** Limit of processes per core without declared slots; more are taken for a typing error. */
enum { NEREUS_UNDECLARED_PER_CORE = 64 };

enum { NEREUS_EQUAL_NODES_MAX = 1 << 20 };

struct nereus_node {
    char name[NEREUS_NODE_NAME_MAX];
    int64_t cores; /**< in units of the machine's cores_per_process */
    /** Slurm allocation that the node belongs to, "slurm:1234"; "": the job's own */
    char allocation[NEREUS_ALLOCATION_MAX];
};

/** A placement that is not compact: number of processes on each node (Martín-Álvarez et al. (2025),
 * section 4.2, vectors R and A). */
struct nereus_layout {
    const int64_t *sources;       /**< active sources; rank 0 is on the first node that has any */
    const int64_t *woken_zombies; /**< zombies that a merge wakes */
    const int64_t *targets;       /**< targets */
};

/** Nodes and their cores. With cores_per_process > 1, `cores`, `cores_per_node` and `slots` are
 * counted in units of cores_per_process, so that placements, loads and prices need no division. */
struct nereus_machine {
    int64_t cores_per_process; /**< 0 is the same as 1 */
    int64_t cores_per_node;    /**< cores of every node; with a list: of the largest node */
    int64_t node_count;        /**< 0: uniform and unbounded */
    /** owned; NULL when node_count is 0 */
    struct nereus_node *nodes;
    /** declared by a host file or --slots; 0: none */
    int64_t slots;
    /** the job has had more than one host, so that nodes are printed by name; set by the runtime */
    bool had_several_hosts;
    /** for one reconfiguration; the caller's, not copied. NULL: compact placement */
    const struct nereus_layout *layout;
};

/**
 * Make a uniform and unbounded machine.
 * @param[out] machine  owns nothing
 * @return NEREUS_ERR_ARGUMENT unless cores_per_node >= 1
 */
enum nereus_status nereus_machine_uniform(int64_t cores_per_node, struct nereus_machine *machine,
                                          struct nereus_error *err);

/**
 * Make a machine of one node, without declared slots.
 * @param[out] machine  to be freed with nereus_machine_fini
 * @return NEREUS_ERR_ARGUMENT, NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_machine_single(const char *name, int64_t cores,
                                         struct nereus_machine *machine, struct nereus_error *err);

/**
 * Make a machine of equal nodes "node0", "node1", ..., at most NEREUS_EQUAL_NODES_MAX, without
 * declared slots; 0 nodes: uniform and unbounded.
 * @param[out] machine  to be freed with nereus_machine_fini
 * @return NEREUS_ERR_ARGUMENT, NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_machine_equal_nodes(int64_t nodes, int64_t cores_per_node,
                                              struct nereus_machine *machine,
                                              struct nereus_error *err);

/**
 * Make a machine from "name[:cores][@allocation],..." (cores default 1; "host/virtual:2" is a
 * virtual node of a host; the allocation is "slurm:ID"). The cores are the declared slots.
 * @param[out] machine  to be freed with nereus_machine_fini
 * @return NEREUS_ERR_PARSE, NEREUS_ERR_ARGUMENT, NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_machine_from_text(const char *text, struct nereus_machine *machine,
                                            struct nereus_error *err);

/**
 * Make a machine from a host file: lines "name[:cores][@allocation]" and "cores_per_process N"; #
 * begins a comment.
 * @param[out] machine  to be freed with nereus_machine_fini
 * @return as nereus_machine_from_text; NEREUS_ERR_IO
 */
enum nereus_status nereus_machine_from_file(const char *path, struct nereus_machine *machine,
                                            struct nereus_error *err);

/** Index of a node by name; -1: unknown name. */
int64_t nereus_machine_find(const struct nereus_machine *machine, const char *name);

/**
 * Append nodes, except those with a known name; on an error none is appended.
 * @param[in,out] machine  has the nodes on success
 * @param[in]     gains    their `cores` are single cores
 * @param[out]    gained   number of nodes that were appended
 * @return NEREUS_ERR_ARGUMENT: no list of nodes, or a node too small for a process
 */
enum nereus_status nereus_machine_add_nodes(struct nereus_machine *machine,
                                            const struct nereus_node *gains, int64_t count,
                                            int64_t *gained, struct nereus_error *err);

/** cores_per_process, at least 1. */
int64_t nereus_machine_cores_per_process(const struct nereus_machine *machine);

/**
 * Set the cores per process; the remainder of a node's cores is unused. Slots that are derived from
 * cores are recalculated.
 * @param[in,out] machine  its cores and slots change
 * @return NEREUS_ERR_ARGUMENT, with the machine unchanged, for values below 1 or above the cores of
 *         a node
 */
enum nereus_status nereus_machine_set_per_process(struct nereus_machine *machine,
                                                  int64_t cores_per_process,
                                                  struct nereus_error *err);

/**
 * Copy a machine, without its `layout`.
 * @param[out] copy  to be freed with nereus_machine_fini
 * @return NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_machine_copy(const struct nereus_machine *machine,
                                       struct nereus_machine *copy, struct nereus_error *err);

/** Free what a machine owns. A zeroed machine is allowed. */
void nereus_machine_fini(struct nereus_machine *machine);

/** Cores of a node, in units of cores_per_process. */
int64_t nereus_machine_cores(const struct nereus_machine *machine, int64_t node);

/** Cores of all nodes; INT64_MAX for an unbounded machine. */
int64_t nereus_machine_total_cores(const struct nereus_machine *machine);

/** Nodes in use by n compactly placed processes; O(nodes) for a list, else O(1). */
int64_t nereus_machine_count_nodes(const struct nereus_machine *machine, int64_t n);

/** Are n compactly placed processes on one node? With a layout: all processes, before and after? */
bool nereus_machine_is_one_node(const struct nereus_machine *machine, int64_t n);

/** Number of the n ranks from first on that are on a node. */
int64_t nereus_machine_node_processes(const struct nereus_machine *machine, int64_t first,
                                      int64_t n, int64_t node);

/**
 * Cyclic placement: one process per node in turn, while nodes have free cores.
 * @param[out] on_node  processes of each of the node_count nodes
 * @return NEREUS_ERR_ARGUMENT: more processes than cores
 */
enum nereus_status nereus_machine_spread(const struct nereus_machine *machine, int64_t processes,
                                         int64_t *on_node, struct nereus_error *err);

/** Node of a compactly placed rank. */
int64_t nereus_machine_node_of(const struct nereus_machine *machine, int64_t rank);

/**
 * Check 1 <= n <= declared slots.
 * @param[in] what  begins the error message: "--nt"
 * @return NEREUS_ERR_ARGUMENT
 */
enum nereus_status nereus_machine_check_size(const struct nereus_machine *machine, const char *what,
                                             int64_t n, struct nereus_error *err);

/**
 * As nereus_machine_check_size; without declared slots also n <= NEREUS_UNDECLARED_PER_CORE per
 * core.
 * @return NEREUS_ERR_ARGUMENT
 */
enum nereus_status nereus_machine_check_start(const struct nereus_machine *machine,
                                              const char *what, int64_t n,
                                              struct nereus_error *err);

/** Do n compactly placed processes exceed the cores of a node? */
bool nereus_machine_is_oversubscribed(const struct nereus_machine *machine, int64_t n);

/** Features of a placement of old and new processes for the cost model (docs/model.md); counted
 * over a list of nodes, in closed form on an unbounded machine. C: all cores of a node; P:
 * cores_per_process. */
struct nereus_load {
    int64_t new_processes;
    int64_t new_per_node; /**< k: most new processes on one node */
    int64_t new_nodes;    /**< n_c: nodes that receive new processes */
    int64_t old_nodes;    /**< nodes of the sources */
    int64_t target_nodes; /**< nodes of the targets */
    int64_t shared_nodes; /**< nodes with both old and new processes */
    double fill;          /**< k / C of the node with most new processes */
    double core_load; /**< l: max over nodes with new processes of (old + new) / C; 0 without any */
    /** L_all: max over nodes with sources of (2 old + new) / C, as each source has an auxiliary
     * thread; with P > 1, (P old + new) / C, as the thread uses a core of its source */
    double load_all;
    double load_root; /**< L_root: as L_all, but only the root has a thread */
    /** l_1: as l with the root as the only old process */
    double load_root_only;
    /** as l, for sources that compute with a thread on each of their cores: (P old + new) / C */
    double load_busy;
};

/** A placement: old processes are placed compactly from rank 0, new ones from compact rank
 * first_new on. With a layout, new processes fill each node up to `targets`, in the order of the
 * nodes. */
struct nereus_placement {
    int64_t old_processes;
    int64_t first_new; /**< compact rank of the first new process: 0 for baseline, NS for merge */
    int64_t new_processes; /**< may be 0 */
    int64_t targets;
    bool respawn; /**< with a layout: all targets are new (baseline) */
};
/**
 * Compute the features of a placement.
 * @param[out] load  all members
 */
void nereus_placement_find_load(const struct nereus_machine *machine,
                                const struct nereus_placement *placement, struct nereus_load *load);

NEREUS_END_C
#endif
