/**
 * @file strategy.h
 * A spawn strategy as a table of operations: which worlds it makes, who starts whom in which round, what it needs, what rules it out, which
 * steps it takes. Private to model/, but for the properties that src/ and predictor/ ask for.
 *
 * One file a strategy, named after it, and one line in NEREUS_STRATEGY_LIST (method.h): docs/adding-a-method.md. Nobody else asks which
 * strategy a method has; what differs is a member here, or a field of the steps.
 */
#ifndef NEREUS_STRATEGY_H
#define NEREUS_STRATEGY_H

#include "nereus/method.h"
#include "nereus/plan.h"
#include "nereus/tree.h"

struct nereus_emitter;

/** What exists before a round of starts. */
struct nereus_growth {
    int64_t parents;   /**< processes before the first round */
    int64_t groups;    /**< started so far */
    int64_t processes; /**< parents and those of these groups */
};

/** New processes that come in: old_processes exist and start them; compact ranks from first_new on. */
struct nereus_incoming {
    unsigned parents; /**< roles of those that exist */
    int64_t old_processes, count, first_new;
};

struct nereus_strategy_ops {
    /** Who starts processes. */
    enum nereus_starter starter;
    /** What starters and started speak over until they are connected. */
    enum nereus_channel channel;
    /** Each group of new processes is a world of its own; else all of them are one. */
    bool several_worlds;
    /** A group has at most request->batch processes (1 where it is not given); else a group is all that a node gets. */
    bool batched;
    /** Groups must be of one size: the sentence says why and what else to use. NULL: any sizes. */
    const char *equal_groups;
    /** Asynchronous: processes start without an auxiliary thread in the sources. */
    bool threadless;
    /** A new process that fails, or whose host fails, before it is connected costs the job nothing. */
    bool isolated;
    /** Why ss, after which every node has a world of its own, cannot use it; NULL: it can. */
    const char *refuses_ss;

    /** Several worlds: how many of the groups that are left may start in the next round. */
    int64_t (*round)(const struct nereus_growth *growth);
    /** Several worlds: number of the process that starts the i-th group of a round. Parents come first, by rank, then the groups in their
     *  order, each by rank; numbers must not fall with i. @param tree  all groups of the rounds before are filled in */
    int64_t (*starter_of)(const struct nereus_tree *tree, int64_t i);
    /** Its steps. */
    void (*emit)(struct nereus_emitter *emitter, const struct nereus_incoming *incoming);
};

#define NEREUS_STRATEGY_DECLARE(e, name, token, help)                                                        \
    extern const struct nereus_strategy_ops nereus_strategy_##name;
NEREUS_STRATEGY_LIST(NEREUS_STRATEGY_DECLARE)
#undef NEREUS_STRATEGY_DECLARE

extern const struct nereus_strategy_ops *const nereus_strategies[NEREUS_STRATEGY_COUNT];

/** The operations of a strategy. @param strategy  one of the list */
static inline const struct nereus_strategy_ops *nereus_strategy(enum nereus_strategy strategy)
{
    return nereus_strategies[strategy];
}

/** The same of a method as it is carried out (ss is a parallel baseline). */
const struct nereus_strategy_ops *nereus_strategy_of(const struct nereus_method *method);

/** The strategy with which ss is carried out where the method's own cannot be, or none is named. */
enum nereus_strategy nereus_strategy_for_respawn(void);

/** Is the strategy one in which processes that were started start others (parallel-spawning 4)? */
static inline bool nereus_strategy_is_tree(enum nereus_strategy strategy)
{
    return nereus_strategies[strategy]->starter == NEREUS_STARTER_TREE;
}

/** One group by each process that exists, as operation `round` (strategies.c). */
int64_t nereus_round_of_processes(const struct nereus_growth *growth);

/** Does every process that exists start a group in a round, so that few rounds are enough for any number of groups? The time of such a
 *  method, measured as a whole, is that of a plain start and what joins the groups (fit_whole.c, fit_parallel.c). */
static inline bool nereus_strategy_has_few_rounds(enum nereus_strategy strategy)
{
    return nereus_strategy_is_tree(strategy) &&
           nereus_strategies[strategy]->round == nereus_round_of_processes;
}

/** Does rank 0 start all new processes alone, as one world, while the other sources sleep? */
static inline bool nereus_strategy_root_alone(enum nereus_strategy strategy)
{
    return nereus_strategies[strategy]->starter == NEREUS_STARTER_ROOT &&
           !nereus_strategies[strategy]->several_worlds;
}

/** Does the method need an auxiliary thread in the sources: to start processes beside the application, or to move data? */
static inline bool nereus_method_needs_thread(const struct nereus_method *method)
{
    return (method->async && !nereus_strategies[method->strategy]->threadless) ||
           (method->has_data && method->overlap == NEREUS_THREAD);
}

/** Does the plan start worlds whose failure, until they are connected, costs the job nothing? */
static inline bool nereus_plan_is_isolated(const struct nereus_plan *plan)
{
    return plan->tree.group_count > 0 && nereus_strategies[plan->method.strategy]->isolated;
}

/** Does it start them beside the application, without a thread? */
static inline bool nereus_plan_is_threadless(const struct nereus_plan *plan)
{
    return plan->method.async && plan->tree.group_count > 0 &&
           nereus_strategies[plan->method.strategy]->threadless;
}

/* ---- pieces that several strategies are made of (strategies.c) ---- */

/** As operations `round` and `starter_of`. All groups in one round, by rank 0: */
int64_t nereus_round_of_all(const struct nereus_growth *growth);
int64_t nereus_starter_root(const struct nereus_tree *tree, int64_t i);
/** One group by each process that exists (its `round` is above): */
int64_t nereus_starter_process(const struct nereus_tree *tree, int64_t i);

/** As operation `emit`. One world; connected with the parents where `connects`. */
void nereus_emit_one_world(struct nereus_emitter *emitter, const struct nereus_incoming *incoming,
                           bool connects);
/** Several worlds, one after the other, by a step of this kind; then as one. */
void nereus_emit_flat(struct nereus_emitter *emitter, const struct nereus_incoming *incoming,
                      enum nereus_step_kind kind);
/** Several worlds, round after round; then as one. */
void nereus_emit_rounds(struct nereus_emitter *emitter, const struct nereus_incoming *incoming);

#endif
