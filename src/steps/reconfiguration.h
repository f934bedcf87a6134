/* The context of one reconfiguration in this process, from the decision to the end. Private to
 * src/. */
#ifndef NEREUS_SRC_RECONFIGURATION_H
#define NEREUS_SRC_RECONFIGURATION_H

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

/* MPI_COMM_NULL: not made here, or not yet. */
struct rc_comms {
    MPI_Comm parents; /* processes that spawn: control, or control and the woken zombies */
    MPI_Comm inter;   /* to the spawned processes, or from them to their parents */
    /* Sources and all targets in one, as far as it has been made; while it is missing: inter */
    MPI_Comm merged;
    MPI_Comm next; /* the targets' communicator */
    /* Its duplicate for the application, complete before the last agreement: a commit cannot fail
     */
    MPI_Comm next_app;
    MPI_Request duplicating[2]; /* of next_app, and of next where it is a duplicate itself */
    /* All new processes, in the order of their ranks; before they are connected, this group */
    MPI_Comm own;
    MPI_Comm parent;  /* a new process: to the one that started its group */
    MPI_Comm threads; /* the auxiliary threads' duplicate of control */
    /* After the commit of a shrink: over it the leaving processes are still sent to */
    MPI_Comm old_control;
};

/* A group of new processes that this process started (alone, or with all other parents). */
struct child {
    int64_t group;
    MPI_Comm inter;
};

/* What groups tell each other along the spawn tree (step_synchronise.c). */
struct group_report {
    struct nereus_error failure; /* the first one */
    struct port_list ports;
};

enum { ROUNDS_MAX = 64 };

/* While new processes come in as several groups. */
struct rc_group {
    int64_t number;         /* this process' own, -1: one of the parents */
    int rank;               /* in its group, or among the parents */
    int64_t united;         /* number of the united groups that this one belongs to */
    struct child *children; /* child_count */
    int child_count;
    struct nereus_port port; /* root of a group: the one that it has opened */
    char *ports[ROUNDS_MAX]; /* root of a group: those that it connects to, by round */
    /* Root of the parents: the port that the new processes have opened for the old ones */
    char *peer_port;
    struct group_report report;
};

/* Sources that leave. */
struct rc_leavers {
    double *stamps; /* root of a baseline: packed times, a row each */
    int64_t count;
    bool collected; /* the stamps of a merge are, or are on their way (shrink_completion.h) */
};

/* Zombies, and processes that become zombies. */
struct rc_shrink {
    struct zombie_endpoint endpoint;  /* where this process will sleep, or sleeps, if it does */
    struct zombie_address *addresses; /* root: of all sources, pool_rank -1 for those that stay */
    /* The zombies take part in the disconnect: they wait for an answer */
    bool roused;
    int root_in_pool; /* which process gives it */
    /* Of a process that falls asleep: pool rank of the root, which says when */
    int caller;
    const int64_t *ended; /* roused zombie: ids of the worlds that end */
    int64_t ended_count;
};

struct async;
struct data_move;

struct reconfiguration {
    nereus_job *job;
    struct resize_request wanted; /* sources: as it was asked for */
    struct method_choice choice;  /* rank 0 of the sources, where the method was left open */
    struct nereus_request record;
    struct nereus_plan plan;
    enum nereus_role role;
    int source_rank; /* -1: not a source */
    int target_rank; /* -1: not a target */

    /* Complete at the root of the sources, and in a tree everywhere (step_spawn.c) */
    struct start_spec spec;
    struct rc_comms comms;
    struct rc_group group;
    struct rc_leavers leavers;
    struct rc_shrink shrink;
    uint64_t *constants;          /* checksums by datum (constants.h); NULL: none */
    struct data_move *data;       /* what moves the data, from allocate on (step_data.c) */
    struct nereus_launch *launch; /* root of the sources: launched groups */

    const struct nereus_step *step; /* the one that is carried out */
    bool taken;                     /* this process takes part in it */
    struct nereus_waiting waiting;  /* of that step, and of its thread */
    struct failure_detector detector;
    struct nereus_error error;   /* of the step that failed for good */
    struct nereus_error failure; /* of this process, to be agreed on */
    struct nereus_error verdict; /* what all agreed on */

    struct async *async; /* of an asynchronous method (core/async.h), else NULL */
    /* An auxiliary thread carries out the steps: rolling back is left to the main thread */
    bool in_thread;
    struct machine_change machine;
    /* Of the machine with what it gains and loses: the same in all processes, at any step */
    bool several_hosts;
    /* Called off as the application ends: a thread that waits for launched processes looks here */
    atomic_bool too_late;
    bool late;      /* rank 0: the request was not begun by its deadline */
    bool moves_own; /* the application has prepared to move its own data (moved_data.h) */
    /* Load balance: the slowest process afterwards, relative to the mean; rank 0 */
    double slowest_after;
    char idle[200]; /* why nothing is done after all, the same everywhere; "": it is done */
};

/* Nothing is made yet; the record is the caller's to fill. */
void nereus_rc_init(struct reconfiguration *rc, nereus_job *job);
/* Make the plan of the record, if there is none yet, and make room for its times. */
enum nereus_status nereus_rc_plan(struct reconfiguration *rc, enum nereus_role role,
                                  int source_rank, int target_rank, struct nereus_error *err);
/* Free what only the reconfiguration needed; a second time nothing. The endpoint stays open. */
void nereus_rc_fini(struct reconfiguration *rc);
/* Free a communicator, if there is one and it is none of those that are kept; the handle is
 * MPI_COMM_NULL then. Collective. */
void nereus_rc_free_unless(MPI_Comm *comm, MPI_Comm kept, MPI_Comm also_kept);
static inline void nereus_rc_free_comm(MPI_Comm *comm)
{
    nereus_rc_free_unless(comm, MPI_COMM_NULL, MPI_COMM_NULL);
}

/* The rank among the sources; of a new or woken process the one among the targets. For injected
 * faults. */
static inline int nereus_rc_rank(const struct reconfiguration *rc)
{
    return rc->source_rank >= 0 ? rc->source_rank : rc->target_rank;
}

/* Sleep while waiting for all, with the detector on if there is one. */
static inline struct nereus_waiting nereus_rc_waiting(const struct reconfiguration *rc,
                                                      bool backs_off)
{
    return nereus_waiting_with(rc->waiting, backs_off);
}

/* The targets' communicator (it belongs to the reconfiguration from now on). The duplicate that the
 * application will get is begun, and complete after nereus_rc_complete_next: before the last
 * agreement, so that a commit only exchanges handles. */
enum nereus_status nereus_rc_set_next(struct reconfiguration *rc, MPI_Comm comm,
                                      struct nereus_error *err);
enum nereus_status nereus_rc_complete_next(struct reconfiguration *rc, struct nereus_error *err);
/* Start duplicating the new processes' communicator, for the library and for the application. */
enum nereus_status nereus_rc_begin_own(struct reconfiguration *rc, struct nereus_error *err);

/* Broadcast the root's failure, or success, to all parents as the verdict. */
enum nereus_status nereus_share_verdict(struct reconfiguration *rc,
                                        const struct nereus_error *failure,
                                        struct nereus_waiting waiting);

#endif
