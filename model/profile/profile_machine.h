/**
 * @file profile_machine.h
 * Compares the nodes of a profile's measured rows with those of a question, so that rows are used
 * only for questions about the same nodes. Private to model/.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/layout.h"
#include "nereus/profile.h"

/** Kind of nodes of a measured row or of a question. */
struct nereus_nodes_key {
    /** as in struct nereus_measurement; -1: unequal nodes that were not measured */
    int64_t machine;
    int64_t cores_per_node;    /**< cores of the largest node, in units of cores_per_process */
    int64_t cores_per_process; /**< 0: one */
};

/** @return the key of the nodes that the first n processes fill */
struct nereus_nodes_key nereus_profile_nodes(const struct nereus_profile *profile,
                                             const struct nereus_machine *machine, int64_t n);

static inline struct nereus_nodes_key nereus_measurement_nodes(const struct nereus_measurement *m)
{
    const int64_t each = m->cores_per_process;
    return each > 1 ? (struct nereus_nodes_key){m->machine, m->cores_per_node / each, each}
                    : (struct nereus_nodes_key){m->machine, m->cores_per_node, 0};
}

static inline bool nereus_nodes_equal(struct nereus_nodes_key a, struct nereus_nodes_key b)
{
    return a.machine == b.machine && a.cores_per_node == b.cores_per_node &&
           a.cores_per_process == b.cores_per_process;
}

/** @return cores of the first node that was not measured, among the nodes of n processes; 0: all
 * were measured */
int64_t nereus_profile_unknown_node(const struct nereus_profile *profile,
                                    const struct nereus_machine *machine, int64_t n);

/**
 * @param node  memory for that node
 * @return a machine of equal nodes, as many as needed; one node if oversubscribed
 */
struct nereus_machine nereus_row_machine(int64_t cores_per_node, int64_t cores_per_process,
                                         bool oversubscribed, struct nereus_node *node);

/**
 * @param node  memory for one node
 * @return the machine of a row, which must not be freed
 */
struct nereus_machine nereus_measurement_machine(const struct nereus_profile *profile,
                                                 const struct nereus_measurement *row,
                                                 struct nereus_node *node);

/** Add a list of unequal nodes.
 * @param cores  cores of each node */
enum nereus_status nereus_profile_add_machine(struct nereus_profile *profile, const int64_t *cores,
                                              int64_t count, struct nereus_error *err);

void nereus_profile_free_machines(struct nereus_profile *profile);
