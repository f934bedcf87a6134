/**
 * @file reconfiguration.h
 * Describes the context of one reconfiguration in this process, from the decision to the end.
 */
#pragma once

#include <stdatomic.h>

#include "failure_detector.h"
#include "nereus/plan.h"
#include "port_list.h"
#include "src/job/job.h"
#include "src/job/machine.h"
#include "src/link/port.h"
#include "src/link/zombie.h"
#include "src/start/start_spec.h"
#include "src/util/wait.h"

/** MPI_COMM_NULL: not created in this process, or not yet. */
struct reconfig_comms {
    /** processes that spawn: control, or its processes and the woken zombies */
    MPI_Comm parents;
    MPI_Comm inter;  /**< to the spawned processes, or from them to their parents */
    MPI_Comm merged; /**< intra-communicator of sources and targets; while it is missing: inter */
    MPI_Comm next;   /**< the targets' communicator */
    /** duplicate of next for the application, complete before the last agreement so that the commit
     * cannot fail */
    MPI_Comm next_app;
    /** requests of the duplicates: next_app, and next if it is a duplicate */
    MPI_Request duplicating[2];
    MPI_Comm new_processes; /**< all new processes in rank order; before they are connected: this
                               group */
    MPI_Comm parent;        /**< new process: to the one that started its group */
    /** duplicate of control, for overlapped parts: by auxiliary threads, and by main threads at
     * points */
    MPI_Comm overlapped;
    /** after the commit of a shrink: still used for messages to leaving processes */
    MPI_Comm old_control;
};

/** A group of new processes that this process has started, alone or with all other parents. */
struct child {
    int64_t group;
    MPI_Comm inter;
};

/** Message of groups along the spawn tree (step_synchronise.c). */
struct group_report {
    struct nereus_error failure; /**< the first failure */
    struct port_list ports;
};

enum { ROUNDS_MAX = 64 };

/** State while new processes join as several groups. */
struct reconfig_group {
    int64_t number;         /**< number of this process' group; -1: this process is a parent */
    int rank;               /**< rank in its group, or among the parents */
    int64_t united;         /**< number of the united group that contains it */
    struct child *children; /**< child_count */
    int child_count;
    struct nereus_port port; /**< root of a group: the port that it has opened */
    char *ports[ROUNDS_MAX]; /**< root of a group: ports that it connects to, by round */
    char *peer_port;         /**< root of the parents: port of the new processes for the old ones */
    struct group_report report;
};

/** Data of sources that leave. */
struct reconfig_leavers {
    double *stamps; /**< root of a baseline: packed times, one row per source */
    int64_t count;
    bool collected; /**< the stamps of a merge are received or pending (shrink_completion.c) */
};

/** Data of zombies and processes that become zombies. */
struct reconfig_shrink {
    struct zombie_endpoint endpoint;  /**< endpoint of this process, if it will sleep or sleeps */
    struct zombie_address *addresses; /**< root: of all sources; pool_rank -1: stays awake */
    bool zombies_called; /**< zombies were called for the disconnect, and wait for an answer */
    int root_in_pool;    /**< pool rank of the process that answers */
    int caller;          /**< process that falls asleep: pool rank of the root, which tells when */
    const int64_t *ended_worlds; /**< called zombie: ids of the worlds that end */
    int64_t ended_count;
};

struct async;
struct data_move;

/** The context. It is made at the decision and freed when the outcome is known. */
struct reconfiguration {
    nereus_job *job;
    struct resize_request request; /**< sources: the request */
    struct method_choice choice;   /**< rank 0 of the sources, if it chose the method */
    struct nereus_request record;
    struct nereus_plan plan;
    enum nereus_role role;
    int source_rank; /**< -1: not a source */
    int target_rank; /**< -1: not a target */

