/** @file job.h  Describes the job in one process: data shared by the components above. */
#pragma once

#include <mpi.h>

#include "consensus.h"
#include "external_records.h"
#include "nereus/goal.h"
#include "nereus/jobstate.h"
#include "nereus/layout.h"
#include "nereus/nereus.h"
#include "nereus/sizes.h"
#include "report.h"
#include "request.h"
#include "src/link/zombie.h"
#include "src/move/registry.h"
#include "src/util/error.h"
#include "src/util/monitor_setting.h"
#include "src/util/process_settings.h"

enum { SIZES_SEEN_MAX = 8 };

/** Rank 0: measured iteration times, by size. */
struct iteration_times {
    int64_t count, sizes[SIZES_SEEN_MAX];
    double t_iter_s[SIZES_SEEN_MAX];
};

/** State of a policy between two questions (core/policy_module.c). Plain data. */
struct policy_state {
    double began_s, goal_s; /**< start, by steady clock; goal, in seconds since then. 0: not set */
    double lambda;          /**< latest measured lambda of communication; 0: not measured */
    int64_t next_point, cool_down;
};

struct checkpoint_writing;
struct write_behind;

/** Times at which checkpoints are written at points. Plain data; times by the steady clock. */
struct checkpoint_interval {
    bool automatic; /**< every_s follows from cost_s and mtbf_s */
    double every_s; /**< 0: only when the program calls nereus_checkpoint */
    double mtbf_s;  /**< mean time between failures of the job */
    /** time for which the latest checkpoint has stopped the application; 0: none yet */
    double cost_s;
    double took_s; /**< whole time of the latest checkpoint, including the overlapped part */
    /** Time from which every_s counts: the end of the latest attempt (overlapped: the time of its
     * copies), or the start of the job; 0: the first checkpoint is due now */
    double last_s;
    bool overlapped; /**< NEREUS_CHECKPOINT_OVERLAP */
};

/** A checkpoint that is written while the application computes (core/checkpoints.c). */
struct overlapped_checkpoint {
    struct checkpoint_writing *writing; /**< NULL: none */
    struct write_behind *write_behind;  /**< ranges that are written; kept for the next checkpoint;
                                         * NULL: none yet */
    /** not rank 0: send of the report that this process has written */
    MPI_Request report_request;
    /** rank 0: number of received reports, at most one of each other process; others: number of
     * sent ones */
    int64_t reports;
    double next_poll_s; /**< MPI is not polled before this time */
};

/** Options of nereus_init, sent to new processes. See nereus_options. */
struct job_settings {
    struct nereus_method default_method;
    bool default_is_auto; /**< no default method was named, or auto */
    struct resize_request *schedule;
    int64_t schedule_count, schedule_next;
    unsigned char *user_state;
    int64_t user_state_bytes;
    char *program, *state_path;
    char **environment; /**< names, NULL-terminated; owned */
    double spawn_timeout_s, answer_timeout_s;
    bool bridge; /**< connect old and new processes without a port */
    bool bind_to_cores;
    bool keep_asleep; /**< NEREUS_KEEP_ASLEEP: keep worlds that consist only of zombies */
    int64_t batch, test_every;
    double imbalance;
    struct process_settings process;
    struct nereus_ranking ranking; /**< goal of the choice of methods by the model */
    const char *goal_name;         /**< as NEREUS_GOAL; static */
    int64_t iterations;            /**< malleability points until the end of the job; 0: unknown */
    char *profile, *scaling, *learn_path; /**< NULL: not given */
    struct iteration_times iteration_times;
    struct nereus_monitor_setting monitor;
    char *monitor_path;    /**< NULL: no file; monitoring may still be on */
    int64_t balance_every; /**< points between two load comparisons; 0: none */
    char *policy_path;     /**< NULL: none */
    struct policy_state policy;
    char *name, *folder;       /**< Name and folder of its socket (core/external.h); NULL: none */
    struct nereus_sizes sizes; /**< declared by the program */
    struct nereus_sizes sizes_outside; /**< NEREUS_SIZES; both restrictions apply */
    char *checkpoint_folder;           /**< absolute path; NULL: none */
    struct checkpoint_interval checkpoint;
};

/** A node that the machine has lost. Plain data. */
struct freed_node {
    int64_t change; /**< number of the machine change: `machine_changes` after it */
    struct nereus_node node;
};

/** Functions of the application: see nereus_options. */
struct job_callbacks {
    void (*before)(nereus_job *job, void *user);
    void (*after)(nereus_job *job, void *user);
    bool (*decide)(void *user, const struct nereus_policy_question *question,
                   struct nereus_allocation *wanted, char why[128]);
    void *user;
    struct nereus_mover mover; /**< move NULL: none */
};

struct grid_links;
struct reconfiguration;
struct nereus_watchdog;
struct method_chooser;
struct nereus_monitor;
struct policy_context;
struct nereus_external_requests;

/** The job in this process: the handle of the API. */
struct nereus_job {
    /* Identity of the job, and of this process in it. */

