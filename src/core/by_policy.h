/*
 * options.policy or NEREUS_POLICY=FILE: rank 0 asks a policy before each sampling interval whether
 * the job should have other processes (docs/policy.md). Private to src/.
 */
#ifndef NEREUS_SRC_BY_POLICY_H
#define NEREUS_SRC_BY_POLICY_H

#include "src/job/job.h"

/* Processes by node, for nereus_request_layout. */
struct policy_layout {
    int64_t count;
    const char *nodes[LAYOUT_MAX]; /* the job's */
    int64_t processes[LAYOUT_MAX];
};

/* What libnereus-runtime-policy has (src/policy), as nereus_policy_module: a library of its own, as
 * it brings GLPK, which jobs without a policy do without. */
struct policy_module {
    enum nereus_status (*check)(const char *path, bool has_function, int64_t *interval,
                                struct nereus_error *err);
    void (*begin)(nereus_job *job);
    int64_t (*look)(nereus_job *job, struct policy_layout *layout);
    void (*fini)(nereus_job *job);
};
extern const struct policy_module nereus_policy_module; /* found by its name, not linked */

/* At nereus_init of the first processes: load the library, read and check the file. Local.
 * @param      has_function  options.decide is given
 * @param[out] interval  iterations from one question to the next, of a policy that goes by what
 *                       was measured; else 0 */
enum nereus_status nereus_by_policy_check(const char *path, bool has_function, int64_t *interval,
                                          struct nereus_error *err);
/* Local: at the first point, and where rank 0 has become another process. Rank 0 asks from here on. */
void nereus_by_policy_begin(nereus_job *job);
/* Rank 0, at a point: is an interval over, and what does the policy want?
 * @param[out] layout  where they are to be; count 0: as always
 * @return the number of processes; 0: nothing changes */
int64_t nereus_by_policy_look(nereus_job *job, struct policy_layout *layout);
/* The job asks no longer; why is said. Rank 0. */
void nereus_by_policy_off(nereus_job *job, const char *why);
void nereus_by_policy_fini(nereus_job *job);

#endif
