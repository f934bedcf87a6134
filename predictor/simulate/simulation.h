/**
 * @file simulation.h
 * A discrete-event simulation of a cluster.
 *
 * Of events at one time, ends (of runs and resizes) come first, then arrivals in the log's order,
 * then one pass of the scheduler and one of the malleability policy. Everything is deterministic
 * and single-threaded.
 */
#ifndef NEREUS_SIMULATE_SIMULATION_H
#define NEREUS_SIMULATE_SIMULATION_H

#include "cluster.h"
#include "events.h"
#include "running.h"
#include "workload.h"

struct nereus_sim;
struct nereus_resize_prices;

/** A scheduler, in a file schedule_NAME.c; schedulers.c has the table. */
struct nereus_scheduler {
    const char *name;
    const char *help; /**< one line */
    /** start jobs of the queue with nereus_sim_start() */
    enum nereus_status (*pass)(struct nereus_sim *sim, struct nereus_error *err);
    void (*fini)(struct nereus_sim *sim); /**< frees sim->plan; NULL: nothing to free */
};

/** A malleability policy, in a file policy_NAME.c; policies.c has the table. */
struct nereus_policy {
    const char *name;
    const char *help; /**< one line */
    /** resize running jobs with nereus_sim_resize(); NULL: none */
    void (*pass)(struct nereus_sim *sim);
};

enum { NEREUS_SCHEDULERS_MAX = 16, NEREUS_POLICIES_MAX = 16 };
/** Both tables, and their names for options, ended by NULL. */
extern const struct nereus_scheduler *const nereus_schedulers[];
extern const char *const nereus_scheduler_names[];
extern const struct nereus_policy *const nereus_policies[];
extern const char *const nereus_policy_names[];

struct nereus_sim_settings {
    struct nereus_sim_machine machine;
    const struct nereus_scheduler *scheduler;
    const struct nereus_policy *policy;  /**< NULL: no job is resized */
    struct nereus_resize_prices *prices; /**< NULL: no job is resized */
    /** true: end before the next event; NULL: never */
    int (*interrupted)(void);
    /** called after each change of a job's nodes; NULL: not */
    void (*on_change)(void *user, const struct nereus_sim *sim, int32_t job);
    void *user;
};

struct nereus_sim {
    const struct nereus_sim_settings *settings;
    struct nereus_sim_job *jobs; /**< of the workload */
    int64_t job_count, arrived, ended;
    double now_s;
    struct nereus_cluster cluster;
    struct nereus_events events;
    struct nereus_running running;
    int32_t first_queued, last_queued; /**< waiting jobs, in order of arrival */
    int32_t coming_free;               /**< nodes that shrinks under way will give back */
    /** an estimated end has changed since the scheduler last cleared this */
    bool estimates_changed;
    void *plan;       /**< the scheduler's own */
    int32_t *scratch; /**< room for a job a node, for policies */
    bool interrupted;
};

/**
 * Run jobs that nereus_workload_prepare has prepared, and write their results into the workload.
 * @return NEREUS_ERR_MEMORY; NEREUS_ERR_STATE if jobs were never started (a fault of the scheduler)
 */
enum nereus_status nereus_simulate(const struct nereus_sim_settings *settings,
                                   struct nereus_workload *workload, bool *interrupted,
                                   struct nereus_error *err);

/* --- for schedulers --- */

/** Start a waiting job that fits, on the nodes that it asked for. */
void nereus_sim_start(struct nereus_sim *sim, int32_t job);
/** Does a waiting job fit into the free nodes? */
bool nereus_sim_fits(const struct nereus_sim *sim, int32_t job);

/* --- for policies --- */

/**
 * Begin to resize a running job at its next iteration. An expansion takes its nodes at once, a
 * shrink gives them back when it is complete; between the iteration and that, the job waits.
 * @return false, and nothing is done: no iteration follows, no price, or an expansion that would
 *    end the job later than no expansion
 */
bool nereus_sim_resize(struct nereus_sim *sim, int32_t job, int32_t nodes);

/** Running malleable jobs that no resize is under way for, latest estimated end first, in
 * sim->scratch. @return how many */
int32_t nereus_sim_malleable(struct nereus_sim *sim);

/** Nodes that the first waiting job lacks, without those that are coming free; 0: none waits. */
int32_t nereus_sim_lacking(const struct nereus_sim *sim);

/** Work a second on so many nodes, by Amdahl's law; 1 on those asked for. */
double nereus_sim_rate(const struct nereus_sim *sim, const struct nereus_sim_job *job,
                       int32_t nodes);

#endif