    uint64_t id; /**< number of the job: the same in all processes, unique among jobs; 0: not known
                  * yet */
    struct nereus_watchdog *watchdog; /**< link/watchdog.h; NULL: off */
    /** Communicators. `control` and `app`: the active processes in rank order. `pool`: all
     * connected processes, also zombies; equal to `control` while there are no zombies. */
    MPI_Comm pool, control, app;
    /** Communicator of this process alone, which returns errors: groups of a spawn tree are spawned
     * from it */
    MPI_Comm self;
    int rank, size;
    int64_t world; /**< id of this process' world in the job's state */

    /* Counters, the same in all processes. */

    int64_t points;           /**< malleability points passed; read by other threads, too */
    int64_t reconfigurations; /**< changes that were carried out */
    int64_t requests;         /**< number of the latest request */
    int64_t restarts;         /**< number of restarts of the job from a checkpoint */

    /* Stated by the program or its user. */

    struct job_settings settings;
    struct job_callbacks callbacks;
    int argc;
    char **argv; /**< main's, borrowed */

    /* What a reconfiguration changes: data, nodes, and where processes are. */

    struct registry registry;
    struct grid_links *grid_links; /**< grid/links.h; NULL: none made at this size */
    struct nereus_machine machine;
    struct nereus_jobstate state;
    int64_t machine_changes; /**< number of times that the machine has gained or lost nodes */
    /** nodes freed by the latest change, and for kept requests; owned */
    struct freed_node *freed_nodes;
    int64_t freed_count;
    struct zombies zombies; /**< rank 0: addresses of the zombies */
    int64_t cores_here;     /**< usable cores of rank 0's host, independent of the host file */

    /* Load balance (core/balance.c). */

    double power;      /**< power of this process in work units per second; 0: not measured */
    bool power_stated; /**< set by nereus_set_power; else measured */
    struct {
        int64_t size;     /**< size of the job when measuring began; 0: never */
        double measure_s; /**< least time of measuring before data moves */
    } balancing;

    /* Conditions. */

    bool initialised_mpi, joined;
    /** Conditions tested at each point: adjacent, so that the test is one comparison */
    bool leaving;
    bool at_start;  /**< no point reached yet */
    bool monitored; /**< `monitor` is set, and its first interval has begun */
    /** a `completion` or trace times of the latest change are pending */
    bool unfinished;
    bool recovers;             /**< the job continues without lost processes (core/recover.c) */
    bool asks_policy;          /**< rank 0: core/policy_module.h */
    bool misplaced;            /**< an initial process is on another host than the host file says */
    bool has_threads;          /**< MPI was initialised with MPI_THREAD_MULTIPLE */
    bool has_external_request; /**< an external request is queued; written by the server's thread */
    /** a connection has failed inside MPI: another one would crash */
    bool unconnectable;
    /** windows shared with lost processes are open: over libfabric MPI_Finalize then fails */
    bool windows_left;
    /** processes were connected in a change that was rolled back */
    bool was_connected;
    /** the job has recovered from a loss: MPI_Finalize may wait for a lost process */
    bool has_recovered;
    bool ends_to_restart; /**< the whole job ends, and is restarted as other processes */
    /** a zombie that was woken because the job ends, not because its world ends */
    bool ended_asleep;
    struct {
        bool oversubscribed, unbound, checkpoint;
    } warned;

    /* Checkpoints. */

    struct { /**< rank 0: Slurm's time limit is near (core/checkpoints.c) */
        bool has_come;
        int connection; /**< connection from nereus-supervise; -1: none */
        double next_s;  /**< time of the next poll */
    } warning;
    int checkpoint_lock; /**< rank 0: descriptor of the locked file (src/checkpoint); -1: none */
    struct overlapped_checkpoint overlap;
    /** rank 0: checkpoint from which the job was restarted, until the first point; owned or NULL */
    char *restart_path;

    /* Parts that are allocated only if the job needs them. */

    struct nereus_monitor *monitor;        /**< monitor/monitor.h; NULL: off */
    struct policy_context *policy_context; /**< rank 0; NULL: none */
    struct method_chooser *chooser;        /**< rank 0: core/model_choice.c; NULL: not needed yet */

    /* Requests. */

    /** time at which the job got its present size, and points passed at that time; 0: not yet */
    double size_since_s;
    int64_t size_since_points;
    struct consensus consensus;
    struct resize_request pending; /**< rank 0: run-time request that was not carried out yet */
    bool is_pending;
    /** rank 0: core/external.h; NULL: no external requests */
    struct nereus_external_requests *external;
    struct external_records external_records;

    /* The present reconfiguration, and the outcome of the latest request. */

    struct reconfiguration *under_way; /**< an asynchronous reconfiguration that has not ended */
    struct step_times times;           /**< times of the present reconfiguration */
    double began_s; /**< start of the sources, in the job's time; sent to new processes */
    struct trace trace;
    struct nereus_completion *completion; /**< NULL: none */
    enum nereus_outcome outcome;
    struct nereus_error outcome_error; /**< reason why the latest request was not carried out */
    struct nereus_error error;         /**< error of the latest failed call: nereus_last_error */
};
