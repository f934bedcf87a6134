/**
 * @file plan.h
 * Describes a reconfiguration as an ordered list of steps, which is priced (price.h), executed
 * (src/) and explained (predictor/). Each step begins when the one before it has ended. Identical
 * steps of a spawn tree are one entry with a repeat count, so that plans for a million processes
 * stay small.
 */
#ifndef NEREUS_PLAN_H
#define NEREUS_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "request.h"
#include "tree.h"

NEREUS_BEGIN_C

/** X(enumerator, token, what happens) */
#define NEREUS_STEP_LIST(X)                                                                        \
    X(NEREUS_STEP_DECIDE, "decide", "the sources agree on the request record")                     \
    X(NEREUS_STEP_WAKE, "wake", "zombies are woken and given the record")                          \
    X(NEREUS_STEP_SPAWN, "spawn", "new processes are started by MPI_Comm_spawn")                   \
    X(NEREUS_STEP_LAUNCH, "launch", "new processes are started by the launcher")                   \
    X(NEREUS_STEP_SYNCHRONISE, "synchronise", "groups wait for each other up or down the tree")    \
    X(NEREUS_STEP_CONNECT, "connect", "two groups get a common inter-communicator")                \
    X(NEREUS_STEP_JOIN, "join", "new processes get the record and make the same plan")             \
    X(NEREUS_STEP_MERGE, "merge", "an inter-communicator becomes one communicator")                \
    X(NEREUS_STEP_REORDER, "reorder", "ranks are renumbered")                                      \
    X(NEREUS_STEP_SPLIT, "split", "the staying processes get a communicator")                      \
    X(NEREUS_STEP_GATHER, "gather", "the root learns where the zombies will sleep")                \
    X(NEREUS_STEP_ALLOCATE, "allocate", "memory for the new local parts, and for moving them")     \
    X(NEREUS_STEP_REDISTRIBUTE, "redistribute", "data moves into the new local parts")             \
    X(NEREUS_STEP_AGREE, "agree", "all tell each other whether they succeeded")                    \
    X(NEREUS_STEP_COMMIT, "commit", "communicator and pointers are exchanged, old data is freed")  \
    X(NEREUS_STEP_SLEEP, "sleep", "leaving processes become zombies")                              \
    X(NEREUS_STEP_TERMINATE, "terminate", "a whole world ends")                                    \
    X(NEREUS_STEP_DISCONNECT, "disconnect", "sources and targets disconnect; sources leave")       \
    X(NEREUS_STEP_WRITE, "write", "the sources write a checkpoint")                                \
    X(NEREUS_STEP_END, "end", "all sources end, and the launcher with them")                       \
    X(NEREUS_STEP_START, "start", "the launcher starts all targets anew")                          \
    X(NEREUS_STEP_READ, "read", "the targets read the checkpoint")

#define NEREUS_ENUMERATOR(e, token, help) e,
enum nereus_step_kind { NEREUS_STEP_LIST(NEREUS_ENUMERATOR) NEREUS_STEP_KIND_COUNT };
#undef NEREUS_ENUMERATOR

/** Name ("spawn") and description of a step kind; NULL out of range. */
const char *nereus_step_name(enum nereus_step_kind kind);
const char *nereus_step_help(enum nereus_step_kind kind);
/** The step kind of a name; NEREUS_STEP_KIND_COUNT: unknown name. */
enum nereus_step_kind nereus_step_from_name(const char *token);
/**
 * Position in the spawn tree: " of level 2", " up", " in round 3", or "".
 * @param[out] text  returned
 */
const char *nereus_step_position(enum nereus_step_kind kind, int64_t level, char text[32]);

/** Roles of processes in a step, used as a set. Each process has exactly one. */
enum nereus_role {
    NEREUS_STAYING = 1,    /**< source and target */
    NEREUS_LEAVING = 2,    /**< source only */
    NEREUS_WOKEN = 4,      /**< target that was a zombie */
    NEREUS_SPAWNED = 8,    /**< target that is new */
    NEREUS_RELEASING = 16, /**< zombie that wakes only to disconnect from worlds that end */
    NEREUS_SOURCES = NEREUS_STAYING | NEREUS_LEAVING
};

/** Which thread of a source executes a step. New and woken processes sleep while sources compute.
 */