    /** complete at the root of the sources; in a spawn tree, at all parents (step_spawn.c) */
    struct start_spec spec;
    struct reconfig_comms comms;
    struct reconfig_group group;
    struct reconfig_leavers leavers;
    struct reconfig_shrink shrink;
    uint64_t *constants;          /**< checksums by datum (constant_checksums.c); NULL: none */
    struct data_move *data;       /**< transfers, from the step allocate on (step_data.c) */
    struct nereus_launch *launch; /**< root of the sources: launched groups */

    const struct nereus_step *step;    /**< the present step */
    bool takes_part;                   /**< whether this process takes part in the step */
    struct nereus_wait_mode wait_mode; /**< how to wait in this step and thread */
    struct failure_detector detector;
    struct nereus_error error;   /**< error of a step that cannot be rolled back */
    struct nereus_error failure; /**< failure of this process, to be agreed on */
    struct nereus_error verdict; /**< error that all have agreed on */

    struct async *async; /**< asynchronous method (core/async.h); else NULL */
    /** executed by an auxiliary thread, which leaves the roll-back to the main thread */
    bool in_thread;
    struct machine_change machine;
    char checkpoint[PATH_MAX]; /**< checkpoint of a restart; "": none */
    /** the machine with gained and lost nodes has several hosts; the same in all processes and
     * steps */
    bool several_hosts;
    /** cancelled, as the application ends: read by a thread that waits for launched processes */
    atomic_bool application_ended;
    bool past_deadline;  /**< rank 0: the deadline of the request has passed */
    bool mover_prepared; /**< options.mover has prepared (mover.c) */
    /** rank 0, load balance: predicted slowest process, relative to the mean */
    double slowest_after;
    char unchanged_reason
        [200]; /**< why nothing is changed, the same in all processes; "": it is carried out */
};

/** Initialise; the caller fills in the record. */
void nereus_reconfig_init(struct reconfiguration *reconfig, nereus_job *job);
/** Make the plan from the record, unless there is one, and allocate its stamps. */
enum nereus_status nereus_reconfig_make_plan(struct reconfiguration *reconfig,
                                             enum nereus_role role, int source_rank,
                                             int target_rank, struct nereus_error *err);
/** Free memory, and the communicators `overlapped` and `detector.sources`; all others are freed by
 * the steps or by the roll-back. The endpoint stays. A second call has no effect. */
void nereus_reconfig_fini(struct reconfiguration *reconfig);
/** Free a communicator unless it is null or one of those that are kept; sets it to MPI_COMM_NULL.
 * Collective. */
void nereus_reconfig_free_unless(MPI_Comm *comm, MPI_Comm kept_comm, MPI_Comm also_kept);
static inline void nereus_reconfig_free_comm(MPI_Comm *comm)
{
    nereus_reconfig_free_unless(comm, MPI_COMM_NULL, MPI_COMM_NULL);
}

/** Rank among the sources; of a new or woken process among the targets. For injected faults. */
static inline int nereus_reconfig_rank(const struct reconfiguration *reconfig)
{
    return reconfig->source_rank >= 0 ? reconfig->source_rank : reconfig->target_rank;
}

/** How to wait for other processes, with the failure detector if there is one. backs_off: sleep
 * between tests. */
static inline struct nereus_wait_mode
nereus_reconfig_waiting(const struct reconfiguration *reconfig, bool backs_off)
{
    return nereus_wait_mode_with(reconfig->wait_mode, backs_off);
}

/** Set the targets' communicator (owned by the reconfiguration from now on), and begin its
 * duplicate for the application, which is complete after nereus_reconfig_complete_next, before the
 * last agreement: a commit then only exchanges handles. */
enum nereus_status nereus_reconfig_set_next(struct reconfiguration *reconfig, MPI_Comm comm,
                                            struct nereus_error *err);
/** Wait until that duplicate is complete. */
enum nereus_status nereus_reconfig_complete_next(struct reconfiguration *reconfig,
                                                 struct nereus_error *err);
/** Begin to duplicate the new processes' communicator, for the library and for the application. */
enum nereus_status nereus_reconfig_begin_duplicates(struct reconfiguration *reconfig,
                                                    struct nereus_error *err);
