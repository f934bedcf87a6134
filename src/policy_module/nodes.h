/**
 * @file nodes.h
 * Finds the node classes of a policy in the machine of a running job: the key `hosts` of a class
 * names its nodes.
 */
#pragma once

#include "nereus/policy.h"
#include "src/core/policy_module.h"

/** Rank 0: check that processes are where the host file says, and that it has all hosts of the
 * classes. */
enum nereus_status nereus_policy_nodes_check(const nereus_job *job,
                                             const struct nereus_policy_settings *policy,
                                             struct nereus_error *err);
/** Rank 0: processes of each class, and how many fit its nodes; released nodes count as none.
 * @param[out] model  `most` of its classes
 * @return NEREUS_ERR_STATE: there are processes on a node of no class */
enum nereus_status nereus_policy_nodes_count(const nereus_job *job,
                                             const struct nereus_policy_settings *policy,
                                             struct nereus_computational_model *model,
                                             struct nereus_allocation *now,
                                             struct nereus_error *err);

/** Class of a node of the job's machine; -1: none. Without `hosts` all nodes are of the first. */
int nereus_policy_nodes_class(const nereus_job *job, const struct nereus_policy_settings *policy,
                              int64_t node);

/** Rank 0: choose nodes for this many processes of each class. Additions fill the nodes of a class
 * in the order of its hosts; removals begin with the last node.
 * @return NEREUS_ERR_ARGUMENT: more than LAYOUT_MAX nodes */
enum nereus_status nereus_policy_nodes_lay_out(const nereus_job *job,
                                               const struct nereus_policy_settings *policy,
                                               const struct nereus_allocation *wanted_allocation,
                                               struct policy_layout *layout,
                                               struct nereus_error *err);
