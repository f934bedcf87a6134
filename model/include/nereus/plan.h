/**
 * @file plan.h
 * A reconfiguration as plain data: an ordered list of steps that is priced (cost.h), executed (src/) and explained (predictor/).
 *
 * Steps are in the order in which they are carried out: each begins when the one before it has ended.
 * Identical steps of a tree are one entry with a repeat count, so that plans for a million processes stay small.
 */
#ifndef NEREUS_PLAN_H
#define NEREUS_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "request.h"
#include "tree.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(enumerator, token, what happens) */
#define NEREUS_STEP_LIST(X)                                                                                  \
    X(NEREUS_STEP_DECIDE, "decide", "the sources agree on the request record")                               \
    X(NEREUS_STEP_WAKE, "wake", "zombies are woken and given the record")                                    \
    X(NEREUS_STEP_SPAWN, "spawn", "new processes are started by MPI_Comm_spawn")                             \
    X(NEREUS_STEP_LAUNCH, "launch", "new processes are started by the launcher")                             \
    X(NEREUS_STEP_SYNCHRONISE, "synchronise", "groups wait for each other up or down the tree")              \
    X(NEREUS_STEP_CONNECT, "connect", "two groups get a common inter-communicator")                          \
    X(NEREUS_STEP_JOIN, "join", "new processes get the record and make the same plan")                       \
    X(NEREUS_STEP_MERGE, "merge", "an inter-communicator becomes one communicator")                          \
    X(NEREUS_STEP_REORDER, "reorder", "ranks are renumbered")                                                \
    X(NEREUS_STEP_SPLIT, "split", "the communicator of who stays is made")                                   \
    X(NEREUS_STEP_GATHER, "gather", "the root learns where the zombies will sleep")                          \
    X(NEREUS_STEP_ALLOCATE, "allocate", "memory for the new local parts, and for moving them")               \
    X(NEREUS_STEP_REDISTRIBUTE, "redistribute", "data moves into the new local parts")                       \
    X(NEREUS_STEP_AGREE, "agree", "all tell each other whether they succeeded")                              \
    X(NEREUS_STEP_COMMIT, "commit", "communicator and pointers are exchanged, old data is freed")            \
    X(NEREUS_STEP_SLEEP, "sleep", "who leaves falls asleep as a zombie")                                     \
    X(NEREUS_STEP_TERMINATE, "terminate", "a whole world ends")                                              \
    X(NEREUS_STEP_DISCONNECT, "disconnect", "sources and targets part; sources leave")

#define NEREUS_ENUMERATOR(e, token, help) e,
enum nereus_step_kind { NEREUS_STEP_LIST(NEREUS_ENUMERATOR) NEREUS_STEP_KIND_COUNT };
#undef NEREUS_ENUMERATOR

/** Token of a step kind ("spawn"); NULL out of range. */
const char *nereus_step_name(enum nereus_step_kind kind);
/** What happens in a step of this kind, for people. */
const char *nereus_step_help(enum nereus_step_kind kind);
/** The kind of a token, or NEREUS_STEP_KIND_COUNT. */
enum nereus_step_kind nereus_step_from_name(const char *token);

/** Who takes part in a step (a set). A process has exactly one of the roles. */
enum nereus_role {
    NEREUS_STAYING = 1, /**< source and target */
    NEREUS_LEAVING = 2, /**< source only */
    NEREUS_WOKEN = 4,   /**< target that was a zombie */
    NEREUS_SPAWNED = 8, /**< target that is new */
    NEREUS_ROUSED =
        16, /**< zombie that only takes part in the parting of others; then it sleeps on, or ends */
    NEREUS_SOURCES = NEREUS_STAYING | NEREUS_LEAVING,
    NEREUS_TARGETS = NEREUS_STAYING | NEREUS_WOKEN | NEREUS_SPAWNED,
    NEREUS_ALL = 31
};

/** Who carries a step out in a source. New and woken processes have nothing else to do, and sleep where the sources do not
 * wait: in all steps that are not the main thread's. */
enum nereus_step_thread {
    NEREUS_MAIN_THREAD = 0,      /**< the application stands still */
    NEREUS_AUXILIARY_THREAD = 1, /**< a thread, beside the application */
    NEREUS_AT_POINTS =
        2 /**< begun by the main thread and looked after at malleability points, while the application goes on */
};

