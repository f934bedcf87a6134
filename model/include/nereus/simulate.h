/**
 * @file simulate.h
 * A discrete-event simulation of a cluster, in libnereus-simulate.
 *
 * Of events at one time, ends (of runs and resizes) come first, then arrivals in the log's order,
 * then one pass of the scheduler and one of the malleability policy. Everything is deterministic
 * and single-threaded.
 *
 *     struct nereus_workload workload;
 *     nereus_workload_read("log.swf", &workload, &err);
 *     nereus_workload_prepare(&workload, &settings.machine, &err);
 *     nereus_simulate(&settings, &workload, &interrupted, &err);
 *     nereus_sim_summarise(&workload, settings.machine.nodes, NULL, &summary);
 *     nereus_workload_fini(&workload);
 */
#ifndef NEREUS_SIMULATE_H
#define NEREUS_SIMULATE_H

#include <stdbool.h>
#include <stdint.h>

#include "resize_price.h"
#include "status.h"
#include "workload.h"

NEREUS_BEGIN_C

struct nereus_sim;

/** A scheduler, in a file schedule_NAME.c; schedulers.c has the table. */
struct nereus_sim_scheduler {
    const char *name;
    /** start jobs of the queue with nereus_sim_start() */
    enum nereus_status (*pass)(struct nereus_sim *sim, struct nereus_error *err);
    void (*fini)(struct nereus_sim *sim); /**< frees sim->plan; NULL: nothing to free */
};

/** A malleability policy, in a file policy_NAME.c; policies.c has the table. */
struct nereus_sim_policy {
    const char *name;
    /** resize running jobs with nereus_sim_resize(); NULL: none */
    void (*pass)(struct nereus_sim *sim);
};

enum { NEREUS_SCHEDULERS_MAX = 16, NEREUS_POLICIES_MAX = 16 };
/** Tables of schedulers and policies, and their names; each ends with NULL. */
extern const struct nereus_sim_scheduler *const nereus_sim_schedulers[];
extern const char *const nereus_sim_scheduler_names[];
extern const struct nereus_sim_policy *const nereus_sim_policies[];
extern const char *const nereus_sim_policy_names[];

struct nereus_sim_settings {
    struct nereus_sim_machine machine;
    const struct nereus_sim_scheduler *scheduler;
    const struct nereus_sim_policy *policy; /**< NULL: no job is resized */
    struct nereus_resize_prices *prices;    /**< NULL: no job is resized */
    /** polled before each event; true: stop; NULL: never */
    int (*interrupted)(void);
    /** called after each change of a job's nodes; may be NULL */
    void (*on_change)(void *user, const struct nereus_sim *sim, int32_t job);
    void *user;
};

/**
 * Run jobs that nereus_workload_prepare has prepared, and write their results into the workload.
 * @return NEREUS_ERR_MEMORY; NEREUS_ERR_STATE if jobs were never started (an error of the
 *         scheduler)
 */
enum nereus_status nereus_simulate(const struct nereus_sim_settings *settings,
                                   struct nereus_workload *workload, bool *interrupted,
                                   struct nereus_error *err);

/** Power of a node. */
struct nereus_sim_power {
    double busy_w, idle_w; /**< watts of an allocated node, and of a free one */
};

struct nereus_sim_summary {
    int64_t jobs, malleable; /**< numbers of jobs that ended */
    int64_t resizes;
    double makespan_s; /**< from the first submission to the last end */
    double mean_wait_s, mean_turnaround_s;
    double mean_bounded_slowdown; /**< mean of turnaround / max(run time, 10 s) */
    double utilisation;           /**< node-seconds allocated / node-seconds of the makespan */
    double reconfiguration_node_hours;
    double energy_kwh; /**< of all nodes over the makespan; NAN: unknown power */
};
/** Jobs that have not ended are not counted. @param power  NULL: unknown */
void nereus_sim_summarise(const struct nereus_workload *workload, int32_t nodes,
                          const struct nereus_sim_power *power, struct nereus_sim_summary *summary);

NEREUS_END_C
#endif
