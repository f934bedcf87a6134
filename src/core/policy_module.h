/**
 * @file policy_module.h
 * options.policy or NEREUS_POLICY=FILE: rank 0 calls a policy before each sampling interval, which
 * decides whether the job should have other processes (docs/policies.md).
 */
#pragma once

#include "src/job/job.h"

/** Processes by node, for nereus_request_layout. */
struct policy_layout {
    int64_t count;
    const char *nodes[LAYOUT_MAX]; /**< the job's */
    int64_t processes[LAYOUT_MAX];
    bool weighted; /**< nodes differ in power: distribute data by it */
};

/** Interface of libnereus-runtime-policy (src/policy_module), found as the symbol
 * nereus_policy_module. A separate library, so that only jobs with a policy load GLPK. */
struct policy_module {
    enum nereus_status (*check)(const char *path, bool has_function, int64_t *interval,
                                struct nereus_error *err);
    void (*begin)(nereus_job *job);
    int64_t (*query_if_due)(nereus_job *job, struct policy_layout *layout);
    double (*power_of_node)(const nereus_job *job, int64_t node);
    void (*fini)(nereus_job *job);
};
/** The symbol of the library, which is found by its name and not linked. */
extern const struct policy_module nereus_policy_module;

/** Load the library, read and check the file. Local; called in nereus_init of the initial
 * processes.
 * @param      has_function  options.decide is given
 * @param[out] interval      iterations between questions, of a policy that uses measurements; else
 *     0 */
enum nereus_status nereus_policy_module_check(const char *path, bool has_function,
                                              int64_t *interval, struct nereus_error *err);
/** Local: at the first point, and when rank 0 is another process. Rank 0 calls the policy from now
 * on. */
void nereus_policy_module_begin(nereus_job *job);
/** Rank 0, at a point: if an interval is over, call the policy.
 * @param[out] layout  nodes of the processes; count 0: default placement
 * @return the wanted number of processes; 0: no change */
int64_t nereus_policy_module_query(nereus_job *job, struct policy_layout *layout);
/** Rank 0: power of a process on a node of the job's machine, by the class of the node; 0: there is
 * no policy with several classes, or the node is of none. */
double nereus_policy_module_power(const nereus_job *job, int64_t node);
/** Rank 0: stop calling the policy, and log why. */
void nereus_policy_module_disable(nereus_job *job, const char *why);
/** Free the policy. */
void nereus_policy_module_fini(nereus_job *job);