/** Who starts processes, in a step that does. */
enum nereus_starter {
    NEREUS_STARTER_NONE = 0,
    NEREUS_STARTER_PARENTS, /**< all that exist, together */
    NEREUS_STARTER_ROOT,    /**< rank 0 of them alone */
    NEREUS_STARTER_TREE     /**< each one to which the spawn tree gives a group at this level */
};

/** What those who start and those who are started speak over until they are connected. */
enum nereus_channel {
    NEREUS_CHANNEL_NONE = 0,
    NEREUS_CHANNEL_SPAWN, /**< the inter-communicator of the one spawn, which connects old and new */
    NEREUS_CHANNEL_TREE, /**< an inter-communicator for each spawn; a port or a bridge connects old and new */
    NEREUS_CHANNEL_LINES /**< text over TCP, outside MPI; new processes open the port */
};

enum { NEREUS_PLAN_STEPS_MAX = 256 };

struct nereus_step {
    enum nereus_step_kind kind;
    unsigned who; /**< set of enum nereus_role */
    enum nereus_step_thread thread;
    enum nereus_starter starter; /**< spawn, launch, and the steps up to connect: who starts processes */
    enum nereus_channel channel; /**< the same: what they speak over */
    bool for_data;               /**< moves data, or waits for it; else it is for the processes */
    int64_t repeat;              /**< >= 1: so many identical steps at the same time */
    int64_t times;               /**< >= 1: so many one after the other */
    int64_t
        level; /**< spawn, join: of the tree, from 1; synchronise: +depth upwards, -depth downwards, 0: old
                      and new wait for each other; connect: round among the new groups, from 1; 0: old with new */
    int64_t old_processes; /**< processes that existed and take part */
    int64_t new_processes; /**< spawn, launch: started here; merge, connect, join, wake: that come in */
    int64_t
        first_new; /**< compact rank of the first new process: with new_processes it says on which nodes */
    int64_t constant_bytes; /**< redistribute, allocate: of the registered data */
    int64_t variable_bytes;
    int64_t replicated_bytes; /**< of one copy, in neither of them */
};

struct nereus_plan {
    uint64_t hash; /**< of the request record and the steps: the same in every process */
    int64_t ns, nt, woken, spawned, leaving;
    bool inter; /**< data moves over an inter-communicator */
    bool intra; /**< baseline-intra: it moves over one that holds the sources, then the targets */
    struct nereus_tree
        tree; /**< who starts whom, where the new processes are several worlds; else empty. Owned */
    struct nereus_leavers *leavers; /**< of a merge shrink, by rank; owned */
    int64_t leaver_count;
    struct nereus_method method; /**< as carried out: merge-ss has become a baseline, started in parallel */
    int step_count;              /**< 0: nothing to do */
    struct nereus_step *steps;   /**< owned */
};

/**
 * Make the plan of a request.
 * @return NEREUS_ERR_ARGUMENT for sizes < 1, NEREUS_ERR_ILLEGAL or NEREUS_ERR_UNSUPPORTED for methods that cannot be planned
 */
enum nereus_status nereus_plan_make(const struct nereus_request *request, struct nereus_plan *plan,
                                    struct nereus_error *err);
void nereus_plan_fini(struct nereus_plan *plan);

/** The role of a rank of the sources (0 <= rank < ns). */
enum nereus_role nereus_plan_source_role(const struct nereus_plan *plan, int64_t rank);

/** Does a source that leaves end with its world (true), or fall asleep? */
bool nereus_plan_source_ends(const struct nereus_plan *plan, int64_t rank);

/** The new rank of a source that stays (-1 of one that leaves): its place among those who stay. */
int64_t nereus_plan_new_rank(const struct nereus_plan *plan, int64_t rank);

/** Is this step carried out beside the application? */
bool nereus_step_is_beside(const struct nereus_step *step);

/** Does constant data move beside the application? Then one redistribution moves it, and a later one the rest. */
bool nereus_plan_overlaps(const struct nereus_plan *plan);

/** The rank among the sources of the target `rank`, of a plan whose targets are all sources (a merge shrink). */
int64_t nereus_plan_old_rank(const struct nereus_plan *plan, int64_t rank);

#ifdef __cplusplus
}
#endif
#endif
