/**
 * @file simulate.h
 * A discrete-event simulation of a cluster, in libnereus-simulate.
 *
 * Of events at one time, ends (of runs and resizes) come first, then repairs and failures of nodes,
 * then arrivals in the log's order, then one pass of the scheduler and one of the malleability
 * policy. Everything is deterministic and single-threaded.
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

#include "node_power.h"
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

/** A node fails, and is back after its repair. */
struct nereus_sim_failure {
    double time_s, repair_s;
    int32_t node;
};

/** What a job does when a node of it fails. */
enum nereus_sim_on_failure {
    NEREUS_SIM_END,     /**< end */
    NEREUS_SIM_REQUEUE, /**< wait at its old place in the queue, then go on */
    /** a malleable job with checkpoints goes on at once, on the nodes left if they are enough for
     * it; others wait */
    NEREUS_SIM_RESTART
};
extern const char *const nereus_sim_on_failure_names[];

/**
 * Failures of nodes. A job goes on from its last checkpoint; without one it starts again.
 * Checkpoints stop the job while they are written.
 */
struct nereus_sim_failures {
    double mtbf_s; /**< mean time between failures of a node (Poisson process); 0: unknown */
    double repair_s;
    int64_t seed;
    const struct nereus_sim_failure *list; /**< in order of time; NULL: drawn, by mtbf_s */
    int64_t count;
    enum nereus_sim_on_failure on_failure;
    int64_t restarts; /**< most restarts of a job */
    /** Computing time between two checkpoints; 0: none, INFINITY: by Daly (checkpoint.h), which
     * needs mtbf_s. */
    double interval_s;
    const struct nereus_profile *profile; /**< prices of checkpoints; NULL without them */
};

/**
 * Read failures from CSV with the columns time_s and node (from 0), and repair_s if wanted.
 * @param[in]  repair_s  of rows without repair_s
 * @param[out] list      to be freed; in order of time
 * @param[out] count     length of the list
 * @return NEREUS_ERR_IO, NEREUS_ERR_PARSE, NEREUS_ERR_MEMORY
 */
enum nereus_status nereus_sim_failures_read(const char *path, int32_t nodes, double repair_s,
                                            struct nereus_sim_failure **list, int64_t *count,
                                            struct nereus_error *err);

/** What a batch system adds to waits and runs, in seconds; all 0: nothing. */
struct nereus_sim_latency {
    /** from a submission until its job can start, on free nodes; also of nodes for an expansion */
    double submit_s;
    double
        next_s; /**< from the end of a job's program, or of a shrink, until others can have nodes */
    double job_s;   /**< what a job's program takes in addition: its start and its end */
    double round_s; /**< time between two rounds of the policy; 0: it acts at each event */
};

struct nereus_sim_settings {
    struct nereus_sim_machine machine;
    struct nereus_sim_latency latency;
    const struct nereus_sim_scheduler *scheduler;
    const struct nereus_sim_policy *policy;     /**< NULL: no job is resized */
    struct nereus_resize_prices *prices;        /**< NULL: no job is resized */
    const struct nereus_sim_failures *failures; /**< NULL: no node fails */
    /** polled before each event; true: stop; NULL: never */
    int (*interrupted)(void);
    /** called after each change of a job's nodes; may be NULL */
    void (*on_change)(void *user, const struct nereus_sim *sim, int32_t job);
    void *user;
};

/**
 * Run jobs that nereus_workload_prepare has prepared, and write their results into the workload.
 * @param[in,out] workload     gets the results
 * @param[out]    interrupted  whether settings->interrupted stopped it
 * @return NEREUS_ERR_MEMORY; NEREUS_ERR_STATE if jobs were never started (an error of the
 *         scheduler); NEREUS_ERR_NO_BASIS: the profile has no price of a restart
 */
enum nereus_status nereus_simulate(const struct nereus_sim_settings *settings,
                                   struct nereus_workload *workload, bool *interrupted,
                                   struct nereus_error *err);

/** What failures cost. Node-hours that jobs held are the sum of useful_h to unfinished_h and of
 * those in resizes. */
struct nereus_sim_losses {
    int64_t failures;    /**< number of failures of nodes */
    int64_t losses;      /**< number of those that hit a node of a job */
    int64_t unfinished;  /**< jobs that did not end */
    double all_h;        /**< node-hours of the makespan */
    double useful_share; /**< useful_h / all_h */
    double useful_h;     /**< node-hours of computing that was not lost */
    double redone_h;     /**< computing that was lost, and done again */
    double checkpoint_h; /**< in which checkpoints were written */
    double restart_h;    /**< in which jobs started and read a checkpoint */
    double unfinished_h; /**< held by jobs that did not end */
    double down_h;       /**< in repair */
};

struct nereus_sim_summary {
    int64_t jobs, malleable; /**< numbers of jobs that ended */
    int64_t resizes;
    double makespan_s; /**< from the first submission to the last end of a job, or giving up */
    double mean_wait_s, mean_turnaround_s;
    double mean_bounded_slowdown; /**< mean of turnaround / max(run time, 10 s) */
    double utilisation;           /**< node-seconds allocated / node-seconds of the makespan */
    double reconfiguration_node_hours;
    double energy_kwh; /**< energy of all nodes but those in repair; NAN: unknown power */
    struct nereus_sim_losses losses; /**< if no node can fail zero but all_h */
};
/**
 * Sums over jobs. Of jobs that have not ended only their node-seconds, and giving up, are counted.
 * @param[in]  power    NULL: unknown
 * @param[out] summary  all members
 */
void nereus_sim_summarise(const struct nereus_workload *workload, int32_t nodes,
                          const struct nereus_node_power *power,
                          struct nereus_sim_summary *summary);

NEREUS_END_C
#endif