enum nereus_step_thread {
    NEREUS_MAIN_THREAD = 0,      /**< the application is stopped */
    NEREUS_AUXILIARY_THREAD = 1, /**< overlapped with the application */
    /** the main thread starts it, and tests for completion at malleability points */
    NEREUS_AT_POINTS = 2
};

enum nereus_starter {
    NEREUS_STARTER_NONE = 0,
    NEREUS_STARTER_PARENTS, /**< all existing processes, collectively */
    NEREUS_STARTER_ROOT,    /**< rank 0 alone */
    NEREUS_STARTER_TREE     /**< each process that has a child group at this tree level */
};

/** How starters and started processes communicate until they are connected. */
enum nereus_channel {
    NEREUS_CHANNEL_NONE = 0,
    NEREUS_CHANNEL_SPAWN, /**< the inter-communicator of a single spawn */
    NEREUS_CHANNEL_TREE,  /**< an inter-communicator per spawn; then a port or a bridge */
    NEREUS_CHANNEL_LINES  /**< text over TCP, outside MPI; new processes open the port */
};

enum { NEREUS_PLAN_STEPS_MAX = 256 };

struct nereus_step {
    enum nereus_step_kind kind;
    unsigned roles; /**< roles that take part: bits of enum nereus_role */
    enum nereus_step_thread thread;
    /** only for steps up to connect, as `channel` */
    enum nereus_starter starter;
    enum nereus_channel channel;
    bool for_data;  /**< belongs to the redistribution */
    int64_t repeat; /**< number of identical concurrent steps, >= 1 */
    int64_t times;  /**< number of identical consecutive steps, >= 1 */
    /** spawn, join: level of the tree, from 1. synchronise: depth, positive up the tree, negative
     * down, 0 between old and new processes. connect: round, from 1; 0 between old and new */
    int64_t level;
    int64_t old_processes; /**< old processes that take part */
    int64_t new_processes; /**< new processes that the step starts or adds */
    /** compact rank of the first new process */
    int64_t first_new;
    int64_t constant_bytes; /**< for redistribute, allocate, write and read */
    int64_t variable_bytes;
    int64_t replicated_bytes; /**< bytes of one copy; not included in the two above */
};

struct nereus_plan {
    uint64_t hash; /**< hash of the record and the steps */
    int64_t ns, nt, woken, spawned, leaving;
    bool inter; /**< data moves over an inter-communicator */
    /** data moves in one communicator with sources and targets (baseline-intra) */
    bool intra;
    struct nereus_tree tree;        /**< empty unless several worlds start; owned */
    struct nereus_leavers *leavers; /**< only in a merge shrink; owned */
    int64_t leaver_count;
    struct nereus_method method; /**< as carried out: merge-ss has become a baseline */
    int step_count;              /**< 0: nothing to do */
    struct nereus_step *steps;   /**< owned */
};

/**
 * Make the plan of a request: the same in every process.
 * @param[out] plan  to be freed with nereus_plan_fini
 * @return NEREUS_ERR_ARGUMENT for sizes below 1; NEREUS_ERR_ILLEGAL, NEREUS_ERR_UNSUPPORTED for a
 *         method that cannot be planned
 */
enum nereus_status nereus_plan_make(const struct nereus_request *request, struct nereus_plan *plan,
                                    struct nereus_error *err);
/** Free the arrays. A zeroed plan is allowed. */
void nereus_plan_fini(struct nereus_plan *plan);

/** Does a source stay or leave? 0 <= rank < ns. */
enum nereus_role nereus_plan_source_role(const struct nereus_plan *plan, int64_t rank);

/** Does a leaving source end with its world (true), or fall asleep? */
bool nereus_plan_source_ends(const struct nereus_plan *plan, int64_t rank);

/** The new rank of a source; -1: it leaves. */
int64_t nereus_plan_new_rank(const struct nereus_plan *plan, int64_t rank);

/** Does the application compute during this step? */
bool nereus_step_is_overlapped(const struct nereus_step *step);

/** Does constant data move while the application continues? A later step then moves the rest. */
bool nereus_plan_overlaps(const struct nereus_plan *plan);

/** The source rank of target `rank`, if all targets are sources (a merge shrink). */
int64_t nereus_plan_old_rank(const struct nereus_plan *plan, int64_t rank);

NEREUS_END_C
#endif
