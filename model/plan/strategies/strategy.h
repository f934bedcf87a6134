/**
 * @file strategy.h
 * Describes a spawn strategy as a table of operations: one file, and one line in
 * NEREUS_STRATEGY_LIST (method.h); model/plan/README.md says how to add a strategy. No other code
 * depends on which strategy a method has: strategies differ by members here, or by fields of the
 * steps. Private to model/, except the properties that src/ and predictor/ query.
 */
#pragma once

#include "model/util/base.h"
#include "nereus/layout.h"
#include "nereus/method.h"
#include "nereus/plan.h"
#include "nereus/tree.h"

struct nereus_emitter;

/** A spawn tree before its next round. */
struct nereus_growth {
    int64_t parents; /**< processes before the first round: all sources, and woken zombies */
    int64_t groups;  /**< groups started so far */
    int64_t processes;
};

static inline struct nereus_growth nereus_growth_begin(int64_t parents)
{
    return (struct nereus_growth){.parents = parents, .processes = parents};
}

/** Add the groups of a round.
 * @param processes  those of all groups together */
static inline void nereus_growth_add(struct nereus_growth *growth, int64_t groups,
                                     int64_t processes)
{
    growth->groups += groups;
    growth->processes += processes;
}

/** New processes, with compact ranks from first_new on. */
struct nereus_incoming {
    unsigned parents; /**< roles of the processes before the first round */
    int64_t old_processes, count, first_new;
};

struct nereus_strategy_ops {
    enum nereus_starter starter;
    enum nereus_channel channel;
    /** each group is a world of its own; false: all groups are one world. With NEREUS_STARTER_ROOT:
     * the launcher starts them, at the root's request */
    bool several_worlds;
    /** a group has at most request->batch processes (default 1); false: all new processes of a node
     */
    bool batched;
    /** why groups must have one size, and what else to use; NULL: any sizes */
    const char *equal_groups;
    /** asynchronous starts need no auxiliary thread: without one (nereus_plan_drop_thread) the main
     * threads connect */
    bool threadless;
    /** the job survives the failure of a new process that is not connected yet, or of its host */
    bool isolated;
    /** why ss, which leaves a world on every node, cannot use the strategy; NULL: it can */
    const char *refuses_ss;

    /** several worlds: groups that may start in the next round */
    int64_t (*count_startable)(const struct nereus_growth *growth);
    /** several worlds: number of the process that starts group i of a round. Parents are numbered
     * first, then the groups in order, by rank; the numbers must not decrease, and in a tree a
     * process starts at most one group of a round.
     * @param tree    complete up to group i - 1 of this round, whose level is tree->levels
     * @param growth  before this round, whose first group is growth->groups */
    int64_t (*find_starter)(const struct nereus_tree *tree, const struct nereus_growth *growth,
                            int64_t i);
    void (*emit)(struct nereus_emitter *emitter, const struct nereus_incoming *incoming);
};

#define NEREUS_STRATEGY_DECLARE(e, name, token)                                                    \
    extern const struct nereus_strategy_ops nereus_strategy_##name;
NEREUS_STRATEGY_LIST(NEREUS_STRATEGY_DECLARE)
#undef NEREUS_STRATEGY_DECLARE

extern const struct nereus_strategy_ops *const nereus_strategies[NEREUS_STRATEGY_COUNT];

static inline const struct nereus_strategy_ops *
nereus_strategy_ops_of(enum nereus_strategy strategy)
{
    return nereus_strategies[strategy];
}

/** @return the strategy that carries out a method; for ss the strategy of a parallel baseline */
const struct nereus_strategy_ops *nereus_strategy_of(const struct nereus_method *method);

/** @return the strategy of ss where the method names none, or a strategy that ss cannot use */
enum nereus_strategy nereus_strategy_for_respawn(void);

/** Do started processes start others (Martín-Álvarez et al. (2025), section 4)? */
static inline bool nereus_strategy_is_tree(enum nereus_strategy strategy)
{
    return nereus_strategies[strategy]->starter == NEREUS_STARTER_TREE;
}

/** `count_startable`: one group from each existing process. */
int64_t nereus_count_startable_per_process(const struct nereus_growth *growth);

/** Does every process start a group in each round? Such a method, measured as a whole, takes the
 * time of a plain start and of the steps that join groups (fit_whole.c). */
static inline bool nereus_strategy_has_few_rounds(enum nereus_strategy strategy)
{
    return nereus_strategy_is_tree(strategy) &&
           nereus_strategies[strategy]->count_startable == nereus_count_startable_per_process;
}

/** Does rank 0 alone start all new processes as one world? */
static inline bool nereus_strategy_starts_by_root(enum nereus_strategy strategy)
{
    return nereus_strategies[strategy]->starter == NEREUS_STARTER_ROOT &&
           !nereus_strategies[strategy]->several_worlds;
}

static inline bool nereus_method_starts_in_thread(const struct nereus_method *method)
{
    return method->async && !nereus_strategies[method->strategy]->threadless;
}

/** Does the method need a thread, to start processes asynchronously or to move data? */
static inline bool nereus_method_needs_thread(const struct nereus_method *method)
{
    return nereus_method_starts_in_thread(method) ||
           (method->has_data && method->overlap == NEREUS_THREAD);
}

/** @return the method as this machine carries it out. With more sources than cores an overlap costs
 * the iterations more than it hides (docs/results/speed.md): a shrink moves its data at once;
 * otherwise main threads move it at points, unless a thread is needed anyway to start processes. */
static inline struct nereus_method nereus_method_adapt(const struct nereus_machine *machine,
                                                       const struct nereus_method *method,
                                                       int64_t ns, int64_t nt)
{
    struct nereus_method m = *method;
    const bool starts = nt > ns || nereus_method_resolve(method).process != NEREUS_MERGE;
    if (!nereus_machine_is_oversubscribed(machine, ns) ||
        (starts && nereus_method_starts_in_thread(method)))
        return m;
    if (nt < ns)
        m.overlap = NEREUS_SYNC;
    else if (m.overlap == NEREUS_THREAD)
        m.overlap = NEREUS_WAITSOURCES;
    return m;
}

/** Without a thread (MPI allows none, or there are more sources than cores) the main thread
 * connects launched processes, with the application stopped. */
void nereus_plan_drop_thread(struct nereus_plan *plan, const struct nereus_machine *machine,
                             bool has_threads);

/** Does the job survive the failure of a new world that is not connected yet? */
static inline bool nereus_plan_is_isolated(const struct nereus_plan *plan)
{
    return plan->tree.group_count > 0 && nereus_strategies[plan->method.strategy]->isolated;
}

/** Does the plan start processes asynchronously without an auxiliary thread? */
static inline bool nereus_plan_is_threadless(const struct nereus_plan *plan)
{
    return plan->method.async && plan->tree.group_count > 0 &&
           nereus_strategies[plan->method.strategy]->threadless;
}

/** `count_startable` and `find_starter`: all groups in one round, by rank 0. */
int64_t nereus_count_startable_all(const struct nereus_growth *growth);
int64_t nereus_starter_root(const struct nereus_tree *tree, const struct nereus_growth *growth,
                            int64_t i);
/** `find_starter`: one group from each existing process (its `count_startable` is above). */
int64_t nereus_starter_process(const struct nereus_tree *tree, const struct nereus_growth *growth,
                               int64_t i);

/** `emit`: one world; connected with the parents if `connects`. */
void nereus_emit_one_world(struct nereus_emitter *emitter, const struct nereus_incoming *incoming,
                           bool connects);
/** `emit`: several worlds, started by one step of this kind, then connected to one. */
void nereus_emit_flat(struct nereus_emitter *emitter, const struct nereus_incoming *incoming,
                      enum nereus_step_kind kind);
/** `emit`: several worlds, round after round, then connected to one. */
void nereus_emit_rounds(struct nereus_emitter *emitter, const struct nereus_incoming *incoming);
